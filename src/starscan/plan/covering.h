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

/*
 * Of dimensions that keep all of the fact's rows those that a star scan by
 * dimensions may join besides: their rows fit into memory with those of the
 * others.  They save nothing but the join above.
 */
extern List *ssdpar_joined_besides(PlannerInfo *root, List *dimensions,
								   List *keeping_all);

#endif							/* SSDPAR_PLAN_COVERING_H */
