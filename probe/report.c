/*
 * report.c
 *		A sweep as tables for a person.
 *
 * Points come in the order of plan.c: by operation, pattern, size, depth.
 * The layout may change at any time; programs read --json.
 */
#include "report.h"

#include "plan.h"
#include "summary.h"

typedef double (*PointValue) (const ProbePoint *point);

static double
value_iops(const ProbePoint *point)
{
	return point->iops;
}

static double
value_megabytes(const ProbePoint *point)
{
	return point->bytes_per_second / 1e6;
}

static double
value_p50(const ProbePoint *point)
{
	return point->latency_p50;
}

static double
value_p99(const ProbePoint *point)
{
	return point->latency_p99;
}

/* Points of one operation and pattern stand together, size by size. */
static void
print_grid(FILE *out, const ProbeOptions *options, const ProbePoint *points,
		   const char *title, PointValue value)
{
	fprintf(out, "  %-12s", title);
	for (int d = 0; d < options->ndepths; d++)
		fprintf(out, "%9d", options->depths[d]);
	putc('\n', out);
	for (int s = 0; s < options->nsizes; s++)
	{
		fprintf(out, "  %7d kB  ", (int) (options->sizes[s] / 1024));
		for (int d = 0; d < options->ndepths; d++)
			fprintf(out, "%9.0f", value(&points[s * options->ndepths + d]));
		putc('\n', out);
	}
}

static void
print_pattern(FILE *out, const ProbeOptions *options, const ProbePoint *points)
{
	fprintf(out, "\n%s %s, by request size and queue depth\n",
			ssdpar_probe_pattern_name(points->pattern),
			ssdpar_probe_operation_name(points->operation));
	/* of sequential reads bandwidth is what counts */
	if (points->pattern == PROBE_RANDOM)
		print_grid(out, options, points, "IOPS", value_iops);
	print_grid(out, options, points, "MB/s", value_megabytes);
	print_grid(out, options, points, "p50, us", value_p50);
	print_grid(out, options, points, "p99, us", value_p99);
}

/* One line; what is not known is left out. */
static void
print_device(FILE *out, const ProbeDevice *device)
{
	fprintf(out, "Device %u:%u", device->dev_major, device->dev_minor);
	if (device->disk[0] != '\0')
		fprintf(out, ", %s", device->disk);
	if (device->model[0] != '\0')
		fprintf(out, ", %s", device->model);
	if (device->size_bytes >= 0)
		fprintf(out, ", %.0f GB", (double) device->size_bytes / 1e9);
	if (device->rotational > 0)
		fputs(", rotating", out);
	fprintf(out, "; %s", device->file_system);
	if (device->read_ahead_kb >= 0)
		fprintf(out, "; read-ahead %d kB", device->read_ahead_kb);
	putc('\n', out);
}

/* 0: not measured. */
static void
print_ratio(FILE *out, int depth, double ratio)
{
	if (ratio > 0.0)
		fprintf(out,
				"  random 8 kB reads reach %.0f %% of sequential 256 kB "
				"bandwidth at depth %d\n",
				ratio * 100.0, depth);
}

/* The same numbers as json.c's, in words. */
static void
print_summary(FILE *out, const ProbeResult *result)
{
	ProbeSummary summary;

	ssdpar_probe_summarize(result->points, result->npoints, &summary);
	fputs("\nSummary (reads)\n", out);
	if (summary.saturation_depth > 0)
		fprintf(out,
				"  peak %.0f IOPS of 8 kB; 90 %% of it from depth %d on\n",
				summary.peak_iops, summary.saturation_depth);
	fprintf(out, "  peak %.0f MB/s\n", summary.peak_bytes_per_second / 1e6);
	print_ratio(out, 1, summary.ratio_at_one);
	if (summary.saturation_depth != 1)
		print_ratio(out, summary.saturation_depth,
					summary.ratio_at_saturation);
	fprintf(out,
			"  confidence %s: half of the points repeat within %.0f %%\n",
			ssdpar_probe_confidence_word(summary.confidence),
			summary.median_spread * 100.0);
	fprintf(out, "  took %.1f s, %.1f s of it for the scratch file\n",
			result->seconds, result->fill_seconds);
}

void
ssdpar_probe_report(FILE *out, const ProbeOptions *options,
					const ProbeResult *result)
{
	/* what one pattern of one operation takes; plan.c keeps these together */
	int			grid = options->nsizes * options->ndepths;

	print_device(out, &result->device);
	for (int first = 0; first < result->npoints; first += grid)
		print_pattern(out, options, &result->points[first]);
	print_summary(out, result);
}
