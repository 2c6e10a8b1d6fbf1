/*
 * engine.c
 *		Runs a sweep: scratch file, passes over all points, medians.
 *
 * This file controls the time.  Each visit of a point gets an equal share of
 * the time left until the passes should be finished, so a slow scratch file or
 * a slow point shortens the later ones instead of prolonging the run.  If the
 * device is too slow for all passes, there are fewer, and points whose passes
 * disagree are visited again within time reserved for this.
 */
#include "probe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load.h"
#include "plan.h"
#include "scratch.h"

/*
 * A point whose passes differ by more than this is visited again REPEATS
 * times.
 */
#define DISPUTED_SPREAD 0.5
#define REPEATS 2
#define MAX_VISITS (PROBE_MAX_PASSES + REPEATS)

/* Fraction of the run time reserved for repeating. */
#define REPEATING_SHARE 0.1

/*
 * Samples of all points and visits: samples[point * capacity + visit]; each
 * point has points[point].passes of them.
 *
 * Invariant: visits_left = points * passes - visits begun, so the remaining
 * time divided by it is a fair share for the next visit.
 */
typedef struct Sweep
{
	const ProbeOptions *options;
	ProbePoint *points;
	int			npoints;
	int		   *order;
	ProbeSample *samples;
	int			capacity;
	uint64_t	passes_end;		/* planned; monotonic ns */
	int			visits_left;
} Sweep;

static uint64_t
seconds_to_ns(double seconds)
{
	return (uint64_t) (seconds * 1e9);
}

/* The engine allocates little memory, before anything is written. */
static void
out_of_memory(ProbeError *error)
{
	ssdpar_probe_error(error, PROBE_NO_MEMORY,
					   "out of memory for the results");
	ssdpar_probe_detail(error, "Nothing was measured.");
	ssdpar_probe_hint(error, "Free memory and try again.");
}

/*
 * Called before the file is written, so that a minute of work is not lost for
 * lack of a few kB.
 */
static bool
allocate_sweep(Sweep *sweep, const ProbeOptions *options, ProbeError *error)
{
	int			plain = ssdpar_probe_count_points(options);
	int			streams = ssdpar_probe_count_streams(options);
	size_t		count = (size_t) plain + streams;

	memset(sweep, 0, sizeof(*sweep));
	sweep->options = options;
	sweep->npoints = (int) count;
	sweep->visits_left = (int) count * options->passes;
	sweep->capacity = options->passes + REPEATS;
	sweep->points = calloc(count, sizeof(ProbePoint));
	sweep->order = calloc(count, sizeof(int));
	sweep->samples =
		calloc(count * (size_t) sweep->capacity, sizeof(ProbeSample));
	if (sweep->points == NULL || sweep->order == NULL ||
		sweep->samples == NULL)
	{
		out_of_memory(error);
		return false;
	}
	ssdpar_probe_list_points(options, sweep->points);
	ssdpar_probe_list_streams(options, sweep->points + plain);
	return true;
}

static bool
visit_point(ProbeRun *run, Sweep *sweep, int index, uint64_t duration)
{
	ProbePoint *point = &sweep->points[index];
	double		visits =
		(double) (sweep->npoints * sweep->options->passes);
	double		done = 1.0 - (double) sweep->visits_left / visits;

	if (!ssdpar_probe_measure(run, point, duration, done,
							  &sweep->samples[index * sweep->capacity +
											  point->passes]))
		return false;
	point->passes++;
	return true;
}

/*
 * Makes all passes over COUNT points starting with FIRST, each visit for its
 * share of the remaining time.  If no time is left, every point has been
 * visited at least once, for as long as its few completions take.
 *
 * Each pass has a different order.  A drive slows down as it heats up and as
 * its write cache fills.  With a fixed order the same points would always be
 * affected, and no median would show it.  The seed is the pass, so every run
 * has the same orders and runs can be compared.
 */
static bool
sweep_points(ProbeRun *run, Sweep *sweep, int first, int count)
{
	for (int pass = 0; pass < sweep->options->passes; pass++)
	{
		if (pass > 0 && ssdpar_probe_now() >= sweep->passes_end)
		{
			sweep->visits_left -= count * (sweep->options->passes - pass);
			break;
		}
		ssdpar_probe_shuffle(sweep->order, first, count,
							 (uint64_t) pass + 1);
		for (int i = 0; i < count; i++)
		{
			uint64_t	now = ssdpar_probe_now();
			uint64_t	left =
				now < sweep->passes_end ? sweep->passes_end - now : 0;
			uint64_t	duration = left / (uint64_t) sweep->visits_left;

			/* late: a duration of 0 still measures a few completions */
			sweep->visits_left--;
			if (!visit_point(run, sweep, sweep->order[i], duration))
				return false;
		}
	}
	return true;
}

