/*
 * scannable.h
 *		Checks which tables a star scan can read.
 */
#ifndef SSDPAR_PLAN_SCANNABLE_H
#define SSDPAR_PLAN_SCANNABLE_H

#include "nodes/pathnodes.h"

/* Can a star scan read rel, a base relation or partition? */
extern bool ssdpar_is_scannable(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_PLAN_SCANNABLE_H */
