/*
 * reprice.h
 *		Core's scans of a table, priced by the device profile.
 */
#ifndef SSDPAR_REPRICE_H
#define SSDPAR_REPRICE_H

#include "nodes/pathnodes.h"

/*
 * Replaces the paths that core has made for a table by the same ones priced by
 * the cost model, when a large enough table is in the query, the table's
 * tablespace has a usable profile, and all of the paths are core's.
 */
extern void ssdpar_reprice_scans(PlannerInfo *root, RelOptInfo *rel,
								 RangeTblEntry *rte);

#endif							/* SSDPAR_REPRICE_H */
