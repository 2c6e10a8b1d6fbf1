/*
 * ssdsim_result.h
 *		A run of an array, and what it gave.
 */
#ifndef SSDSIM_RESULT_H
#define SSDSIM_RESULT_H

#include "ssdsim_array.h"
#include "ssdsim_histogram.h"

typedef struct SsdsimResult
{
	int64_t		time;			/* until the last request was complete */
	uint64_t	requests;
	uint64_t	bytes;
	uint64_t	late;			/* of a trace: not handed in on time */
	SsdsimHistogram latency[3]; /* by SsdsimKind, from arrival */
	SsdsimCounts counts;
} SsdsimResult;

/* It is what ssdsim_run_done() has as its argument. */
typedef struct SsdsimRun
{
	SsdsimSpec	spec;
	SsdsimArray *array;
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

/* Hand in a request at time NOW, which is not before what has happened. */
extern void ssdsim_run_submit(SsdsimRun *run, SsdsimRequest *request,
							  int64_t now);

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
