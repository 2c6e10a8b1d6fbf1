/*
 * core_paths.h
 *		Has core make, or price, paths of a table again with other page costs.
 */
#ifndef SSDPAR_CORE_PATHS_H
#define SSDPAR_CORE_PATHS_H

#include "cost/page_cost_override.h"

/*
 * Core's create_index_paths() once more for a watched table, with these costs.
 * The settings are back when it returns, also by an error.
 */
extern void ssdpar_create_index_paths(PlannerInfo *root, RelOptInfo *rel,
									  const SsdparCoreCosts *costs);

/*
 * A bitmap scan through the index of each of these SsdparSeenPath, with these
 * costs of the table, as a List of Path.
 */
extern List *ssdpar_create_bitmap_paths(PlannerInfo *root, RelOptInfo *rel,
										const SsdparCoreCosts *costs,
										List *seen);

/*
 * Enter among the table's partial paths the parallel twins of these
 * SsdparSeenPath, all without parameters and of btrees, with these costs: as
 * index scans or as bitmap scans, whichever costs wants.
 */
extern void ssdpar_create_partial_paths(PlannerInfo *root, RelOptInfo *rel,
										const SsdparCoreCosts *costs,
										List *seen);

/* Price a partial index or bitmap scan of the table anew, with these costs. */
extern void ssdpar_price_partial_path(PlannerInfo *root, RelOptInfo *rel,
									  const SsdparCoreCosts *costs,
									  Path *path);

#endif							/* SSDPAR_CORE_PATHS_H */
