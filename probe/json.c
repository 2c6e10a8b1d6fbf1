/*
 * json.c
 *		Converts a sweep to a JSON document.
 *
 * The same document is printed by ssdpar-probe --json and accepted by the SQL
 * function ssdpar.store_profile().  A change that a reader could notice
 * requires a new number in "version".
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "json.h"

#include <stdio.h>
#include <stdlib.h>

#include "plan.h"
#include "summary.h"

/* device.c only passes printable ASCII, so two escapes are enough. */
static void
write_text(FILE *out, const char *name, const char *value, const char *end)
{
	fprintf(out, "    \"%s\": ", name);
	if (value[0] == '\0')
		fputs("null", out);
	else
	{
		putc('"', out);
		for (; *value != '\0'; value++)
		{
			if (*value == '"' || *value == '\\')
				putc('\\', out);
			putc(*value, out);
		}
		putc('"', out);
	}
	fputs(end, out);
}

/* Negative means unknown. */
static void
write_number(FILE *out, const char *name, int64_t value)
{
	if (value < 0)
		fprintf(out, "    \"%s\": null,\n", name);
	else
		fprintf(out, "    \"%s\": %lld,\n", name, (long long) value);
}

/*
 * Unknown values are null, never an empty string or -1, so that readers need
 * no special case.
 */
static void
write_device(FILE *out, const ProbeDevice *device)
{
	char		number[32];

	snprintf(number, sizeof(number), "%u:%u", device->dev_major,
			 device->dev_minor);
	fputs("  \"device\": {\n", out);
	write_text(out, "number", number, ",\n");
	write_text(out, "disk", device->disk, ",\n");
	write_text(out, "model", device->model, ",\n");
	write_text(out, "serial", device->serial, ",\n");
	write_text(out, "wwid", device->wwid, ",\n");
	write_number(out, "size_bytes", device->size_bytes);
	fprintf(out, "    \"rotational\": %s,\n",
			device->rotational < 0 ? "null"
			: device->rotational > 0 ? "true"
			: "false");
	write_number(out, "read_ahead_kb", device->read_ahead_kb);
	write_text(out, "file_system", device->file_system, ",\n");
	write_text(out, "identity", device->identity, "\n  },\n");
}

/* Zero means that the required sizes or depths were not measured. */
static void
write_or_null(FILE *out, const char *name, double value, const char *format)
{
	fprintf(out, "    \"%s\": ", name);
	if (value > 0.0)
		fprintf(out, format, value);
	else
		fputs("null", out);
	fputs(",\n", out);
}

/* Derived values, so that readers need not compute them from the points. */
static void
write_summary(FILE *out, const ProbeResult *result)
{
	ProbeSummary summary;

	ssdpar_probe_summarize(result->points, result->npoints, &summary);
	fputs("  \"summary\": {\n", out);
	write_or_null(out, "peak_iops", summary.peak_iops, "%.1f");
	write_or_null(out, "peak_bytes_per_second", summary.peak_bytes_per_second,
				  "%.0f");
	write_or_null(out, "saturation_depth", summary.saturation_depth, "%.0f");
	write_or_null(out, "random_ratio_at_1", summary.ratio_at_one, "%.4f");
	write_or_null(out, "random_ratio_at_saturation",
				  summary.ratio_at_saturation, "%.4f");
	fprintf(out,
			"    \"confidence\": %.4f,\n    \"confidence_word\": \"%s\"\n"
			"  },\n",
			summary.confidence,
			ssdpar_probe_confidence_word(summary.confidence));
}

/*
 * Microseconds with three digits, the precision of the clock.  The decimal
 * separator is a point as in JSON, because LC_NUMERIC is "C" in ssdpar-probe
 * as in a backend.
 */
static void
write_point(FILE *out, const ProbePoint *point, const char *end)
{
	fprintf(out,
			"    {\"operation\": \"%s\", \"pattern\": \"%s\", "
			"\"request_size\": %u, \"queue_depth\": %d, \"iops\": %.3f, "
			"\"bytes_per_second\": %.0f, \"latency_p50\": %.3f, "
			"\"latency_p99\": %.3f, \"spread\": %.4f, \"passes\": %d}%s\n",
			ssdpar_probe_operation_name(point->operation),
			ssdpar_probe_pattern_name(point->pattern), point->request_size,
			point->queue_depth, point->iops, point->bytes_per_second,
			point->latency_p50, point->latency_p99, point->spread,
			point->passes, end);
}

static void
write_points(FILE *out, const char *name, const ProbePoint *points, int count)
{
	fprintf(out, "  \"%s\": [\n", name);
	for (int i = 0; i < count; i++)
		write_point(out, &points[i], i + 1 < count ? "," : "");
	fputs("  ]", out);
}

