/*
 * page.c
 *		A device in pictures: one HTML page that needs nothing else.
 *
 * ssdpar-probe --report and ssdpar.device_report() make it of the same points,
 * which may be any that a profile holds: what was not measured is not drawn.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "compared.h"
#include "plan.h"
#include "summary.h"

/* ----- which points are drawn ----- */

/* Sizes or depths that were measured, ascending. */
typedef struct Steps
{
	int			count;
	int			values[64];
} Steps;

static void
add_step(Steps *steps, int value)
{
	int			at = steps->count;

	for (int i = 0; i < steps->count; i++)
		if (steps->values[i] == value)
			return;
	if (steps->count == (int) (sizeof(steps->values) / sizeof(int)))
		return;
	for (; at > 0 && steps->values[at - 1] > value; at--)
		steps->values[at] = steps->values[at - 1];
	steps->values[at] = value;
	steps->count++;
}

/* At most COUNT of them, spread evenly, the first and the last among them. */
static void
thin_out(Steps *steps, int count)
{
	if (steps->count <= count)
		return;
	for (int i = 0; i < count; i++)
		steps->values[i] = steps->values[i * (steps->count - 1) / (count - 1)];
	steps->count = count;
}

static void
find_steps(const ProbeResult *result, ProbeOperation operation,
		   ProbePattern pattern, Steps *sizes, Steps *depths)
{
	sizes->count = depths->count = 0;
	for (int i = 0; i < result->npoints; i++)
	{
		const ProbePoint *point = &result->points[i];

		if (point->operation != operation || point->pattern != pattern)
			continue;
		add_step(sizes, (int) point->request_size);
		add_step(depths, point->queue_depth);
	}
}

static const ProbePoint *
find_point(const ProbeResult *result, ProbeOperation operation,
		   ProbePattern pattern, int size, int depth)
{
	for (int i = 0; i < result->npoints; i++)
	{
		const ProbePoint *point = &result->points[i];

		if (point->operation == operation && point->pattern == pattern &&
			point->request_size == (uint32_t) size &&
			point->queue_depth == depth)
			return point;
	}
	return NULL;
}

/* A logarithm is taken of it. */
static void
add_to_line(ProbeLine *line, double x, double y)
{
	if (!(y > 0.0) || line->npoints == PROBE_CHART_POINTS)
		return;
	line->x[line->npoints] = x;
	line->y[line->npoints++] = y;
}

/* ----- charts ----- */

/* What a chart shows, and the other of size and depth as its x axis. */
typedef struct Wanted
{
	const char *title;
	const char *note;
	ProbeOperation operation;
	ProbePattern pattern;
	ProbeValue	value;
	bool		by_size;		/* x is the size, a line a depth */
} Wanted;

static const char *const value_titles[] = {
	[PROBE_VALUE_IOPS] = "requests a second",
	[PROBE_VALUE_MEGABYTES] = "MB a second",
	[PROBE_VALUE_P50] = "microseconds",
	[PROBE_VALUE_P99] = "microseconds",
};

static void
draw_wanted(FILE *out, const ProbeResult *result, const Wanted *wanted)
{
	ProbeChart	chart = {
		.title = wanted->title,
		.note = wanted->note,
		.x_title = wanted->by_size ? "kB a request" : "requests outstanding",
		.y_title = value_titles[wanted->value],
	};
	Steps		sizes;
	Steps		depths;
	Steps	   *lines = wanted->by_size ? &depths : &sizes;
	Steps	   *places = wanted->by_size ? &sizes : &depths;

	find_steps(result, wanted->operation, wanted->pattern, &sizes, &depths);
	thin_out(lines, PROBE_CHART_LINES);
	thin_out(places, PROBE_CHART_POINTS);
	for (int l = 0; l < lines->count; l++)
	{
		ProbeLine  *line = &chart.lines[chart.nlines++];

		if (wanted->by_size)
			snprintf(line->name, sizeof(line->name), "depth %d",
					 lines->values[l]);
		else
			snprintf(line->name, sizeof(line->name), "%d kB",
					 lines->values[l] / 1024);
		for (int i = 0; i < places->count; i++)
		{
			int			size =
				wanted->by_size ? places->values[i] : lines->values[l];
			int			depth =
				wanted->by_size ? lines->values[l] : places->values[i];
			const ProbePoint *point =
				find_point(result, wanted->operation, wanted->pattern, size,
						   depth);

			if (point != NULL)
				add_to_line(line, wanted->by_size ? size / 1024.0 : depth,
							ssdpar_probe_value(point, wanted->value));
		}
	}
	ssdpar_probe_chart(out, &chart);
}

