/*
 * covering.h
 *		Star scans that take the place of joins.
 */
#ifndef SSDPAR_PLAN_COVERING_H
#define SSDPAR_PLAN_COVERING_H

#include "optimizer/paths.h"

/*
 * In set_join_pathlist_hook: offer star scans of joinrel's fact that join its
 * dimensions themselves.
 */
extern void ssdpar_offer_covering_scans(PlannerInfo *root, RelOptInfo *joinrel,
										RelOptInfo *outerrel,
										RelOptInfo *innerrel,
										JoinType jointype,
										JoinPathExtraData *extra);

#endif							/* SSDPAR_PLAN_COVERING_H */
