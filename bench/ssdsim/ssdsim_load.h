/*
 * ssdsim_load.h
 *		What is asked of a device by closed loops: programs that keep a number
 *		of requests outstanding, and ask for the next with each answer.
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
	double		rate;			/* requests a second that come by themselves;
								 * 0: closed loops */
	double		burst;			/* that come at once, on average */
	uint64_t	requests;		/* all loops together end after these, */
	int64_t		time;			/* or when this much time has passed */
	uint64_t	seed;
} SsdsimLoad;

/* Run them side by side on an array that nothing was handed to before. */
extern void ssdsim_load_run(const SsdsimLoad *load, SsdsimRun *run);

#endif							/* SSDSIM_LOAD_H */
