/*
 * btree_leaf.h
 *		Finds the row addresses that a leaf of a btree has for sorted keys.
 */
#ifndef SSDPAR_BTREE_LEAF_H
#define SSDPAR_BTREE_LEAF_H

#include "access/itup.h"
#include "storage/bufpage.h"
#include "storage/itemptr.h"

#include "btree/btree_keys.h"

/*
 * The rows that a leaf has for the keys.  Invariant: 0 <= count <=
 * MaxTIDsPerBTreePage.  tuples occupy used bytes of space; rows of the same
 * item share a tuple.
 */
typedef struct SsdparLeafRows
{
	int			count;
	ItemPointerData *tids;
	uint64	   *positions;		/* of their keys; NULL if not wanted */
	IndexTuple *tuples;			/* copies without TIDs; NULL if not wanted */
	char	   *space;
	Size		used;
} SsdparLeafRows;

/* Allocates space for the rows of any leaf, in the current memory context.  */
extern void ssdpar_leaf_rows_init(SsdparLeafRows *rows, bool positions,
								  bool tuples);

/*
 * Replaces rows by the page's rows for keys, starting from key number key.
 * Returns the first key that the page may not be the last for, because its
 * rows may continue to the right.  heed_dead skips items that are marked dead.
 * The page must be locked.
 */
extern uint64 ssdpar_index_leaf_rows(Relation index,
									 const SsdparIndexKeys *keys, Page page,
									 uint64 key, bool heed_dead,
									 SsdparLeafRows *rows);

#endif							/* SSDPAR_BTREE_LEAF_H */
