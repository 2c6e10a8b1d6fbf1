/*
 * btree_meta.h
 *		Can a btree be read page by page, and where does it begin?
 */
#ifndef SSDPAR_BTREE_META_H
#define SSDPAR_BTREE_META_H

#include "storage/block.h"
#include "utils/relcache.h"

/* Can this index be read that way?  (btree, current on-disk version ...) */
extern bool ssdpar_index_readable(Relation index);

/* The same if one can that has its definition. */
extern bool ssdpar_index_is_current(Relation index);

/*
 * The root to begin with and its level; P_NONE if the index is empty.  An
 * error where the index turns out to be no such btree.
 */
extern void ssdpar_index_root(Relation index, BlockNumber *root,
							  uint32 *level);

#endif							/* SSDPAR_BTREE_META_H */
