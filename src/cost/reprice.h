/*
 * reprice.h
 *		Core's scans of a table, priced by the device profile.
 */
#ifndef SSDPAR_REPRICE_H
#define SSDPAR_REPRICE_H

#include "nodes/pathnodes.h"

/*
 * The table's indexes have become known.  Their paths and the sequential scans
 * will be priced by the cost model, when a large enough table is in the query,
 * the table's tablespace has a usable profile, and core makes no others before.
 */
extern void ssdpar_watch_table(PlannerInfo *root, RelOptInfo *rel);

/*
 * Core has made the paths of a relation, and no other hook any yet: complete
 * what is priced by the cost model, if it is.
 */
extern void ssdpar_reprice_scans(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_REPRICE_H */
