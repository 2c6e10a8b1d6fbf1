/*
 * search.h
 *		The best star scans of one table, as paths.
 */
#ifndef SSDPAR_PLAN_SEARCH_H
#define SSDPAR_PLAN_SEARCH_H

#include "nodes/pathnodes.h"

/*
 * Add to the paths of rel, the fact or a partition of it, the best star scans
 * by each access that ssdpar.star_access allows, serial and parallel ones.
 * False if there is none: no index, or nothing to compare it by.
 */
extern bool ssdpar_add_star_scans(PlannerInfo *root, RelOptInfo *fact,
								  RelOptInfo *rel, List *dimensions);

#endif							/* SSDPAR_PLAN_SEARCH_H */
