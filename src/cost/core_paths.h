/*
 * core_paths.h
 *		Rebuilds or reprices core's paths for one table under different page
 *		costs.
 */
#ifndef SSDPAR_CORE_PATHS_H
#define SSDPAR_CORE_PATHS_H

#include "cost/page_cost_override.h"

/*
 * Calls core's create_index_paths() again for a watched table, with these
 * costs. The settings are restored afterwards, even after an error.
 */
extern void ssdpar_create_index_paths(PlannerInfo *root, RelOptInfo *rel,
									  const SsdparCoreCosts *costs);

/*
 * Makes a bitmap scan through the index of each SsdparSeenPath, with these
 * costs of the table.  Returns a List of Path.
 */
extern List *ssdpar_create_bitmap_paths(PlannerInfo *root, RelOptInfo *rel,
										const SsdparCoreCosts *costs,
										List *seen);

/*
 * Adds the parallel versions of these SsdparSeenPaths, which must be btree
 * scans without parameters, to the table's partial paths: as index scans or as
 * bitmap scans, depending on costs.
 */
extern void ssdpar_create_partial_paths(PlannerInfo *root, RelOptInfo *rel,
										const SsdparCoreCosts *costs,
										List *seen);

/* Reprices a partial index or bitmap scan of the table with these costs. */
extern void ssdpar_price_partial_path(PlannerInfo *root, RelOptInfo *rel,
									  const SsdparCoreCosts *costs,
									  Path *path);

#endif							/* SSDPAR_CORE_PATHS_H */
