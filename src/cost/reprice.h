/*
 * reprice.h
 *		Reprices core's scans of a table with the device profile.
 */
#ifndef SSDPAR_REPRICE_H
#define SSDPAR_REPRICE_H

#include "nodes/pathnodes.h"

/*
 * To be called when the table's indexes are known.  The cost model will price
 * its index paths and sequential scans if the query has a large enough table,
 * the table's tablespace has a usable profile, and core makes no other paths
 * before.
 */
extern void ssdpar_watch_table(PlannerInfo *root, RelOptInfo *rel);

/*
 * To be called when core has made the paths of a relation, before other hooks
 * add paths: completes its paths if the cost model prices them.
 */
extern void ssdpar_reprice_scans(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_REPRICE_H */
