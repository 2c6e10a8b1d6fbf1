/*
 * btree_scan.h
 *		How well the rows of a table are in the order of a btree.
 */
#ifndef SSDPAR_BTREE_SCAN_H
#define SSDPAR_BTREE_SCAN_H

#include "nodes/pathnodes.h"

/* How well the table lies in the order of the index, -1 to 1. */
extern double ssdpar_btree_correlation(PlannerInfo *root,
									   const IndexOptInfo *index,
									   double correlation);

#endif							/* SSDPAR_BTREE_SCAN_H */
