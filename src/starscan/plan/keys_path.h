/*
 * keys_path.h
 *		The SsdparStarKeys as the planner sees it.
 */
#ifndef SSDPAR_PLAN_KEYS_PATH_H
#define SSDPAR_PLAN_KEYS_PATH_H

#include "nodes/pathnodes.h"

#include "starscan/plan/path.h"

/*
 * A path of rel, a fact with partitions: rows, the Append of their scans,
 * below the keys that these use.  children (Path) read those of the dimensions
 * (SsdparDimension) and all below, for cost; plan is what the scans are parts
 * of.
 */
extern Path *ssdpar_make_keys_path(RelOptInfo *rel, const SsdparStarPlan *plan,
								   List *dimensions, List *children, Cost cost,
								   Path *rows);

/* Path as that, or NULL if it is none.  It is no scan of a part. */
extern SsdparStarPath *ssdpar_keys_path(Path *path);

extern void ssdpar_register_star_keys(void);

#endif							/* SSDPAR_PLAN_KEYS_PATH_H */
