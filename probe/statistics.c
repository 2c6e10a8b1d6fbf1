/*
 * statistics.c
 *		Latency histogram, median and spread.
 *
 * Pure arithmetic: no ring, no clock, no file.  The histogram has buckets
 * instead of storing the samples, because on a fast device there are too many
 * of them to sort.
 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
ssdpar_probe_histogram_reset(ProbeHistogram *histogram)
{
	memset(histogram, 0, sizeof(*histogram));
}

/*
 * Values below HISTOGRAM_SUB have one bucket each.  Above, the bucket consists
 * of the position of the highest bit and the HISTOGRAM_SUB_BITS bits after it.
 */
static int
bucket_of(uint64_t value)
{
	int			shift;

	if (value < HISTOGRAM_SUB)
		return (int) value;
	if (value >= UINT64_C(1) << HISTOGRAM_MAX_BITS)
		return HISTOGRAM_BUCKETS - 1;

	/* value >> shift has its highest bit at HISTOGRAM_SUB_BITS */
	shift = 63 - __builtin_clzll(value) - HISTOGRAM_SUB_BITS;
	return (shift + 1) * HISTOGRAM_SUB +
		(int) ((value >> shift) - HISTOGRAM_SUB);
}

/* The inverse of bucket_of: the middle of the values in the bucket. */
static double
bucket_middle(int bucket)
{
	int			shift = bucket / HISTOGRAM_SUB - 1;
	double		low;

	if (shift < 0)
		return bucket;

	/* mean of the integers from low on, as many as the bucket is wide */
	low = ldexp(HISTOGRAM_SUB + bucket % HISTOGRAM_SUB, shift);
	return low + (ldexp(1.0, shift) - 1.0) / 2.0;
}

void
ssdpar_probe_histogram_add(ProbeHistogram *histogram, uint64_t value)
{
	histogram->count[bucket_of(value)]++;
	histogram->total++;
}

double
ssdpar_probe_histogram_quantile(const ProbeHistogram *histogram,
								double fraction)
{
	uint64_t	wanted;
	uint64_t	seen = 0;

	if (histogram->total == 0)
		return 0.0;

	/* nearest rank: the smallest value such that this many are not above it */
	wanted = (uint64_t) ceil(fraction * (double) histogram->total);
	if (wanted < 1)
		wanted = 1;
	for (int i = 0; i < HISTOGRAM_BUCKETS; i++)
	{
		seen += histogram->count[i];
		if (seen >= wanted)
			return bucket_middle(i);
	}
	return bucket_middle(HISTOGRAM_BUCKETS - 1);
}

/* Not a - b, because a difference below 1 would become 0 as an int. */
static int
compare_doubles(const void *left, const void *right)
{
	double		a = *(const double *) left;
	double		b = *(const double *) right;

	return (a > b) - (a < b);
}

double
ssdpar_probe_median(double *values, int count)
{
	qsort(values, (size_t) count, sizeof(double), compare_doubles);
	if (count % 2 == 1)
		return values[count / 2];
	return (values[count / 2 - 1] + values[count / 2]) / 2.0;
}

double
ssdpar_probe_spread(double *values, int count)
{
	double		median = ssdpar_probe_median(values, count);

	/*
	 * Sorted by now.  The whole range is used instead of a deviation, because
	 * an outlier among three passes should be visible instead of averaged.
	 */
	if (count == 1)
		return 1.0;
	if (median <= 0.0)
		return 0.0;
	return (values[count - 1] - values[0]) / median;
}
