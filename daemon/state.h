/*
 * state.h
 *		State shared by sessions, dispatch and status.
 *
 * The daemon works in turns of one loop (server.c).  All events of one turn
 * have the same time, so that no two readings of the clock differ within it.
 */
#ifndef SSDPARD_STATE_H
#define SSDPARD_STATE_H

#include "files.h"
#include "latency.h"
#include "reader_method.h"
#include "scheduler.h"
#include "trace.h"

/* Totals since the start, over all sessions; see SsdparWireStatus. */
typedef struct SsdpardTotals
{
	uint64_t	outcomes[SSDPARD_OUTCOMES]; /* counts of ranges */
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
	SsdpardTrace trace;			/* of the reads given to devices */
	uint64_t	refusal_logged; /* us, last one; 0: none yet */
} SsdpardState;

#endif							/* SSDPARD_STATE_H */
