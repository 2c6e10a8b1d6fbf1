/*
 * inside.c
 *		The steps of probing a device's internal structure.
 *
 *	fill		all of it, in order, with large requests
 *	scan		pairs of one unit, the anchor, and each of a window after it
 *	fit			chunks and domains that explain the times, if there are any
 *	check		with pairs not used by the fit
 *	mapping		overwrite in random order, and compare
 *
 * Paper 000 finds the chunk size by timing reads across a border, because
 * flash that transfers partial pages serves these faster.  Here it is the
 * number of neighbors that conflict with the anchor, which works on any flash.
 */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

#include "inside_fit.h"
#include "inside_layout.h"
#include "inside_pairs.h"
#include "statistics.h"

/* Units of the window: 16 MB, and the longest pattern is a quarter of that. */
#define MOST_UNITS 4096
#define LEAST_UNITS 256

/*
 * Visits of each pair of the scan, and of a second scan if the first is
 * unclear.
 */
#define VISITS 5
#define MORE_VISITS 15

/* Number of pairs to measure how fast the device is. */
#define TIMED 33

/* Fractions of the time that the scans may take. */
#define SCAN_SHARE 0.35
#define SECOND_SCAN_SHARE 0.8

/* Fraction of new pairs that must be predicted correctly. */
#define SURE 0.95

/* The pairs of a scan. */
typedef struct Scan
{
	uint64_t	anchor;			/* bytes */
	int			count;			/* units, including the anchor */
	int			visits;
	ProbePair  *pairs;			/* of the anchor and each following unit */
	double	   *times;			/* indexed by distance */
} Scan;

/* One request after the other, so that writes are in this order. */
static bool
fill(ProbeProbing *probing)
{
	const ProbeInsideDevice *device = probing->device;

	for (uint64_t done = 0; done < device->bytes;)
	{
		uint64_t	bytes = device->bytes - done;

		if (bytes > PROBE_INSIDE_LARGEST)
			bytes = PROBE_INSIDE_LARGEST;
		if (!ssdpar_probe_overwrite(probing, done, bytes))
			return false;
		done += bytes;
		ssdpar_probe_say(probing, "writing the scratch file",
						 (double) done / (double) device->bytes);
	}
	return device->settle(device->arg);
}

/*
 * A slow device gets a smaller window.  The anchor is at a random place,
 * because the beginning of a file may be special.
 */
static bool
plan_scan(ProbeProbing *probing, double seconds, Scan *scan)
{
	uint64_t	units = probing->device->bytes / PROBE_INSIDE_UNIT;
	uint64_t	most = units / 2 < MOST_UNITS ? units / 2 : MOST_UNITS;
	ProbePair	pairs[TIMED];
	double		times[TIMED];
	double		affordable;

	for (int i = 0; i < TIMED; i++)
	{
		pairs[i].first = (uint64_t) ssdpar_probe_below(probing, (int) units) *
			PROBE_INSIDE_UNIT;
		pairs[i].second = (uint64_t) ssdpar_probe_below(probing,
														(int) units) *
			PROBE_INSIDE_UNIT;
	}
	if (!ssdpar_probe_time_pairs(probing, pairs, TIMED, PROBE_INSIDE_UNIT, 1,
								 "timing"))
		return false;
	for (int i = 0; i < TIMED; i++)
		times[i] = pairs[i].time;
	affordable = seconds * 1e9 * SCAN_SHARE / VISITS /
		ssdpar_probe_median(times, TIMED);
	if (affordable < (double) most)
		most = affordable < LEAST_UNITS ? LEAST_UNITS : (uint64_t) affordable;
	scan->count = (int) most;
	scan->anchor = (uint64_t) ssdpar_probe_below(probing,
												 (int) (units - most)) *
		PROBE_INSIDE_UNIT;
	scan->pairs = calloc(most, sizeof(ProbePair));
	scan->times = calloc(most, sizeof(double));
	return scan->pairs != NULL && scan->times != NULL;
}

