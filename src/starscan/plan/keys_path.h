/*
 * keys_path.h
 *		SsdparStarKeys in the planner.
 */
#ifndef SSDPAR_PLAN_KEYS_PATH_H
#define SSDPAR_PLAN_KEYS_PATH_H

#include "nodes/pathnodes.h"

#include "starscan/plan/path.h"

/*
 * Creates a path of rel, a fact with partitions.  rows is the Append of their
 * scans, which use these keys.  children (Path) read those of the dimensions
 * (SsdparDimension) and all below, at this cost; plan is the plan of which the
 * scans' plans are parts.
 */
extern Path *ssdpar_make_keys_path(RelOptInfo *rel, const SsdparStarPlan *plan,
								   List *dimensions, List *children, Cost cost,
								   Path *rows);

/*
 * Returns path as that type, or NULL if it is another one.  It is not the scan
 * of a partition.
 */
extern SsdparStarPath *ssdpar_keys_path(Path *path);

extern void ssdpar_register_star_keys(void);

#endif							/* SSDPAR_PLAN_KEYS_PATH_H */
