/*
 * statistics.h
 *		Latency histogram, median and spread.  Pure arithmetic.
 */
#ifndef SSDPAR_PROBE_STATISTICS_H
#define SSDPAR_PROBE_STATISTICS_H

#include <stdint.h>

/*
 * Log-linear buckets: every power of two is divided into 32 equal parts, so
 * the error of a percentile is at most 1/32 of its value, from 1 ns to 2^40 ns
 * (18 minutes, used also for longer values), in 9 kB.
 */
#define HISTOGRAM_SUB_BITS 5
#define HISTOGRAM_SUB (1 << HISTOGRAM_SUB_BITS)
#define HISTOGRAM_MAX_BITS 40
#define HISTOGRAM_BUCKETS \
	((HISTOGRAM_MAX_BITS - HISTOGRAM_SUB_BITS + 1) * HISTOGRAM_SUB)

typedef struct ProbeHistogram
{
	uint64_t	total;
	uint64_t	count[HISTOGRAM_BUCKETS];
} ProbeHistogram;

extern void ssdpar_probe_histogram_reset(ProbeHistogram *histogram);
extern void ssdpar_probe_histogram_add(ProbeHistogram *histogram,
									   uint64_t value);

/*
 * The value that the fraction FRACTION (0 to 1) of all added values does not
 * exceed: the middle of its bucket.  0 if nothing was added.
 */
extern double ssdpar_probe_histogram_quantile(const ProbeHistogram *histogram,
											  double fraction);

/* Sorts VALUES (COUNT >= 1) in place and returns their median. */
extern double ssdpar_probe_median(double *values, int count);

/*
 * (max - min) / median of VALUES (COUNT >= 1), which are sorted.  1 for a
 * single value, whose repeatability is unknown.
 */
extern double ssdpar_probe_spread(double *values, int count);

#endif							/* SSDPAR_PROBE_STATISTICS_H */
