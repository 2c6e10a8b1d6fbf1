/*
 * scan_price.h
 *		What the scans of one table cost under the model.
 */
#ifndef SSDPAR_SCAN_PRICE_H
#define SSDPAR_SCAN_PRICE_H

#include "nodes/pathnodes.h"

#include "cost/page_cost_override.h"
#include "cost/table_price.h"

/*
 * Making paths takes as long as core takes for it.  In a table of a few reads
 * a bitmap scan's depth and order matter little, so there one call of core's
 * makes both kinds, a page of a bitmap scan at the price of an index scan's.
 * Not where several runs share pages: there each index path has its own costs.
 */
extern bool ssdpar_table_is_small(const SsdparTablePrice *table);

/* Page costs for index scans and for bitmap scans in that many workers. */
extern SsdparCoreCosts ssdpar_index_scan_costs(const SsdparTablePrice *table,
											   int workers);
extern SsdparCoreCosts ssdpar_bitmap_scan_costs(const SsdparTablePrice *table,
												int workers);

/* SsdparPricer's, all of an SsdparTablePrice. */
extern Cost ssdpar_price_index(const void *priced, const IndexOptInfo *index,
							   Oid tablespace, int workers);

extern Cost ssdpar_price_leaves(const void *priced,
								const SsdparEstimatedScan *scan,
								Oid tablespace);

/*
 * Give core's sequential scans, which are all paths of the table and priced by
 * the page costs that are set, the time they take.  What their cost is without
 * the pages is each process's computing.
 */
extern void ssdpar_price_seqscans(const SsdparTablePrice *table);

/*
 * An unparameterized bitmap scan that reads a good part of the table is
 * cheaper than its pages one by one, at which core's formula has been given
 * them, as of priced_runs that share them.  Once for a path.
 */
extern void ssdpar_price_block_order(const SsdparTablePrice *table,
									 BitmapHeapPath *path, double priced_runs);

#endif							/* SSDPAR_SCAN_PRICE_H */