static void
draw_reads(FILE *out, const ProbeResult *result)
{
	static const Wanted wanted[] = {
		{"Random reads a second, by depth",
			"A query that waits for each page stands at depth 1. What lies "
			"between there and where the line turns flat is what reading "
			"ahead can win.",
		PROBE_READ, PROBE_RANDOM, PROBE_VALUE_IOPS, false},
		{"Random reads, bytes by size of request",
			"Where the lines of small requests come close to those of large "
			"ones, single rows cost hardly more than a scan.",
		PROBE_READ, PROBE_RANDOM, PROBE_VALUE_MEGABYTES, true},
		{"Sequential reads, bytes by size of request",
			"How large requests have to be for a scan to be as fast as it "
			"can.",
		PROBE_READ, PROBE_SEQUENTIAL, PROBE_VALUE_MEGABYTES, true},
		{"Latency of random reads, median",
			"It stays level up to the depth that the device serves at once; "
			"beyond that requests wait for each other.",
		PROBE_READ, PROBE_RANDOM, PROBE_VALUE_P50, false},
		{"Latency of random reads, 99th percentile",
			"Far above the median: the device, or what it shares, stalls at "
			"times.",
		PROBE_READ, PROBE_RANDOM, PROBE_VALUE_P99, false},
	};

	fputs("<h2>Reads</h2>\n<div class=\"charts\">\n", out);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		draw_wanted(out, result, &wanted[i]);
	fputs("</div>\n", out);
}

/* One line of VALUE by the share of writes, from the read without any. */
static void
draw_mixed_value(FILE *out, const ProbeResult *result, const char *title,
				 const char *note, ProbeValue value)
{
	ProbeChart	chart = {
		.title = title,
		.note = note,
		.x_title = "percent of requests that are writes",
		.y_title = value_titles[value],
		.linear_x = true,
		.nlines = 1,
	};
	ProbeLine  *line = &chart.lines[0];
	const ProbePoint *alone =
		find_point(result, PROBE_READ, PROBE_RANDOM, PROBE_MIXED_SIZE,
				   PROBE_MIXED_DEPTH);

	snprintf(line->name, sizeof(line->name), "reads of %d kB",
			 PROBE_MIXED_SIZE / 1024);
	if (alone != NULL)
		add_to_line(line, 0, ssdpar_probe_value(alone, value));
	for (int i = 0; i < result->nmixed; i++)
		add_to_line(line, result->mixed[i].write_share,
					ssdpar_probe_value(&result->mixed[i], value));
	ssdpar_probe_chart(out, &chart);
}

static void
draw_writes(FILE *out, const ProbeResult *result)
{
	static const Wanted wanted[] = {
		{"Random writes a second, by depth",
			"A cache of the device may take them at first; what it can keep "
			"up shows only in hours.",
		PROBE_WRITE, PROBE_RANDOM, PROBE_VALUE_IOPS, false},
		{"Sequential writes, bytes by size of request",
			"Checkpoints, WAL and bulk loads.",
		PROBE_WRITE, PROBE_SEQUENTIAL, PROBE_VALUE_MEGABYTES, true},
	};
	Steps		sizes;
	Steps		depths;

	fputs("<h2>Writes, and reads beside them</h2>\n", out);
	find_steps(result, PROBE_WRITE, PROBE_RANDOM, &sizes, &depths);
	if (sizes.count == 0)
		fputs("<p>Writes were not measured: "
			  "<code>ssdpar-probe --writes</code> does.</p>\n", out);
	if (result->nmixed == 0)
		fputs("<p>Reads beside writes were not measured: "
			  "<code>ssdpar-probe --writes --report=FILE</code> does.</p>\n",
			  out);
	fputs("<div class=\"charts\">\n", out);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		draw_wanted(out, result, &wanted[i]);
	if (result->nmixed > 0)
	{
		draw_mixed_value(out, result, "Reads a second beside writes",
						 "16 random requests outstanding, so many of them "
						 "writes. Where the line falls faster than the share "
						 "of reads, writes hold them up.", PROBE_VALUE_IOPS);
		draw_mixed_value(out, result,
						 "Latency of reads beside writes, 99th percentile",
						 "Where it rises steeply, WAL and temporary files on "
						 "another device spare the reads.", PROBE_VALUE_P99);
	}
	fputs("</div>\n", out);
}

