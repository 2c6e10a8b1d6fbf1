/*
 * summary.c
 *		Summarizes a sweep for a person.
 *
 * The sizes are fixed: 8 kB is PostgreSQL's page, 256 kB the size of
 * read-ahead, and only equal sizes can be compared between devices.
 */
#include "summary.h"

#include <stdio.h>
#include <string.h>

#include "statistics.h"

/* More points than any option can request. */
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

/*
 * How close random reads come to sequential bandwidth; 0: not measured.  If
 * this is close to 1, order does not matter, and fetching rows by an index
 * costs no more per byte than reading the table.
 */
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

/*
 * The smallest depth with 90 % of the peak: beyond it latency grows with the
 * depth and throughput hardly does (Little's law).
 */
static int
find_saturation(const ProbePoint *points, int npoints, double peak)
{
	int			depth = 0;

	for (int i = 0; i < npoints; i++)
		if (points[i].operation == PROBE_READ &&
			points[i].pattern == PROBE_RANDOM &&
			points[i].request_size == PROBE_SUMMARY_RANDOM &&
			points[i].iops >= 0.9 * peak &&
			(depth == 0 || points[i].queue_depth < depth))
			depth = points[i].queue_depth;
	return depth;
}

void
ssdpar_probe_summarize(const ProbePoint *points, int npoints,
					   ProbeSummary *summary)
{
	double		spreads[MOST_POINTS];
	int			nspreads = 0;

	memset(summary, 0, sizeof(*summary));
	find_peaks(points, npoints, summary);
	summary->saturation_depth =
		find_saturation(points, npoints, summary->peak_iops);
	summary->ratio_at_one = bandwidth_ratio(points, npoints, 1);
	summary->ratio_at_saturation =
		bandwidth_ratio(points, npoints, summary->saturation_depth);

	/*
	 * The median: half of the points repeat at least this well.  A mean would
	 * be dominated by the few points measured during a disturbance.
	 */
	for (int i = 0; i < npoints && nspreads < MOST_POINTS; i++)
		if (points[i].operation == PROBE_READ)
			spreads[nspreads++] = points[i].spread;
	if (nspreads > 0)
		summary->median_spread = ssdpar_probe_median(spreads, nspreads);
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

ProbeConfidenceText
ssdpar_probe_confidence_text(const ProbeSummary *summary)
{
	ProbeConfidenceText confidence;

	snprintf(confidence.text, sizeof(confidence.text),
			 "%s: half of the points repeat within %.0f %%",
			 ssdpar_probe_confidence_word(summary->confidence),
			 summary->median_spread * 100.0);
	return confidence;
}

double
ssdpar_probe_value(const ProbePoint *point, ProbeValue value)
{
	switch (value)
	{
		case PROBE_VALUE_IOPS:
			return point->iops;
		case PROBE_VALUE_MEGABYTES:
			return point->bytes_per_second / 1e6;
		case PROBE_VALUE_P50:
			return point->latency_p50;
		case PROBE_VALUE_P99:
			return point->latency_p99;
	}
	return 0;
}
