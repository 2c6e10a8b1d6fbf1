/*
 * counters.h
 *		Counters of one process of an index join, for EXPLAIN.
 *
 * They contain no pointers, so they can be placed in shared memory, and they
 * only grow, like those of a star scan (starscan/exec/counters.h).
 */
#ifndef SSDPAR_JOIN_COUNTERS_H
#define SSDPAR_JOIN_COUNTERS_H

#include "btree/btree_lookup.h"

typedef struct SsdparJoinCounters
{
	uint64		batches;		/* of outer rows */
	uint64		rows;			/* in these batches */
	uint64		keys;			/* of these not NULL */
	uint64		distinct;		/* keys looked up: once in a batch */
	uint64		cut;			/* of these with more matches than taken */
	uint64		alone;			/* rows without a partner among these */
	SsdparIndexCounts index;
	uint64		pages;			/* of the table, once in a batch */
	uint64		reads;			/* of these not in shared buffers */
	SsdparReadWaits waits;		/* for these */
	uint64		deepest;		/* maximum of concurrent requests for them */
	uint64		merged;			/* requested together with the previous page */
	uint64		heap_fetches;	/* rows of an index-only lookup that had to be
								 * fetched */
} SsdparJoinCounters;

/* The counters of all processes of a parallel query, the leader's first.  */
typedef struct SsdparSharedJoinCounters
{
	int			nprocesses;
	SsdparJoinCounters of[FLEXIBLE_ARRAY_MEMBER];
} SsdparSharedJoinCounters;

extern Size ssdpar_join_counters_shared_size(int nprocesses);
extern void ssdpar_join_counters_init(SsdparSharedJoinCounters *shared,
									  int nprocesses);

/* Adds all of shared to total, or nothing if shared is NULL. */
extern void ssdpar_join_counters_add(SsdparJoinCounters *total,
									 const SsdparSharedJoinCounters *shared);

#endif							/* SSDPAR_JOIN_COUNTERS_H */