static void
draw_compared(FILE *out, const ProbeResult *result)
{
	ProbeChart	chart = {
		.title = "Random reads of 8 kB a second, by depth",
		.note = "The others were not measured but computed, by ssdsim, from "
			"what data sheets, tests and papers say of them: for a device that "
			"is full, and beside nothing else.",
		.x_title = "requests outstanding",
		.y_title = "reads a second",
	};
	ProbeLine  *line = &chart.lines[0];
	Steps		sizes;
	Steps		depths;

	find_steps(result, PROBE_READ, PROBE_RANDOM, &sizes, &depths);
	line->strong = true;
	snprintf(line->name, sizeof(line->name), "this device");
	for (int d = 0; d < depths.count; d++)
	{
		const ProbePoint *point =
			find_point(result, PROBE_READ, PROBE_RANDOM,
					   PROBE_SUMMARY_RANDOM, depths.values[d]);

		if (point != NULL)
			add_to_line(line, depths.values[d], point->iops);
	}
	if (line->npoints == 0)
		return;					/* 8 kB were not measured */
	for (int i = 0; i < PROBE_COMPARED_DEVICES; i++)
	{
		line = &chart.lines[i + 1];
		snprintf(line->name, sizeof(line->name), "%s",
				 ssdpar_probe_compared[i].name);
		for (int d = 0; d < PROBE_COMPARED_DEPTHS; d++)
			add_to_line(line, ssdpar_probe_compared_depths[d],
						ssdpar_probe_compared[i].iops[d]);
	}
	chart.nlines = PROBE_COMPARED_DEVICES + 1;
	fputs("<h2>Beside other devices</h2>\n<div class=\"charts\">\n", out);
	ssdpar_probe_chart(out, &chart);
	fputs("<dl>\n", out);
	for (int i = 0; i < PROBE_COMPARED_DEVICES; i++)
		fprintf(out, "<dt>%s</dt><dd>%s</dd>\n",
				ssdpar_probe_compared[i].name,
				ssdpar_probe_compared[i].about);
	fputs("</dl>\n</div>\n", out);
}

/* ----- text ----- */

static void
write_head(FILE *out, const char *place)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		  "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
		  "content=\"width=device-width, initial-scale=1\">\n<title>", out);
	ssdpar_probe_html_text(out, place);
	fputs(" - ssdpar device report</title>\n<style>\n"
		  ":root{color-scheme:light dark;--text:#1c2024;--grid:#d5d9de;"
		  "--back:#fff}\n"
		  "@media (prefers-color-scheme: dark){:root{--text:#e4e7ea;"
		  "--grid:#3b4148;--back:#15181b}}\n"
		  "body{font:16px/1.5 sans-serif;color:var(--text);"
		  "background:var(--back);max-width:85em;margin:1em auto;"
		  "padding:0 1em}\n"
		  "figure{margin:0 0 1em}figcaption{font-weight:bold}\n"
		  "figure p{margin:.2em 0}\n"
		  ".charts{display:grid;gap:1em 2em;"
		  "grid-template-columns:repeat(auto-fit,minmax(min(34em,100%),1fr))}\n"
		  "table{border-collapse:collapse}"
		  "td,th{padding:.1em .8em .1em 0;text-align:left}"
		  "td.n{text-align:right}\n"
		  "dt{font-weight:bold}details{overflow-x:auto}\n", out);
	ssdpar_probe_chart_style(out);
	fputs("</style>\n</head>\n<body>\n<h1>", out);
	ssdpar_probe_html_text(out, place);
	fputs("</h1>\n", out);
}

