/*
 * ssdsim_histogram.c
 *		Buckets that are a 64th of the power of two below them wide.
 */
#include "ssdsim_histogram.h"

#include <math.h>

#define STEPS SSDSIM_HISTOGRAM_STEPS
#define STEP_BITS 6

/* Exact below 64; above, the top seven bits and their position. */
static int
bucket_of(int64_t time)
{
	int			shift;

	if (time < STEPS)
		return (int) time;
	shift = 63 - __builtin_clzll((uint64_t) time) - STEP_BITS;
	return (shift + 1) * STEPS + (int) (time >> shift) - STEPS;
}

/* The longest time of a bucket. */
static int64_t
end_of(int bucket)
{
	int			shift = bucket / STEPS - 1;

	if (shift < 0)
		return bucket;
	return (((int64_t) (bucket % STEPS + STEPS) + 1) << shift) - 1;
}

void
ssdsim_histogram_add(SsdsimHistogram *histogram, int64_t time)
{
	histogram->count++;
	histogram->sum += (double) time;
	if (time > histogram->most)
		histogram->most = time;
	histogram->buckets[bucket_of(time)]++;
}

int64_t
ssdsim_histogram_at(const SsdsimHistogram *histogram, double share)
{
	uint64_t	wanted = (uint64_t) ceil(share * (double) histogram->count);
	uint64_t	seen = 0;

	if (histogram->count == 0)
		return 0;
	for (int i = 0;; i++)
	{
		seen += histogram->buckets[i];
		if (seen >= wanted && seen > 0)
			return end_of(i) < histogram->most ? end_of(i) : histogram->most;
	}
}