/*
 * FIELD is the offset of a double in ProbeSample.  A copy is sorted, because
 * the samples of a pass belong together and other fields follow.
 */
static double
median_of(const ProbeSample *samples, int passes, size_t field)
{
	double		values[MAX_VISITS];

	for (int i = 0; i < passes; i++)
		memcpy(&values[i], (const char *) &samples[i] + field,
			   sizeof(double));
	return ssdpar_probe_median(values, passes);
}

/*
 * Uses the median of the passes instead of the mean: a single disturbance on a
 * shared machine should affect the spread, which reports it, but not the
 * result.
 */
static void
summarize_point(const Sweep *sweep, int index)
{
	ProbePoint *point = &sweep->points[index];
	int			passes = point->passes;
	const ProbeSample *samples = &sweep->samples[index * sweep->capacity];
	double		iops[MAX_VISITS];

	for (int i = 0; i < passes; i++)
		iops[i] = samples[i].iops;
	point->spread = ssdpar_probe_spread(iops, passes);
	point->iops = ssdpar_probe_median(iops, passes);
	point->bytes_per_second = point->iops * point->request_size;
	point->latency_p50 =
		median_of(samples, passes, offsetof(ProbeSample, latency_p50));
	point->latency_p99 =
		median_of(samples, passes, offsetof(ProbeSample, latency_p99));
}

/*
 * If the passes of a point disagree, for instance because of a stall or other
 * load, the middle one may be wrong.  Repeats in rounds, so that no point has
 * all its visits during one disturbance.
 */
static bool
repeat_disputed(ProbeRun *run, Sweep *sweep, int first, int count)
{
	double		seconds = sweep->options->seconds;
	uint64_t	end = ssdpar_probe_now() +
		seconds_to_ns(seconds * REPEATING_SHARE * count / sweep->npoints);
	uint64_t	duration = seconds_to_ns(seconds) /
		(uint64_t) (sweep->npoints * sweep->options->passes);

	for (int repeat = 0; repeat < REPEATS; repeat++)
		for (int i = first; i < first + count; i++)
		{
			if (ssdpar_probe_now() + duration > end)
				return true;
			summarize_point(sweep, i);
			if (sweep->points[i].spread > DISPUTED_SPREAD &&
				!visit_point(run, sweep, i, duration))
				return false;
		}
	return true;
}

/*
 * Makes the passes over COUNT points starting with FIRST, and repeats disputed
 * ones.
 */
static bool
measure_points(ProbeRun *run, Sweep *sweep, int first, int count)
{
	return sweep_points(run, sweep, first, count) &&
		repeat_disputed(run, sweep, first, count);
}

/*
 * Measures all passes of reads first.  A drive that has been written to
 * continues to collect garbage, and reads that wait for an erase would seem
 * slow.
 *
 * Streams are the very first: these are only four points, which get all their
 * passes even if the others use up the time, as on a disk.
 */
static bool
measure_in_turn(ProbeRun *run, Sweep *sweep, int plain)
{
	int			reads = plain / (sweep->options->writes ? 2 : 1);
	int			streams = ssdpar_probe_count_streams(sweep->options);

	return measure_points(run, sweep, plain, streams) &&
		measure_points(run, sweep, 0, reads) &&
		measure_points(run, sweep, reads, plain - reads);
}

/* RESULT takes over the measured points. */
static void
take_points(Sweep *sweep, int plain, ProbeResult *result)
{
	for (int i = 0; i < sweep->npoints; i++)
		summarize_point(sweep, i);
	result->points = sweep->points;
	result->npoints = plain;
	result->streams = sweep->points + plain;
	result->nstreams = ssdpar_probe_count_streams(sweep->options);
	sweep->points = NULL;
}