/* What is not known is left out. */
static void
write_device(FILE *out, const ProbeDevice *device, time_t measured_at)
{
	char		when[32] = "";
	struct tm	utc;

	fputs("<p>", out);
	ssdpar_probe_html_text(out, device->model[0] != '\0' ? device->model
						   : "A device without a name");
	if (device->disk[0] != '\0')
	{
		fputs(", ", out);
		ssdpar_probe_html_text(out, device->disk);
	}
	if (device->size_bytes >= 0)
		fprintf(out, ", %.0f GB", (double) device->size_bytes / 1e9);
	if (device->rotational > 0)
		fputs(", rotating", out);
	fputs("; ", out);
	ssdpar_probe_html_text(out, device->file_system);
	if (device->read_ahead_kb >= 0)
		fprintf(out, "; read-ahead of the kernel %d kB",
				device->read_ahead_kb);
	if (gmtime_r(&measured_at, &utc) != NULL)
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M UTC", &utc);
	fprintf(out, ". Measured %s by ssdpar " SSDPAR_PROBE_VERSION ".</p>\n",
			when);
}

static void
write_summary(FILE *out, const ProbeResult *result)
{
	ProbeSummary summary;

	ssdpar_probe_summarize(result->points, result->npoints, &summary);
	fputs("<table>\n", out);
	if (summary.saturation_depth > 0)
		fprintf(out,
				"<tr><th>most random reads of 8 kB</th>"
				"<td class=\"n\">%.0f a second</td></tr>\n"
				"<tr><th>nine tenths of that from depth</th>"
				"<td class=\"n\">%d</td></tr>\n",
				summary.peak_iops, summary.saturation_depth);
	fprintf(out,
			"<tr><th>most bytes read</th><td class=\"n\">%.0f MB a second"
			"</td></tr>\n", summary.peak_bytes_per_second / 1e6);
	if (summary.ratio_at_one > 0)
		fprintf(out,
				"<tr><th>random 8 kB by sequential 256 kB, depth 1</th>"
				"<td class=\"n\">%.0f %%</td></tr>\n",
				summary.ratio_at_one * 100);
	if (summary.ratio_at_saturation > 0)
		fprintf(out,
				"<tr><th>the same at depth %d</th>"
				"<td class=\"n\">%.0f %%</td></tr>\n",
				summary.saturation_depth, summary.ratio_at_saturation * 100);
	fprintf(out,
			"<tr><th>confidence</th><td class=\"n\">%s</td></tr>\n</table>\n",
			ssdpar_probe_confidence_text(&summary).text);
}

static void
write_point(FILE *out, const ProbePoint *point)
{
	fprintf(out,
			"<tr><td>%s</td><td>%s</td><td class=\"n\">%u</td>"
			"<td class=\"n\">%d</td><td class=\"n\">%d</td>"
			"<td class=\"n\">%.0f</td><td class=\"n\">%.1f</td>"
			"<td class=\"n\">%.0f</td><td class=\"n\">%.0f</td>"
			"<td class=\"n\">%.0f</td></tr>\n",
			ssdpar_probe_operation_name(point->operation),
			ssdpar_probe_pattern_name(point->pattern),
			point->request_size / 1024, point->queue_depth,
			point->write_share, point->iops, point->bytes_per_second / 1e6,
			point->latency_p50, point->latency_p99, point->spread * 100);
}

static void
write_points(FILE *out, const ProbeResult *result)
{
	fputs("<h2>Numbers</h2>\n<details>\n<summary>All points</summary>\n"
		  "<table>\n<tr><th>operation</th><th>pattern</th><th>kB</th>"
		  "<th>depth</th><th>% writes beside</th><th>a second</th>"
		  "<th>MB/s</th><th>median, us</th><th>99th percentile, us</th>"
		  "<th>spread, %</th></tr>\n", out);
	for (int i = 0; i < result->npoints; i++)
		write_point(out, &result->points[i]);
	for (int i = 0; i < result->nstreams; i++)
		write_point(out, &result->streams[i]);
	for (int i = 0; i < result->nmixed; i++)
		write_point(out, &result->mixed[i]);
	fputs("</table>\n</details>\n</body>\n</html>\n", out);
}

char *
ssdpar_probe_page(const char *place, const ProbeResult *result,
				  time_t measured_at)
{
	char	   *text = NULL;
	size_t		length;
	FILE	   *out = open_memstream(&text, &length);
	bool		failed;

	if (out == NULL)
		return NULL;
	write_head(out, place);
	write_device(out, &result->device, measured_at);
	write_summary(out, result);
	draw_reads(out, result);
	draw_writes(out, result);
	draw_compared(out, result);
	write_points(out, result);

	/* memory may run out at any write: one look at the end is enough */
	failed = ferror(out) != 0;
	if (fclose(out) == 0 && !failed)
		return text;
	free(text);
	return NULL;
}
