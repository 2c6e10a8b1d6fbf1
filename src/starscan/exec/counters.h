/*
 * counters.h
 *		What one process of a star scan has counted, for EXPLAIN.
 *
 * Flat, so that it can lie in shared memory.  Each process writes to its own
 * only, without a lock; they are added up when no worker runs any more.  They
 * only ever grow: neither a rescan nor ReInitializeDSM resets them, as with
 * core's own instrumentation.
 */
#ifndef SSDPAR_STAR_COUNTERS_H
#define SSDPAR_STAR_COUNTERS_H

#include "portability/instr_time.h"

#include "starscan/exec/io_stats.h"
#include "starscan/exec/phases.h"

/* Of the pages of a bitmap. */
typedef struct SsdparReadCounters
{
	uint64		pages;			/* that were looked at */
	uint64		reads;			/* that were not in shared buffers */
	uint64		asked;			/* pages announced before being read */
	uint64		merged;			/* of these asked together with another */
	uint64		waits;			/* reads that waited for the device */
	uint64		depth_sum;		/* requests ahead, summed up over depth_n */
	uint64		depth_n;
	uint64		depth_max;
	SsdparIoStats io;			/* of a sequential access, too */
} SsdparReadCounters;

/*
 * Of rows and the keys of one reducer.  A filter that is put off tests some of
 * the rows only; of a joined reducer those that it lets through are looked up,
 * and dropped then if they have no partner.
 */
typedef struct SsdparFilterCount
{
	uint64		rows;			/* tested by filters ... */
	uint64		dropped;		/* ... and dropped by these */
	uint64		partnerless;	/* dropped when looked up */
} SsdparFilterCount;

typedef struct SsdparStarCounters
{
	SsdparReadCounters read;
	uint64		pruned;			/* times that keys kept from reading anything */
	instr_time	prepare_time;	/* until its first row could be looked for */
	SsdparBusy	busy[SSDPAR_PHASES];	/* if the node is timed */
	SsdparFilterCount filters[FLEXIBLE_ARRAY_MEMBER];	/* one a reducer */
} SsdparStarCounters;

extern Size ssdpar_star_counters_size(int nreducers);
extern void ssdpar_star_counters_add(SsdparStarCounters *total,
									 const SsdparStarCounters *counters,
									 int nreducers);

#endif							/* SSDPAR_STAR_COUNTERS_H */
