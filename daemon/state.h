/*
 * state.h
 *		What sessions, dispatch and status have in common.  A type alone.
 *
 * The daemon works in turns of one loop (server.c).  Whatever happens in one
 * turn happens at one time: no two looks at the clock disagree within it.
 */
#ifndef SSDPARD_STATE_H
#define SSDPARD_STATE_H

#include "files.h"
#include "latency.h"
#include "reader_method.h"
#include "scheduler.h"
#include "trace.h"

/* Counted since the start, for all sessions; see SsdparWireStatus. */
typedef struct SsdpardTotals
{
	uint64_t	outcomes[SSDPARD_OUTCOMES]; /* of ranges */
	uint64_t	bytes_read;
	uint64_t	errors;
	uint64_t	short_reads;
	uint64_t	refused;
} SsdpardTotals;

typedef struct SsdpardState
{
	uint64_t	started;		/* us */
	uint64_t	now;			/* us, at the beginning of this turn */
	uint64_t	turn;			/* counts from 1 */
	SsdpardScheduler *scheduler;
	SsdpardReader *reader;
	SsdpardFiles files;
	SsdpardTotals totals;
	SsdpardRecent recent;		/* latencies */
	SsdpardTrace trace;			/* of the reads that devices were given */
	uint64_t	refusal_logged; /* us, the last one; 0: none yet */
} SsdpardState;

#endif							/* SSDPARD_STATE_H */
