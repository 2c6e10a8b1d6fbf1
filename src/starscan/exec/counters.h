/*
 * counters.h
 *		Counters of one process of a star scan, for EXPLAIN.
 *
 * They contain no pointers, so they can be placed in shared memory.  Each
 * process writes only its own counters, without a lock, and they are added up
 * after all workers have finished.  Counters only grow: neither a rescan nor
 * ReInitializeDSM resets them, as with core's instrumentation.
 */
#ifndef SSDPAR_STAR_COUNTERS_H
#define SSDPAR_STAR_COUNTERS_H

#include "portability/instr_time.h"

#include "starscan/exec/io_stats.h"
#include "starscan/exec/phases.h"

/* Counters for the pages of a bitmap.  */
typedef struct SsdparReadCounters
{
	uint64		pages;			/* pages visited */
	uint64		reads;			/* pages not found in shared buffers */
	uint64		asked;			/* pages announced before being read */
	uint64		merged;			/* announced pages merged into a larger
								 * request */
	uint64		waits;			/* reads that waited for the device */
	uint64		depth_sum;		/* sum of requests ahead, in depth_n samples */
	uint64		depth_n;
	uint64		depth_max;
	SsdparIoStats io;			/* also used by sequential access */
} SsdparReadCounters;

/*
 * Counters for the rows tested by one reducer.  If the filter is deferred,
 * only some of the rows are tested.  If the reducer is joined, the rows that
 * pass its filter are looked up and dropped if they have no partner.
 */
typedef struct SsdparFilterCount
{
	uint64		rows;			/* rows tested by filters ... */
	uint64		dropped;		/* ... rows dropped by filters */
	uint64		partnerless;	/* rows dropped by the lookup */
} SsdparFilterCount;

typedef struct SsdparStarCounters
{
	SsdparReadCounters read;
	uint64		pruned;			/* scans that the keys made unnecessary */
	instr_time	prepare_time;	/* time until it could look for its first row */
	SsdparBusy	busy[SSDPAR_PHASES];	/* if the node is timed */
	SsdparFilterCount filters[FLEXIBLE_ARRAY_MEMBER];	/* by reducer */
} SsdparStarCounters;

extern Size ssdpar_star_counters_size(int nreducers);
extern void ssdpar_star_counters_add(SsdparStarCounters *total,
									 const SsdparStarCounters *counters,
									 int nreducers);

#endif							/* SSDPAR_STAR_COUNTERS_H */
