/*
 * btree_leaf.h
 *		The row addresses that one leaf of a btree holds for sorted keys.
 */
#ifndef SSDPAR_BTREE_LEAF_H
#define SSDPAR_BTREE_LEAF_H

#include "storage/bufpage.h"
#include "storage/itemptr.h"

#include "btree/btree_keys.h"

/*
 * From key number key on; returns the first one that the page is not done
 * with: its rows may go on to the right.  tids has room for
 * MaxTIDsPerBTreePage, of which *ntids are taken; so has positions, which says
 * for each the position of its key, or is NULL.  heed_dead leaves out items
 * that are marked dead.  The page must be locked.
 */
extern uint64 ssdpar_index_leaf_rows(Relation index,
									 const SsdparIndexKeys *keys, Page page,
									 uint64 key, bool heed_dead,
									 ItemPointerData *tids, uint64 *positions,
									 int *ntids);

#endif							/* SSDPAR_BTREE_LEAF_H */
