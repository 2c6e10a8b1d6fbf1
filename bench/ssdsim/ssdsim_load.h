/*
 * ssdsim_load.h
 *		What is asked of a device by closed loops: programs that keep a number
 *		of requests outstanding, and ask for the next with each answer.
 */
#ifndef SSDSIM_LOAD_H
#define SSDSIM_LOAD_H

#include "ssdsim_result.h"

#define SSDSIM_MAX_LOOPS 16
#define SSDSIM_MAX_DEPTH 65536

typedef struct SsdsimLoop
{
	int64_t		depth;
	double		read_share;		/* 0 to 1; the others write */
	double		random_share;	/* the others follow their own kind's last */
	uint64_t	bytes;			/* of each request */
	uint64_t	first;			/* where it works: address, */
	uint64_t	length;			/* and bytes; at least one request */
} SsdsimLoop;

typedef struct SsdsimLoad
{
	SsdsimLoop	loops[SSDSIM_MAX_LOOPS];
	int			nloops;
	uint64_t	requests;		/* all loops together end after these, */
	int64_t		time;			/* or when this much time has passed */
	uint64_t	seed;
} SsdsimLoad;

/* Run them side by side on an array that nothing was handed to before. */
extern void ssdsim_load_run(const SsdsimLoad *load, SsdsimRun *run);

#endif							/* SSDSIM_LOAD_H */
