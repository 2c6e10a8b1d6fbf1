/*
 * scan_price.h
 *		Prices the scans of one table under the model.
 */
#ifndef SSDPAR_SCAN_PRICE_H
#define SSDPAR_SCAN_PRICE_H

#include "nodes/pathnodes.h"

#include "cost/page_cost_override.h"
#include "cost/table_price.h"

/*
 * Making paths twice takes as long as core takes.  In a table that is read
 * with few requests, a bitmap scan's depth and order matter little, so one
 * call of core makes both kinds, and bitmap scans get the page costs of index
 * scans.  This does not work if several runs share pages, because then each
 * index path has different costs.
 */
extern bool ssdpar_table_is_small(const SsdparTablePrice *table);

/*
 * Page costs for index scans and for bitmap scans in this number of workers.
 */
extern SsdparCoreCosts ssdpar_index_scan_costs(const SsdparTablePrice *table,
											   int workers);
extern SsdparCoreCosts ssdpar_bitmap_scan_costs(const SsdparTablePrice *table,
												int workers);

/* SsdparPricer functions; priced is an SsdparTablePrice. */
extern Cost ssdpar_price_index(const void *priced, const IndexOptInfo *index,
							   Oid tablespace, int workers);

extern Cost ssdpar_price_leaves(const void *priced,
								const SsdparEstimatedScan *scan,
								Oid tablespace);

/*
 * Reprices core's sequential scans, which must be all paths of the table and
 * have core's costs.  Their costs without pages are the computing of each
 * process.
 */
extern void ssdpar_price_seqscans(const SsdparTablePrice *table);

/*
 * An unparameterized bitmap scan of a large part of the table is cheaper than
 * the sum of its pages, which core's formula has charged for priced_runs that
 * share them.  To be called once per path.
 */
extern void ssdpar_price_block_order(const SsdparTablePrice *table,
									 BitmapHeapPath *path, double priced_runs);

#endif							/* SSDPAR_SCAN_PRICE_H */
