/*
 * ssdsim_replay.h
 *		Runs the requests of a trace: by their times, so many at a time, or by
 *		process.
 */
#ifndef SSDSIM_REPLAY_H
#define SSDSIM_REPLAY_H

#include "ssdsim_result.h"
#include "ssdsim_trace.h"

/*
 * Run a trace on an array that nothing was handed to before: each request at
 * its time, or with a DEPTH that many at a time, whatever their times.  False
 * and a message that names the line if it makes no sense.
 */
extern bool ssdsim_replay(SsdsimTrace *trace, int64_t depth, SsdsimRun *run);

/* What the reads after a mark took. */
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
 * Of each mark the reads alone, on a device that was written full in order.
 * Each process has one outstanding: it asks for its next one when the device
 * has completed the one before, and computes for no time.  So the result
 * depends on what was read, by how many processes and in which order, and on
 * nothing that the machine was busy with when it was recorded.  Writes are
 * left out, as the kernel makes them when it likes.
 */
extern bool ssdsim_replay_processes(SsdsimTrace *trace,
									const SsdsimPolicy *policy, uint64_t seed,
									SsdsimTold told, void *argument);

#endif							/* SSDSIM_REPLAY_H */
