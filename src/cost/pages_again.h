/*
 * pages_again.h
 *		The price of coming back to pages of a table by an index.
 */
#ifndef SSDPAR_PAGES_AGAIN_H
#define SSDPAR_PAGES_AGAIN_H

#include "cost/page_cost_override.h"

/*
 * Core reckons with one run of the query level.  Where there are more, its
 * formulas are given page costs by which the table's pages come out as if each
 * run were one of as many scans: two of them, for rows in any order and for
 * rows in the index's, between which core interpolates.
 */
extern void ssdpar_share_table_pages(PlannerInfo *root,
									 const SsdparCoreCosts *costs,
									 const IndexPath *path, double loop_count,
									 const SsdparIndexEstimate *estimate,
									 double *random_page,
									 double *sequential_page);

/*
 * What it costs a scan by this path to come back to pages of the table that
 * the query has read before; bitmap: as the index scan of a bitmap scan.
 */
extern Cost ssdpar_pages_again_cost(PlannerInfo *root,
									const SsdparCoreCosts *costs,
									const IndexPath *path,
									double loop_count, bool bitmap,
									const SsdparIndexEstimate *estimate);

#endif							/* SSDPAR_PAGES_AGAIN_H */
