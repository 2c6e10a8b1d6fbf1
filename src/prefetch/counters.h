/*
 * counters.h
 *		Counters of this session and of each database.
 *
 * Counting never waits and never fails.  Without shared memory (if the library
 * is not in shared_preload_libraries) only the session's counters are kept.
 */
#ifndef SSDPAR_COUNTERS_H
#define SSDPAR_COUNTERS_H

#include "datatype/timestamp.h"

/*
 * Requests are ranges of blocks.  Those sent to the daemon end up in exactly
 * one of served, cached, stale and dropped; common/protocol.h has the rules.
 */
typedef enum SsdparCounter
{
	SSDPAR_COUNT_REQUESTS,		/* sent to the daemon */
	SSDPAR_COUNT_SERVED,		/* read from the device */
	SSDPAR_COUNT_CACHED,		/* was in the page cache already */
	SSDPAR_COUNT_STALE,			/* the file was gone or too short */
	SSDPAR_COUNT_DROPPED,		/* canceled, or the daemon had no room */
	SSDPAR_COUNT_WASTED,		/* announced, but the scan ended earlier */
	SSDPAR_COUNT_BYTES,			/* bytes read by the daemon */
	SSDPAR_COUNT_FALLBACKS,		/* not sent: no daemon, or its socket full */
	SSDPAR_COUNT_LOCAL,			/* blocks requested from the server itself */
	SSDPAR_COUNT_YIELDS,		/* times that reads began to yield to a write */
	SSDPAR_COUNT_YIELDED_US,	/* microseconds for which they yielded */
	SSDPAR_COUNTERS
} SsdparCounter;

#define SSDPAR_PREFETCH_COUNTERS (SSDPAR_COUNT_LOCAL + 1)

typedef struct SsdparTally
{
	uint64		value[SSDPAR_COUNTERS];
} SsdparTally;

/* Adds to a counter; other processes see it after the next flush. */
extern void ssdpar_count(SsdparCounter counter, uint64 amount);

/* Counted in this process since it started, flushed or not. */
extern uint64 ssdpar_counted(SsdparCounter counter);

/* Adds the counts since the last flush to shared memory. */
extern void ssdpar_counters_flush(void);

/*
 * Counts since this session began, including its parallel workers, as far as
 * they have been flushed.
 */
extern void ssdpar_counters_session(SsdparTally *tally);

/* Are there shared counters of all sessions? */
extern bool ssdpar_counters_shared(void);

/*
 * Returns the counters and the OID of the database in place i (OID 0:
 * databases for which there was no place).  False past the last place.
 */
extern bool ssdpar_counters_get(int i, Oid *database, SsdparTally *tally);

/* When all counters were zero: the last reset, or the start of counting. */
extern TimestampTz ssdpar_counters_since(void);

extern void ssdpar_counters_reset(void);

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_counters_shmem_size(void);
extern void ssdpar_counters_shmem_init(void *part);

#endif							/* SSDPAR_COUNTERS_H */