/*
 * UTC, because a profile may be read in another zone than it was measured in.
 */
static void
write_origin(FILE *out, const char *format, time_t measured_at)
{
	char		when[32] = "1970-01-01T00:00:00Z";
	struct tm	utc;

	if (gmtime_r(&measured_at, &utc) != NULL)
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &utc);
	fprintf(out,
			"{\n  \"format\": \"%s\",\n  \"version\": 1,\n"
			"  \"engine_version\": \"%s\",\n  \"measured_at\": \"%s\",\n",
			format, SSDPAR_PROBE_VERSION, when);
}

static void
write_head(FILE *out, const ProbeOptions *options, const ProbeResult *result,
		   time_t measured_at)
{
	write_origin(out, "ssdpar-probe", measured_at);
	fprintf(out,
			"  \"file_size\": %llu,\n  \"passes\": %d,\n"
			"  \"fill_seconds\": %.3f,\n  \"seconds\": %.3f,\n",
			(unsigned long long) result->file_size, options->passes,
			result->fill_seconds, result->seconds);
}

/* Memory may run out at any write, so one check at the end is enough. */
static char *
finish(FILE *out, char **text)
{
	bool		failed = ferror(out) != 0;

	if (fclose(out) == 0 && !failed)
		return *text;
	free(*text);
	return NULL;
}

char *
ssdpar_probe_json(const ProbeOptions *options, const ProbeResult *result,
				  time_t measured_at)
{
	char	   *text = NULL;
	size_t		length;
	FILE	   *out = open_memstream(&text, &length);

	if (out == NULL)
		return NULL;
	write_head(out, options, result, measured_at);
	write_device(out, &result->device);
	write_summary(out, result);
	write_points(out, "points", result->points, result->npoints);
	fputs(",\n", out);
	/* separate, so that readers that know only two patterns ignore them */
	write_points(out, "streams", result->streams, result->nstreams);
	fputs("\n}\n", out);
	return finish(out, &text);
}

static const char *const verdicts[] = {
	[PROBE_INSIDE_NONE] = "none",
	[PROBE_INSIDE_UNCLEAR] = "unclear",
	[PROBE_INSIDE_PATTERN] = "pattern",
};

static const char *const mappings[] = {
	[PROBE_MAPPING_UNKNOWN] = "",
	[PROBE_MAPPING_STATIC] = "static",
	[PROBE_MAPPING_ORDER] = "write order",
};

static void
write_inside(FILE *out, const ProbeInside *inside)
{
	bool		pattern = inside->verdict == PROBE_INSIDE_PATTERN;

	fputs("  \"inside\": {\n", out);
	write_text(out, "verdict", verdicts[inside->verdict], ",\n");
	write_or_null(out, "chunk_bytes", inside->chunk_bytes, "%.0f");
	write_or_null(out, "interleaving_degree", inside->degree, "%.0f");
	write_or_null(out, "subdomains", inside->subdomains, "%.0f");
	write_or_null(out, "confidence", pattern ? inside->confidence : 0,
				  "%.4f");
	write_text(out, "mapping", mappings[inside->mapping], ",\n");
	write_or_null(out, "mapping_confidence",
				  inside->mapping != PROBE_MAPPING_UNKNOWN
				  ? inside->mapping_confidence : 0, "%.4f");
	write_or_null(out, "apart_us", inside->apart / 1e3, "%.3f");
	write_or_null(out, "together_us", inside->together / 1e3, "%.3f");
	write_or_null(out, "noise_us", inside->noise / 1e3, "%.3f");
	write_number(out, "window_bytes", (int64_t) inside->window);
	write_number(out, "pairs", (int64_t) inside->pairs);
	write_number(out, "bytes_read", (int64_t) inside->bytes_read);
	fprintf(out, "    \"bytes_written\": %llu\n  }\n",
			(unsigned long long) inside->bytes_written);
}

char *
ssdpar_probe_inside_json(const ProbeInsideResult *result, time_t measured_at)
{
	char	   *text = NULL;
	size_t		length;
	FILE	   *out = open_memstream(&text, &length);

	if (out == NULL)
		return NULL;
	write_origin(out, "ssdpar-probe-inside", measured_at);
	fprintf(out, "  \"file_size\": %llu,\n  \"seconds\": %.3f,\n",
			(unsigned long long) result->file_size, result->seconds);
	write_device(out, &result->device);
	write_inside(out, &result->inside);
	fputs("}\n", out);
	return finish(out, &text);
}