static bool
run_scan(ProbeProbing *probing, Scan *scan, int visits, ProbeFit *fit)
{
	for (int i = 1; i < scan->count; i++)
	{
		scan->pairs[i].first = scan->anchor;
		scan->pairs[i].second = scan->anchor + (uint64_t) i *
			PROBE_INSIDE_UNIT;
	}
	if (!ssdpar_probe_time_pairs(probing, scan->pairs + 1, scan->count - 1,
								 PROBE_INSIDE_UNIT, visits, "comparing"))
		return false;
	scan->visits = visits;
	for (int i = 1; i < scan->count; i++)
		scan->times[i] = scan->pairs[i].time;
	return ssdpar_probe_fit(scan->times, scan->count, fit);
}

/*
 * Scans once, and a second time with more visits if the result is unclear and
 * there is time.
 */
static bool
scan_and_fit(ProbeProbing *probing, double seconds, Scan *scan, ProbeFit *fit)
{
	double		before = probing->spent;
	double		visit;

	if (!run_scan(probing, scan, VISITS, fit))
		return false;
	visit = (probing->spent - before) / VISITS;
	if (fit->clear || probing->spent + visit * MORE_VISITS >
		seconds * 1e9 * SECOND_SCAN_SHARE)
		return true;
	return run_scan(probing, scan, MORE_VISITS, fit);
}

/* The complete chunks of the window; the anchor's chunk begins before it. */
static void
lay_out(const Scan *scan, const ProbeFit *fit, ProbeLayout *layout)
{
	int			before = fit->chunk - fit->phase;

	layout->fit = *fit;
	layout->start = scan->anchor + (uint64_t) before * PROBE_INSIDE_UNIT;
	layout->chunks = (scan->count - before) / fit->chunk;
}

/* Accepts a clear fit if new pairs confirm it. */
static bool
confirm(ProbeProbing *probing, const Scan *scan, const ProbeFit *fit,
		ProbeInside *result)
{
	int			visits = ssdpar_probe_visits_for(fit, scan->visits);
	ProbeLayout layout;
	bool		single;

	lay_out(scan, fit, &layout);
	if (!ssdpar_probe_check_layout(probing, &layout, visits,
								   &result->confidence) ||
		!ssdpar_probe_check_degree(probing, &layout, &single))
		return false;
	if (result->confidence < SURE || !single)
		return true;
	result->verdict = PROBE_INSIDE_PATTERN;
	result->chunk_bytes = (uint32_t) fit->chunk * PROBE_INSIDE_UNIT;
	result->degree = fit->degree;
	result->together = fit->together;
	return ssdpar_probe_subdomains(scan->times, scan->count, fit,
								   &result->subdomains) &&
		ssdpar_probe_find_mapping(probing, &layout, visits, &result->mapping,
								  &result->mapping_confidence);
}

static bool
probe(ProbeProbing *probing, double seconds, Scan *scan, ProbeInside *result)
{
	ProbeFit	fit;

	if (!fill(probing))
		return false;
	probing->spent = 0;			/* the time limit is for reading */
	if (!plan_scan(probing, seconds, scan) ||
		!scan_and_fit(probing, seconds, scan, &fit))
		return false;
	result->apart = fit.apart;
	result->noise = fit.noise;
	result->window = (uint64_t) scan->count * PROBE_INSIDE_UNIT;
	if (fit.score < PROBE_FIT_NONE)
		return true;
	result->verdict = PROBE_INSIDE_UNCLEAR;
	return !fit.clear || confirm(probing, scan, &fit, result);
}

bool
ssdpar_probe_inside(const ProbeInsideDevice *device, double seconds,
					uint64_t seed, ProbeInside *result)
{
	ProbeProbing probing = {.device = device, .random = seed};
	Scan		scan = {0};
	bool		good;

	memset(result, 0, sizeof(*result));
	good = probe(&probing, seconds, &scan, result);
	free(scan.pairs);
	free(scan.times);
	result->pairs = probing.pairs;
	result->bytes_read = probing.bytes_read;
	result->bytes_written = probing.bytes_written;
	return good;
}
