/*
 * btree_scan.h
 *		What core takes too darkly of a scan of a btree.
 */
#ifndef SSDPAR_BTREE_SCAN_H
#define SSDPAR_BTREE_SCAN_H

#include "nodes/pathnodes.h"

#include "cost/seen_paths.h"

/* How well the table lies in the order of the index, -1 to 1. */
extern double ssdpar_btree_correlation(PlannerInfo *root,
									   const IndexOptInfo *index,
									   double correlation);

/*
 * What a leaf takes that an index scan waits for, if so long it has the rows of
 * the leaf before to go through, and no less than if the leaves came in the
 * order of the file.  Both prices are of a page; in_order and random of the
 * table's pages, as the scan reads them.
 */
extern Cost ssdpar_btree_leaf_cost(const IndexPath *path,
								   const SsdparIndexEstimate *estimate,
								   Cost leaf_waited, Cost leaf_in_order,
								   Cost in_order, Cost random);

#endif							/* SSDPAR_BTREE_SCAN_H */
