/*
 * pages_again.h
 *		Prices repeated visits to pages of a table through an index.
 */
#ifndef SSDPAR_PAGES_AGAIN_H
#define SSDPAR_PAGES_AGAIN_H

#include "cost/page_cost_override.h"

/*
 * Core assumes one run of the query level.  If there are more, sets page costs
 * with which core's formulas charge each run as one of several scans.  Sets
 * two costs, for unordered rows and for rows in index order, because core
 * interpolates between them.
 */
extern void ssdpar_share_table_pages(PlannerInfo *root,
									 const SsdparCoreCosts *costs,
									 const IndexPath *path, double loop_count,
									 const SsdparIndexEstimate *estimate,
									 double *random_page,
									 double *sequential_page);

/*
 * Cost for a scan by this path of revisiting pages of the table.  bitmap: it
 * is the index scan of a bitmap scan.
 */
extern Cost ssdpar_pages_again_cost(PlannerInfo *root,
									const SsdparCoreCosts *costs,
									const IndexPath *path,
									double loop_count, bool bitmap,
									const SsdparIndexEstimate *estimate);

#endif							/* SSDPAR_PAGES_AGAIN_H */
