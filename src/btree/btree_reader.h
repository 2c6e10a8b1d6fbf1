/*
 * btree_reader.h
 *		A btree's pages that can hold one of a set of keys, read leaf after
 *		leaf, with many on the way at once.
 */
#ifndef SSDPAR_BTREE_READER_H
#define SSDPAR_BTREE_READER_H

#include "btree/btree_keys.h"
#include "btree/btree_leaf.h"
#include "btree/btree_level.h"
#include "btree/btree_lookup.h"

/*
 * Invariant: levels[i].key, the number of keys that level i is done with,
 * never goes back, nor beyond the number of keys.
 */
typedef struct SsdparIndexReading
{
	Relation	index;
	SsdparIndexKeys keys;
	Snapshot	snapshot;
	bool		heed_dead;		/* are items marked dead also dead to us? */
	SsdparTidBitmap *bitmap;	/* all rows, or else ... */
	SsdparIndexTaker take;		/* ... those of each key */
	void	   *taker;
	bool		enough;			/* said the taker */
	SsdparIndexCounts *counts;
	SsdparReadTimer timer;		/* of leaves */
	int			top;			/* level of the root */
	SsdparIndexLevel *levels;	/* NULL: the tree is empty */
	bool		wants_tuples;	/* of the index, for the taker */
	SsdparLeafRows rows;		/* found on the current leaf */
	uint64		rows_before;	/* in counts */
} SsdparIndexReading;

/* The snapshot that is active: before the first page, and before others. */
extern void ssdpar_index_reader_take_snapshot(SsdparIndexReading *reader);

/* Once keys are set; what is needed lies in the current memory context. */
extern void ssdpar_index_reader_open(SsdparIndexReading *reader,
									 SsdparPageMethod method, int depth);
extern void ssdpar_index_reader_close(SsdparIndexReading *reader);

/*
 * Read a leaf, if there is one; that makes the levels above be read as far
 * ahead as is wanted.
 */
extern bool ssdpar_index_reader_leaf(SsdparIndexReading *reader);

#endif							/* SSDPAR_BTREE_READER_H */
