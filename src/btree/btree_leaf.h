/*
 * btree_leaf.h
 *		The row addresses that one leaf of a btree holds for sorted keys.
 */
#ifndef SSDPAR_BTREE_LEAF_H
#define SSDPAR_BTREE_LEAF_H

#include "access/itup.h"
#include "storage/bufpage.h"
#include "storage/itemptr.h"

#include "btree/btree_keys.h"

/*
 * The rows that a leaf holds for the keys.  Invariant: 0 <= count <=
 * MaxTIDsPerBTreePage; used bytes of space are taken by tuples, of which rows
 * of one item share one.
 */
typedef struct SsdparLeafRows
{
	int			count;
	ItemPointerData *tids;
	uint64	   *positions;		/* of their keys; NULL: not wanted */
	IndexTuple *tuples;			/* copies, without their rows; NULL: the same */
	char	   *space;
	Size		used;
} SsdparLeafRows;

/* In the current memory context, for any leaf. */
extern void ssdpar_leaf_rows_init(SsdparLeafRows *rows, bool positions,
								  bool tuples);

/*
 * Put the page's rows in place of those that are there, from key number key
 * on; returns the first one that the page is not done with: its rows may go on
 * to the right.  heed_dead leaves out items that are marked dead.  The page
 * must be locked.
 */
extern uint64 ssdpar_index_leaf_rows(Relation index,
									 const SsdparIndexKeys *keys, Page page,
									 uint64 key, bool heed_dead,
									 SsdparLeafRows *rows);

#endif							/* SSDPAR_BTREE_LEAF_H */
