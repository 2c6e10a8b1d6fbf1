/*
 * btree_order.h
 *		Do the leaves of a btree lie in the file as they are read?
 */
#ifndef SSDPAR_BTREE_ORDER_H
#define SSDPAR_BTREE_ORDER_H

#include "common/pg_prng.h"
#include "utils/relcache.h"

/*
 * Of some leaves, chosen by random, the share after which the next one in the
 * order of keys lies close behind in the file, 0 to 1; 0 if there are none to
 * be seen, in an index of one page.  At most nine pages are read: inner ones,
 * which say where the leaves are.  The index must be readable (btree_meta.h).
 */
extern double ssdpar_index_leaf_order(Relation index, pg_prng_state *random);

#endif							/* SSDPAR_BTREE_ORDER_H */
