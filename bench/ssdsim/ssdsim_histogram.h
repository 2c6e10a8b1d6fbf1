/*
 * ssdsim_histogram.h
 *		A histogram of durations, to within 1.6 %, in little memory.
 */
#ifndef SSDSIM_HISTOGRAM_H
#define SSDSIM_HISTOGRAM_H

#include <stdint.h>

#define SSDSIM_HISTOGRAM_STEPS 64	/* per doubling */

typedef struct SsdsimHistogram
{
	uint64_t	count;
	double		sum;
	int64_t		most;
	uint64_t	buckets[SSDSIM_HISTOGRAM_STEPS * 59];
} SsdsimHistogram;

/* TIME is not negative. */
extern void ssdsim_histogram_add(SsdsimHistogram *histogram, int64_t time);

/* The maximum of the shortest SHARE (0 to 1) of all; 0 if there are none. */
extern int64_t ssdsim_histogram_at(const SsdsimHistogram *histogram,
								   double share);

#endif							/* SSDSIM_HISTOGRAM_H */
