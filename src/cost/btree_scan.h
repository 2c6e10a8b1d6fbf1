/*
 * btree_scan.h
 *		Corrects two of core's estimates for btree scans that are too
 *		pessimistic.
 */
#ifndef SSDPAR_BTREE_SCAN_H
#define SSDPAR_BTREE_SCAN_H

#include "nodes/pathnodes.h"

#include "cost/seen_paths.h"

/* How well the table's order correlates with the index, -1 to 1. */
extern double ssdpar_btree_correlation(PlannerInfo *root,
									   const IndexOptInfo *index,
									   double correlation);

/*
 * Cost of waiting for a leaf that is read while the scan processes the rows of
 * the previous leaf, but at least the cost of a leaf in file order.
 * leaf_waited and leaf_in_order are prices of a leaf; in_order and random are
 * those of the table's pages, as the scan reads them.
 */
extern Cost ssdpar_btree_leaf_cost(const IndexPath *path,
								   const SsdparIndexEstimate *estimate,
								   Cost leaf_waited, Cost leaf_in_order,
								   Cost in_order, Cost random);

#endif							/* SSDPAR_BTREE_SCAN_H */
