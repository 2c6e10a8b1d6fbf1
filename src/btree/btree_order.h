/*
 * btree_order.h
 *		Determines whether the leaves of a btree are stored in the order in
 *		which they are read.
 */
#ifndef SSDPAR_BTREE_ORDER_H
#define SSDPAR_BTREE_ORDER_H

#include "common/pg_prng.h"
#include "utils/relcache.h"

/*
 * Samples leaves at random and returns the share, from 0 to 1, whose successor
 * in key order follows closely in the file; 0 if the index has only one page.
 * Reads at most nine pages, all of them inner pages, which list the positions
 * of the leaves.  The index must be readable (btree_meta.h).
 */
extern double ssdpar_index_leaf_order(Relation index, pg_prng_state *random);

#endif							/* SSDPAR_BTREE_ORDER_H */
