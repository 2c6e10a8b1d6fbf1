/*
 * covering.h
 *		Star scans that replace joins.
 */
#ifndef SSDPAR_PLAN_COVERING_H
#define SSDPAR_PLAN_COVERING_H

#include "optimizer/paths.h"

/*
 * For set_join_pathlist_hook: offers star scans of joinrel's fact that join
 * its dimensions themselves.
 */
extern void ssdpar_offer_covering_scans(PlannerInfo *root, RelOptInfo *joinrel,
										RelOptInfo *outerrel,
										RelOptInfo *innerrel,
										JoinType jointype,
										JoinPathExtraData *extra);

/*
 * Of dimensions that keep all of the fact's rows, returns those that a star
 * scan with dimensions may join in addition, because their rows fit into
 * memory together with those of the others.  They save only the join above.
 */
extern List *ssdpar_joined_besides(PlannerInfo *root, List *dimensions,
								   List *keeping_all);

#endif							/* SSDPAR_PLAN_COVERING_H */
