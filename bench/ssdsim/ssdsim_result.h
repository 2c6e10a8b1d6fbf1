/*
 * ssdsim_result.h
 *		A run of an array, and what it gave.
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
	uint64_t	late;			/* of a trace: not handed in on time */
	int64_t		waited;			/* sum, ns, for a place in the device's queue */
	SsdsimHistogram latency[SSDSIM_KINDS];	/* from when they were asked for */
	SsdsimHistogram all;		/* of all kinds */
	SsdsimCounts counts;
	uint64_t	zones_suspected;	/* by the host's scheduler, */
	uint64_t	zones_blocked;	/* and found to collect */
} SsdsimResult;

/* It is what ssdsim_run_done() has as its argument. */
typedef struct SsdsimRun
{
	SsdsimSpec	spec;
	SsdsimArray *array;
	SsdsimHost *host;			/* schedules what is asked for; NULL: nobody */
	int64_t		now;
	uint64_t	outstanding;	/* requests */
	SsdsimResult result;

	/* After each request: it may be used again, and handed in. */
	void		(*next) (struct SsdsimRun *run, SsdsimRequest *request,
						 int64_t now);
	void	   *argument;
} SsdsimRun;

/*
 * A new array, written full in order, then overwritten AGE times by chance;
 * with AGE negative nothing is written.
 */
extern void ssdsim_run_begin(SsdsimRun *run, const SsdsimSpec *spec,
							 const SsdsimPolicy *policy, uint64_t seed,
							 double age);

/*
 * From now on POLICY schedules what is asked for, and gives the device DEPTH
 * requests at a time; before the first one.
 */
extern void ssdsim_run_schedule(SsdsimRun *run,
								const SsdsimHostPolicy *policy,
								int64_t depth);

/* Hand in a request at time NOW, which is not before what has happened. */
extern void ssdsim_run_submit(SsdsimRun *run, SsdsimRequest *request,
							  int64_t now);

/* Let the next thing happen; there is one. */
extern void ssdsim_run_step(SsdsimRun *run);

/* Let everything happen that is before or at TIME. */
extern void ssdsim_run_until(SsdsimRun *run, int64_t time);

/*
 * Until the last request is complete, whatever the device would do on its own
 * after it; then the array is gone and the result complete.
 */
extern void ssdsim_run_end(SsdsimRun *run);

/* Print it as lines of a name and a value. */
extern void ssdsim_result_print(const SsdsimRun *run, FILE *file);

#endif							/* SSDSIM_RESULT_H */
