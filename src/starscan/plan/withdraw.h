/*
 * withdraw.h
 *		Takes back star scans that were offered, to offer others.
 */
#ifndef SSDPAR_PLAN_WITHDRAW_H
#define SSDPAR_PLAN_WITHDRAW_H

#include "nodes/pathnodes.h"

/* Remember rel's paths, which star scans are about to be put among. */
extern void ssdpar_remember_paths(PlannerInfo *root, RelOptInfo *rel);

/* All relations of root have the paths again that were remembered last. */
extern void ssdpar_withdraw_star_scans(PlannerInfo *root);

#endif							/* SSDPAR_PLAN_WITHDRAW_H */
