/*
 * counters.h
 *		What one process of an index join has counted, for EXPLAIN.
 *
 * Flat, so that it can lie in shared memory, and only ever growing, as those of
 * a star scan (starscan/exec/counters.h).
 */
#ifndef SSDPAR_JOIN_COUNTERS_H
#define SSDPAR_JOIN_COUNTERS_H

#include "btree/btree_lookup.h"

typedef struct SsdparJoinCounters
{
	uint64		batches;		/* of outer rows */
	uint64		rows;			/* in these */
	uint64		keys;			/* of these not NULL */
	uint64		distinct;		/* looked up: once in a batch */
	uint64		cut;			/* of these with more matches than taken */
	uint64		alone;			/* rows that had no partner among them */
	SsdparIndexCounts index;
	uint64		pages;			/* of the table, once in a batch */
	uint64		reads;			/* of these not in shared buffers */
	SsdparReadWaits waits;		/* for these */
	uint64		deepest;		/* most requests for them at a time */
	uint64		merged;			/* asked for together with the one before */
	uint64		heap_fetches;	/* rows of an index-only lookup looked at in
								 * the table all the same */

	/* Of the processes that have gone over, or have tried to, in sum. */
	uint64		gone_over;		/* how many have */
	uint64		gone_over_after;	/* outer rows that were looked up before */
	uint64		hashed;			/* rows of the inner table */
	uint64		not_fit;		/* of these read until memory was full */
} SsdparJoinCounters;

/* Of all processes of a parallel query: the leader's first. */
typedef struct SsdparSharedJoinCounters
{
	int			nprocesses;
	SsdparJoinCounters of[FLEXIBLE_ARRAY_MEMBER];
} SsdparSharedJoinCounters;

extern Size ssdpar_join_counters_shared_size(int nprocesses);
extern void ssdpar_join_counters_init(SsdparSharedJoinCounters *shared,
									  int nprocesses);

/* Add all of shared, or nothing if that is NULL. */
extern void ssdpar_join_counters_add(SsdparJoinCounters *total,
									 const SsdparSharedJoinCounters *shared);

#endif							/* SSDPAR_JOIN_COUNTERS_H */
