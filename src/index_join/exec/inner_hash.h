/*
 * inner_hash.h
 *		The inner table's rows in memory, found by their key.
 */
#ifndef SSDPAR_JOIN_INNER_HASH_H
#define SSDPAR_JOIN_INNER_HASH_H

#include "access/htup.h"
#include "executor/tuptable.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

#include "keys/join_key.h"

typedef struct SsdparInnerHash SsdparInnerHash;

/* What is to be read, and what of it is kept. */
typedef struct SsdparInnerSource
{
	Relation	heap;
	Snapshot	snapshot;
	int			plan_node_id;
	const SsdparJoinKey *key;	/* its target is the inner table */
	const AttrNumber *columns;	/* those that the join needs beside the key */
	int			ncolumns;
	TupleDesc	outer_row;
} SsdparInnerSource;

/*
 * In the current memory context.  Where the rows that the snapshot sees would
 * take more than so many bytes it returns NULL; *nrows is how many there are,
 * or were met until then.  Rows whose key is NULL have no partner and do not
 * count.
 */
extern SsdparInnerHash *
			ssdpar_inner_hash_build(const SsdparInnerSource *source,
									Size memory, uint64 *nrows);

/*
 * Look for the partners of this outer row, which stays there until the next
 * one; and those one by one, in block order, NULL after the last.  In a partner
 * columns that the join does not need are NULL; it stays until the next one.
 */
extern void ssdpar_inner_hash_look_for(SsdparInnerHash *hash,
									   MinimalTuple outer);
extern HeapTuple ssdpar_inner_hash_next(SsdparInnerHash *hash);

extern void ssdpar_inner_hash_end(SsdparInnerHash *hash);

#endif							/* SSDPAR_JOIN_INNER_HASH_H */
