/*
 * btree_meta.h
 *		Determines whether a btree can be read page by page, and finds its
 *		root.
 */
#ifndef SSDPAR_BTREE_META_H
#define SSDPAR_BTREE_META_H

#include "storage/block.h"
#include "utils/relcache.h"

/* Can this index be read page by page? (btree, current on-disk version ...) */
extern bool ssdpar_index_readable(Relation index);

/* The same for an index whose definition is known to be suitable.  */
extern bool ssdpar_index_is_current(Relation index);

/*
 * Returns the root to start from and its level; P_NONE if the index is empty.
 * Raises an error if the index is not a suitable btree.
 */
extern void ssdpar_index_root(Relation index, BlockNumber *root,
							  uint32 *level);

#endif							/* SSDPAR_BTREE_META_H */