/* Fills the file, then visits all points, then computes the medians. */
static bool
measure_all(ProbeRun *run, const ProbeOptions *options, ProbeResult *result)
{
	double		fill_limit = options->seconds * 2.0 / 3.0;
	double		limit = options->seconds * 4.0 / 3.0;
	int			plain = ssdpar_probe_count_points(options);
	Sweep		sweep;
	bool		good = allocate_sweep(&sweep, options, run->error);

	/*
	 * At most two thirds of the time may be used for the scratch file,
	 * because the rest would be too short for a meaningful sweep.
	 */
	if (fill_limit < 30.0)
		fill_limit = 30.0;
	run->deadline = run->start + seconds_to_ns(fill_limit);
	good = good && ssdpar_probe_fill(run);
	result->fill_seconds = (double) (ssdpar_probe_now() - run->start) / 1e9;

	/* a third or a minute late, as a slow point needs its few completions */
	if (limit < options->seconds + 60.0)
		limit = options->seconds + 60.0;
	sweep.passes_end = run->start +
		seconds_to_ns(options->seconds * (1.0 - REPEATING_SHARE));
	run->deadline = run->start + seconds_to_ns(limit);

	good = good && measure_in_turn(run, &sweep, plain);
	if (good)
		take_points(&sweep, plain, result);
	free(sweep.points);
	free(sweep.order);
	free(sweep.samples);
	return good;
}

/*
 * From here on there is a file, which disappears when its descriptor is
 * closed.  It is closed after the ring, because an outstanding request refers
 * to it, and the kernel would keep its space until the last one has ended.
 */
static bool
run_in_directory(ProbeRun *run, const ProbeOptions *options,
				 ProbeResult *result)
{
	int			slots = options->depths[options->ndepths - 1];
	uint32_t	bytes = options->sizes[options->nsizes - 1];
	uint64_t	least = options->file_size < PROBE_FALLBACK_FILE ?
		options->file_size : PROBE_FALLBACK_FILE;
	uint32_t	alignment;
	int			fd;
	bool		good;

	fd = ssdpar_probe_scratch_open(run->directory, &run->file_size, least,
								   &run->room, &alignment, run->error);
	if (fd < 0)
		return false;
	if (run->callbacks != NULL && run->callbacks->reserved != NULL)
		run->callbacks->reserved(run->callbacks->arg, run->file_size);

	/*
	 * One ring for the scratch file and all points, as large as the largest
	 * of them requires, which is the last of each list because lists ascend.
	 */
	if (slots < PROBE_FILL_DEPTH)
		slots = PROBE_FILL_DEPTH;
	if (slots < PROBE_MAX_STREAMS && options->streams)
		slots = PROBE_MAX_STREAMS;
	if (bytes < PROBE_FILL_SIZE)
		bytes = PROBE_FILL_SIZE;
	good = ssdpar_probe_check_alignment(options, alignment, run->error) &&
		ssdpar_probe_ring_open(&run->ring, slots, bytes, run->error);
	if (good)
	{
		run->ring.fd = fd;
		good = ssdpar_probe_identify(run->directory, &result->device,
									 run->error) &&
			measure_all(run, options, result);
		ssdpar_probe_ring_close(&run->ring);
	}
	close(fd);
	return good;
}

bool
ssdpar_probe_run(const char *directory, const ProbeOptions *options,
				 const ProbeCallbacks *callbacks, ProbeResult *result,
				 ProbeError *error)
{
	ProbeRun   *run;
	bool		good;

	memset(result, 0, sizeof(*result));
	memset(error, 0, sizeof(*error));
	if (!ssdpar_probe_check_options(options, error))
		return false;

	/*
	 * Too large for the stack of a backend, which is limited to
	 * max_stack_depth and may already be deep: the histogram has 9 kB.
	 */
	run = calloc(1, sizeof(*run));
	if (run == NULL)
	{
		out_of_memory(error);
		return false;
	}
	run->directory = directory;
	run->file_size = options->file_size;
	run->callbacks = callbacks;
	run->error = error;
	run->start = ssdpar_probe_now();

	/*
	 * Not a constant: the file would get the same contents as in the last
	 * run, which deduplicating storage may not write again.
	 */
	run->random_state = run->start;
	good = run_in_directory(run, options, result);
	result->seconds = (double) (ssdpar_probe_now() - run->start) / 1e9;
	result->file_size = run->file_size;
	free(run);
	return good;
}

void
ssdpar_probe_free(ProbeResult *result)
{
	free(result->points);
	result->points = result->streams = NULL;
	result->npoints = result->nstreams = 0;
}
