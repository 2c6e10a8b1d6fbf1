/*
 * ssdsim_result.h
 *		A run of an array, and its result.
 */
#ifndef SSDSIM_RESULT_H
#define SSDSIM_RESULT_H

#include "ssdsim_array.h"
#include "ssdsim_histogram.h"
#include "ssdsim_host.h"

typedef struct SsdsimResult
{
	int64_t		time;			/* until the last request was complete */
	uint64_t	requests;
	uint64_t	bytes;
	uint64_t	late;			/* of a trace: not submitted on time */
	int64_t		waited;			/* sum, ns, for a place in the device's queue */
	SsdsimHistogram latency[SSDSIM_KINDS];	/* from when they were requested */
	SsdsimHistogram all;		/* of all kinds */
	SsdsimCounts counts;
	uint64_t	zones_suspected;	/* by the host's scheduler, */
	uint64_t	zones_blocked;	/* and found to collect */
} SsdsimResult;

/* The argument of ssdsim_run_done(). */
typedef struct SsdsimRun
{
	SsdsimSpec	spec;
	SsdsimArray *array;
	SsdsimHost *host;			/* schedules requests; NULL: none */
	int64_t		now;
	uint64_t	outstanding;	/* requests */
	SsdsimResult result;

	/* After each request, which may be reused and submitted. */
	void		(*next) (struct SsdsimRun *run, SsdsimRequest *request,
						 int64_t now);
	void	   *argument;
} SsdsimRun;

/*
 * A new array, written full in order, then overwritten at random AGE times; if
 * AGE is negative, nothing is written.
 */
extern void ssdsim_run_begin(SsdsimRun *run, const SsdsimSpec *spec,
							 const SsdsimPolicy *policy, uint64_t seed,
							 double age);

/*
 * From now on POLICY schedules requests, and gives the device DEPTH at a time;
 * to be called before the first one.
 */
extern void ssdsim_run_schedule(SsdsimRun *run,
								const SsdsimHostPolicy *policy,
								int64_t depth);

/* Submits a request at time NOW, which is not before the last event. */
extern void ssdsim_run_submit(SsdsimRun *run, SsdsimRequest *request,
							  int64_t now);

/* Handles the next event, which exists. */
extern void ssdsim_run_step(SsdsimRun *run);

/* Handles all events up to TIME. */
extern void ssdsim_run_until(SsdsimRun *run, int64_t time);

/*
 * Runs until the last request is complete, ignoring what the device would do
 * after it; then the array is freed and the result complete.
 */
extern void ssdsim_run_end(SsdsimRun *run);

/* Prints it as lines of a name and a value. */
extern void ssdsim_result_print(const SsdsimRun *run, FILE *file);

#endif							/* SSDSIM_RESULT_H */
