/*
 * btree_reader.h
 *		Reads the pages of a btree that can contain any of a set of keys, leaf
 *		by leaf, with many pages requested from the device at once.
 */
#ifndef SSDPAR_BTREE_READER_H
#define SSDPAR_BTREE_READER_H

#include "btree/btree_keys.h"
#include "btree/btree_leaf.h"
#include "btree/btree_level.h"
#include "btree/btree_lookup.h"

/*
 * Invariant: levels[i].key, the number of keys that level i is done with,
 * never decreases and never exceeds the number of keys.
 */
typedef struct SsdparIndexReading
{
	Relation	index;
	SsdparIndexKeys keys;
	Snapshot	snapshot;
	bool		heed_dead;		/* skip items marked dead */
	SsdparTidBitmap *bitmap;	/* receives all rows, or else ... */
	SsdparIndexTaker take;		/* ... this receives those of each key */
	void	   *taker;
	bool		enough;			/* the callback wants no more */
	SsdparIndexCounts *counts;
	SsdparReadTimer timer;		/* of leaves */
	int			top;			/* level of the root */
	SsdparIndexLevel *levels;	/* NULL: the tree is empty */
	bool		wants_tuples;	/* index tuples, for the callback */
	SsdparLeafRows rows;		/* found on the current leaf */
	uint64		rows_before;	/* initial value of counts->rows */
} SsdparIndexReading;

/*
 * Takes the active snapshot; called before the first page and before each
 * step.
 */
extern void ssdpar_index_reader_take_snapshot(SsdparIndexReading *reader);

/*
 * Opens the index after keys have been set.  Allocates in the current memory
 * context.
 */
extern void ssdpar_index_reader_open(SsdparIndexReading *reader,
									 SsdparPageMethod method, int depth);
extern void ssdpar_index_reader_close(SsdparIndexReading *reader);

/*
 * Reads a leaf, if there is one, and as many pages of the levels above as are
 * wanted ahead.
 */
extern bool ssdpar_index_reader_leaf(SsdparIndexReading *reader);

#endif							/* SSDPAR_BTREE_READER_H */
