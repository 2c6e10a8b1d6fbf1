/*
 * leaf_order.h
 *		Estimates how well the leaves of an index follow the file's order.
 */
#ifndef SSDPAR_LEAF_ORDER_H
#define SSDPAR_LEAF_ORDER_H

#include "nodes/pathnodes.h"

/* For fewer leaves (2 MB), sampling their order does not pay off. */
#define SSDPAR_MANY_LEAVES 256.0

/*
 * The share of leaves (0 to 1) whose successor is closely behind them in the
 * file, as sampled by this session; 0 if it is not a btree.
 */
extern double ssdpar_leaf_order(PlannerInfo *root,
								const IndexOptInfo *info);

#endif							/* SSDPAR_LEAF_ORDER_H */
