/*
 * ssdsim_load.h
 *		Closed loops: programs that keep a number of requests outstanding, and
 *		make the next request with each answer.
 */
#ifndef SSDSIM_LOAD_H
#define SSDSIM_LOAD_H

#include "ssdsim_chooser.h"
#include "ssdsim_result.h"

#define SSDSIM_MAX_LOOPS 16
#define SSDSIM_MAX_DEPTH 65536

typedef struct SsdsimLoad
{
	SsdsimLoop	loops[SSDSIM_MAX_LOOPS];
	int			nloops;
	double		rate;			/* requests per second of an open loop; 0:
								 * closed loops */
	double		burst;			/* that arrive at once, on average */
	uint64_t	requests;		/* all loops together end after these, */
	int64_t		time;			/* or when this much time has passed */
	uint64_t	seed;
} SsdsimLoad;

/* Runs them concurrently on an unused array. */
extern void ssdsim_load_run(const SsdsimLoad *load, SsdsimRun *run);

#endif							/* SSDSIM_LOAD_H */
