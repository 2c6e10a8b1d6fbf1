/*
 * counters.h
 *		What ssdpar counts: of this session, of each database.
 *
 * Prefetching first, then the measuring of row counts.
 *
 * Counting never waits and never fails.  Without shared memory (the library
 * is not in shared_preload_libraries) only the session's own are kept.
 */
#ifndef SSDPAR_COUNTERS_H
#define SSDPAR_COUNTERS_H

#include "datatype/timestamp.h"

/*
 * Requests are ranges of blocks.  Those sent to the daemon end up in one of
 * served, cached, stale and dropped; common/protocol.h has the rules.
 */
typedef enum SsdparCounter
{
	SSDPAR_COUNT_REQUESTS,		/* sent to the daemon */
	SSDPAR_COUNT_SERVED,		/* read from the device */
	SSDPAR_COUNT_CACHED,		/* was in the page cache already */
	SSDPAR_COUNT_STALE,			/* the file was gone or shorter */
	SSDPAR_COUNT_DROPPED,		/* cancelled, or the daemon had no room */
	SSDPAR_COUNT_WASTED,		/* announced, but the scan ended before */
	SSDPAR_COUNT_BYTES,			/* bytes that the daemon read */
	SSDPAR_COUNT_FALLBACKS,		/* not sent: no daemon, or its socket full */
	SSDPAR_COUNT_LOCAL,			/* blocks asked of the server itself */
	SSDPAR_COUNT_YIELDS,		/* times that reads began to yield to a write */
	SSDPAR_COUNT_YIELDED_US,	/* microseconds for which they did */

	SSDPAR_COUNT_MEASURED,		/* statements with row counts measured */
	SSDPAR_COUNT_REPLANNED,		/* of these, planned again for it */
	SSDPAR_COUNT_ROW_COUNTS,	/* measured, of tables and joins */
	SSDPAR_COUNT_MEASURING,		/* microseconds that it took */
	SSDPAR_COUNT_COMPARED,		/* row counts whose truth is known */
	SSDPAR_COUNT_ASSUMED_ERROR, /* sums of their errors (row_errors.c) in what
								 * core had assumed, and in what was planned
								 * with */
	SSDPAR_COUNT_PLANNED_ERROR,
	SSDPAR_COUNTERS
} SsdparCounter;

#define SSDPAR_PREFETCH_COUNTERS (SSDPAR_COUNT_LOCAL + 1)

typedef struct SsdparTally
{
	uint64		value[SSDPAR_COUNTERS];
} SsdparTally;

/* Add to a counter; other processes see it from the next flush on. */
extern void ssdpar_count(SsdparCounter counter, uint64 amount);

/* Counted in this process since it began, flushed or not. */
extern uint64 ssdpar_counted(SsdparCounter counter);

/* Show to all processes what was counted here since the last flush. */
extern void ssdpar_counters_flush(void);

/*
 * Counted since this session began, including its parallel workers, as far as
 * flushed.
 */
extern void ssdpar_counters_session(SsdparTally *tally);

/* Are the counters of all sessions kept? */
extern bool ssdpar_counters_shared(void);

/*
 * The counters of the database in place i of all places, and its OID (0:
 * those for which there was no place).  False past the last one.
 */
extern bool ssdpar_counters_get(int i, Oid *database, SsdparTally *tally);

/* When all counters were zero: the last reset, or when counting began. */
extern TimestampTz ssdpar_counters_since(void);

extern void ssdpar_counters_reset(void);

/* For the hooks of the same names. */
extern void ssdpar_counters_request_shmem(void);
extern void ssdpar_counters_attach_shmem(void);

#endif							/* SSDPAR_COUNTERS_H */
