/*
 * report.c
 *		Prints a sweep as tables for a person.
 *
 * Points are in the order of plan.c: by operation, pattern, size, depth.  The
 * layout may change at any time; programs should read --json.
 */
#include "report.h"

#include "plan.h"
#include "summary.h"

/* Points of one operation and pattern are adjacent, size by size. */
static void
print_grid(FILE *out, const ProbeOptions *options, const ProbePoint *points,
		   const char *title, ProbeValue value)
{
	fprintf(out, "  %-12s", title);
	for (int d = 0; d < options->ndepths; d++)
		fprintf(out, "%9d", options->depths[d]);
	putc('\n', out);
	for (int s = 0; s < options->nsizes; s++)
	{
		fprintf(out, "  %7d kB  ", (int) (options->sizes[s] / 1024));
		for (int d = 0; d < options->ndepths; d++)
			fprintf(out, "%9.0f",
					ssdpar_probe_value(&points[s * options->ndepths + d],
									   value));
		putc('\n', out);
	}
}

static void
print_pattern(FILE *out, const ProbeOptions *options, const ProbePoint *points)
{
	fprintf(out, "\n%s %s, by request size and queue depth\n",
			ssdpar_probe_pattern_name(points->pattern),
			ssdpar_probe_operation_name(points->operation));
	/* for sequential reads only bandwidth matters */
	if (points->pattern == PROBE_RANDOM)
		print_grid(out, options, points, "IOPS", PROBE_VALUE_IOPS);
	print_grid(out, options, points, "MB/s", PROBE_VALUE_MEGABYTES);
	print_grid(out, options, points, "p50, us", PROBE_VALUE_P50);
	print_grid(out, options, points, "p99, us", PROBE_VALUE_P99);
}

/* A single stream has one request outstanding, and so does each of several. */
static void
print_streams(FILE *out, const ProbeResult *result)
{
	if (result->nstreams == 0)
		return;
	fprintf(out, "\nsequential reads of %d kB at once, by how many\n  %-12s",
			PROBE_STREAM_SIZE / 1024, "MB/s");
	for (int i = 0; i < result->nstreams; i++)
		fprintf(out, "%6d: %.0f", result->streams[i].queue_depth,
				ssdpar_probe_value(&result->streams[i],
								   PROBE_VALUE_MEGABYTES));
	putc('\n', out);
}

/* Prints one line without unknown values. */
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

/* The values of json.c in words. */
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
			"  confidence %s\n", ssdpar_probe_confidence_text(&summary).text);
	fprintf(out, "  took %.1f s, %.1f s of it for the scratch file\n",
			result->seconds, result->fill_seconds);
}

void
ssdpar_probe_report(FILE *out, const ProbeOptions *options,
					const ProbeResult *result)
{
	/* points of one pattern and operation, which are adjacent (plan.c) */
	int			grid = options->nsizes * options->ndepths;

	print_device(out, &result->device);
	for (int first = 0; first < result->npoints; first += grid)
		print_pattern(out, options, &result->points[first]);
	print_streams(out, result);
	print_summary(out, result);
}

/* ----- internal structure ----- */

/* 0: not known. */
static void
print_confidence(FILE *out, double confidence)
{
	fprintf(out, "; of new pairs of reads %.0f %% were as that says\n",
			confidence * 100.0);
}

static void
print_pattern_inside(FILE *out, const ProbeInside *inside)
{
	fprintf(out, "  chunk size           %u kB\n",
			inside->chunk_bytes / 1024);
	fprintf(out, "  interleaving degree  %d", inside->degree);
	if (inside->subdomains > 0)
		fprintf(out, ", each of %d subdomains", inside->subdomains);
	print_confidence(out, inside->confidence);
	fputs("  mapping policy       ", out);
	if (inside->mapping == PROBE_MAPPING_UNKNOWN)
		fputs("cannot be said\n", out);
	else
	{
		fputs(inside->mapping == PROBE_MAPPING_ORDER
			  ? "write order" : "static, by address", out);
		print_confidence(out, inside->mapping_confidence);
	}
	fprintf(out,
			"  two reads at once take %.1f us in two domains, %.1f us in "
			"one\n", inside->apart / 1e3, inside->together / 1e3);
}

void
ssdpar_probe_report_inside(FILE *out, const ProbeInsideResult *result)
{
	const ProbeInside *inside = &result->inside;

	print_device(out, &result->device);
	fputs("\nInside\n", out);
	if (inside->verdict == PROBE_INSIDE_PATTERN)
		print_pattern_inside(out, inside);
	else if (inside->verdict == PROBE_INSIDE_UNCLEAR)
		fputs("  which chunks and domains there are cannot be said: some pairs "
			  "of reads\n  take longer than others, and no pattern explains "
			  "which\n", out);
	else
		fprintf(out,
				"  no pattern shows: two reads at once take %.1f us wherever "
				"they are,\n  give or take %.1f us, within %.0f MB\n",
				inside->apart / 1e3, inside->noise / 1e3,
				(double) inside->window / (1 << 20));
	fprintf(out,
			"  %.1f s, %llu pairs of reads, %.0f MB read, %.0f MB written\n",
			result->seconds, (unsigned long long) inside->pairs,
			(double) inside->bytes_read / (1 << 20),
			(double) inside->bytes_written / (1 << 20));
}
