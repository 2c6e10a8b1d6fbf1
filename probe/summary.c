/*
 * summary.c
 *		The few numbers a person wants from a sweep.
 */
#include "summary.h"

#include <string.h>

#include "statistics.h"

/* More points than any option can ask for. */
#define MOST_POINTS (4 * PROBE_MAX_SIZES * PROBE_MAX_DEPTHS)

static const ProbePoint *
find_read(const ProbePoint *points, int npoints, ProbePattern pattern,
		  uint32_t size, int depth)
{
	for (int i = 0; i < npoints; i++)
		if (points[i].operation == PROBE_READ &&
			points[i].pattern == pattern && points[i].request_size == size &&
			points[i].queue_depth == depth)
			return &points[i];
	return NULL;
}

static double
bandwidth_ratio(const ProbePoint *points, int npoints, int depth)
{
	const ProbePoint *random = find_read(points, npoints, PROBE_RANDOM,
										 PROBE_SUMMARY_RANDOM, depth);
	const ProbePoint *sequential =
		find_read(points, npoints, PROBE_SEQUENTIAL, PROBE_SUMMARY_SEQUENTIAL,
				  depth);

	if (random == NULL || sequential == NULL ||
		sequential->bytes_per_second <= 0.0)
		return 0.0;
	return random->bytes_per_second / sequential->bytes_per_second;
}

static void
find_peaks(const ProbePoint *points, int npoints, ProbeSummary *summary)
{
	for (int i = 0; i < npoints; i++)
	{
		const ProbePoint *point = &points[i];

		if (point->operation != PROBE_READ)
			continue;
		if (point->bytes_per_second > summary->peak_bytes_per_second)
			summary->peak_bytes_per_second = point->bytes_per_second;
		if (point->pattern == PROBE_RANDOM &&
			point->request_size == PROBE_SUMMARY_RANDOM &&
			point->iops > summary->peak_iops)
			summary->peak_iops = point->iops;
	}
}

static int
find_saturation(const ProbePoint *points, int npoints, double peak)
{
	int depth = 0;

	for (int i = 0; i < npoints; i++)
		if (points[i].operation == PROBE_READ &&
			points[i].pattern == PROBE_RANDOM &&
			points[i].request_size == PROBE_SUMMARY_RANDOM &&
			points[i].iops >= 0.9 * peak &&
			(depth == 0 || points[i].queue_depth < depth))
			depth = points[i].queue_depth;
	return depth;
}

static double
find_spread(const ProbePoint *points, int npoints)
{
	double spreads[MOST_POINTS];
	int count = 0;

	for (int i = 0; i < npoints && count < MOST_POINTS; i++)
		if (points[i].operation == PROBE_READ)
			spreads[count++] = points[i].spread;
	return count == 0 ? 0.0 : ssdpar_probe_median(spreads, count);
}

void
ssdpar_probe_summarize(const ProbePoint *points, int npoints,
					   ProbeSummary *summary)
{
	memset(summary, 0, sizeof(*summary));
	find_peaks(points, npoints, summary);
	summary->saturation_depth =
		find_saturation(points, npoints, summary->peak_iops);
	summary->ratio_at_one = bandwidth_ratio(points, npoints, 1);
	summary->ratio_at_saturation =
		bandwidth_ratio(points, npoints, summary->saturation_depth);
	summary->median_spread = find_spread(points, npoints);
	summary->confidence =
		summary->median_spread < 1.0 ? 1.0 - summary->median_spread : 0.0;
}

const char *
ssdpar_probe_confidence_word(double confidence)
{
	if (confidence >= 0.85)
		return "good";
	return confidence >= 0.65 ? "fair" : "poor";
}
