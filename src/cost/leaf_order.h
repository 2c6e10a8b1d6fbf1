/*
 * leaf_order.h
 *		How far the leaves of an index lie in the order in which they are read.
 */
#ifndef SSDPAR_LEAF_ORDER_H
#define SSDPAR_LEAF_ORDER_H

#include "nodes/pathnodes.h"

/* Of fewer it is not worth to find out in which order they lie: 2 MB. */
#define SSDPAR_MANY_LEAVES 256.0

/*
 * The share of leaves whose next one lies close behind them in the file, 0 to
 * 1, as it was when this session looked; 0 if it is no btree.
 */
extern double ssdpar_leaf_order(PlannerInfo *root,
								const IndexOptInfo *info);

#endif							/* SSDPAR_LEAF_ORDER_H */
