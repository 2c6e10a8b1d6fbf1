/*
 * keys_path.h
 *		The SsdparStarKeys as the planner sees it.
 */
#ifndef SSDPAR_PLAN_KEYS_PATH_H
#define SSDPAR_PLAN_KEYS_PATH_H

#include "nodes/pathnodes.h"

#include "starscan/star_plan.h"

/*
 * A path of rel, a fact with partitions: rows, the scans of them all, below the
 * keys that these use.  children (Path) read those for cost; plan is what the
 * scans are parts of.
 */
extern Path *ssdpar_make_keys_path(RelOptInfo *rel, const SsdparStarPlan *plan,
								   List *children, Cost cost, Path *rows);

extern bool ssdpar_is_keys_path(const Path *path);

extern void ssdpar_register_star_keys(void);

#endif							/* SSDPAR_PLAN_KEYS_PATH_H */
