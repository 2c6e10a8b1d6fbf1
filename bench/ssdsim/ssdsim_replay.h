/*
 * ssdsim_replay.h
 *		Runs the requests of a trace: by their times, with a fixed number at a
 *		time, or by process.
 */
#ifndef SSDSIM_REPLAY_H
#define SSDSIM_REPLAY_H

#include "ssdsim_result.h"
#include "ssdsim_trace.h"

/*
 * Runs a trace on an unused array: each request at its time, or with a DEPTH
 * that many at a time, ignoring their times.  False and a message that names
 * the line if it is invalid.
 */
extern bool ssdsim_replay(SsdsimTrace *trace, int64_t depth, SsdsimRun *run);

/* The times of the reads after a mark. */
typedef struct SsdsimReplayed
{
	const char *name;
	uint64_t	requests;
	uint64_t	bytes;
	int			processes;		/* that read anything */
	int64_t		time;			/* until the last read is complete, ns */
} SsdsimReplayed;

/* Called for each mark with a name. */
typedef void (*SsdsimTold) (const SsdsimReplayed *replayed, void *argument);

/*
 * For each mark only the reads, on a device that was written full in order.
 * Each process has one outstanding: it makes its next request when the device
 * has completed the previous one, without computing time.  So the result
 * depends on what was read, by how many processes and in which order, and not
 * on other load of the machine when it was recorded.  Writes are ignored,
 * because the kernel decides when to make them.
 */
extern bool ssdsim_replay_processes(SsdsimTrace *trace,
									const SsdsimPolicy *policy, uint64_t seed,
									SsdsimTold told, void *argument);

#endif							/* SSDSIM_REPLAY_H */
