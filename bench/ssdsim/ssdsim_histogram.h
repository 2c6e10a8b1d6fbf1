/*
 * ssdsim_histogram.h
 *		How often something took how long, to within 1.6 %, in little memory.
 */
#ifndef SSDSIM_HISTOGRAM_H
#define SSDSIM_HISTOGRAM_H

#include <stdint.h>

#define SSDSIM_HISTOGRAM_STEPS 64	/* to each doubling */

typedef struct SsdsimHistogram
{
	uint64_t	count;
	double		sum;
	int64_t		most;
	uint64_t	buckets[SSDSIM_HISTOGRAM_STEPS * 59];
} SsdsimHistogram;

/* TIME is not negative. */
extern void ssdsim_histogram_add(SsdsimHistogram *histogram, int64_t time);

/* What SHARE (0 to 1) of all took at most; 0 when there are none. */
extern int64_t ssdsim_histogram_at(const SsdsimHistogram *histogram,
								   double share);

#endif							/* SSDSIM_HISTOGRAM_H */
