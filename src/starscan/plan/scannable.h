/*
 * scannable.h
 *		Which tables a star scan can read.
 */
#ifndef SSDPAR_PLAN_SCANNABLE_H
#define SSDPAR_PLAN_SCANNABLE_H

#include "nodes/pathnodes.h"

/* Is rel, a base relation or partition, one? */
extern bool ssdpar_is_scannable(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_PLAN_SCANNABLE_H */
