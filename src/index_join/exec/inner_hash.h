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

/* The rows to be read, and the columns to be kept.  */
typedef struct SsdparInnerSource
{
	Relation	heap;
	Snapshot	snapshot;
	int			plan_node_id;
	const SsdparJoinKey *key;	/* its target is the inner table */
	const AttrNumber *columns;	/* needed in addition to the key */
	int			ncolumns;
	TupleDesc	outer_row;
} SsdparInnerSource;

/*
 * Builds the hash table in the current memory context.  Returns NULL if the
 * rows that the snapshot sees exceed memory.  *nrows is set to the number of
 * rows, or of those read until then.  Rows with a NULL key have no partner and
 * are not counted.
 */
extern SsdparInnerHash *
			ssdpar_inner_hash_build(const SsdparInnerSource *source,
									Size memory, uint64 *nrows);

/*
 * Starts to look for the partners of an outer row, which must stay valid until
 * the next one.  ssdpar_inner_hash_next() returns them one at a time, in block
 * order, and NULL after the last.  Columns that the join does not need are
 * NULL.  A partner is valid until the next call.
 */
extern void ssdpar_inner_hash_look_for(SsdparInnerHash *hash,
									   MinimalTuple outer);
extern HeapTuple ssdpar_inner_hash_next(SsdparInnerHash *hash);

extern void ssdpar_inner_hash_end(SsdparInnerHash *hash);

#endif							/* SSDPAR_JOIN_INNER_HASH_H */
