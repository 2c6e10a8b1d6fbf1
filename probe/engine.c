/*
 * engine.c
 *		Runs a sweep: scratch file, passes over all points, medians.
 *
 * The time is kept here.  Each visit of a point gets an equal share of what is
 * left until the run should be over, so a slow scratch file or a slow point
 * shortens the later ones instead of lengthening the run.
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
 * Samples of all points and passes: samples[point * passes + pass].
 *
 * Invariant: visits_left = points * passes - visits begun, so that the time
 * left divided by it is the fair share of the next one.
 */
typedef struct Sweep
{
	const ProbeOptions *options;
	ProbePoint *points;
	int			npoints;
	int		   *order;
	ProbeSample *samples;
	uint64_t	should_end;		/* monotonic ns */
	int			visits_left;
} Sweep;

static uint64_t
seconds_to_ns(double seconds)
{
	return (uint64_t) (seconds * 1e9);
}

/* What the engine allocates is small: so nothing has been written yet. */
static void
out_of_memory(ProbeError *error)
{
	ssdpar_probe_error(error, PROBE_NO_MEMORY,
					   "out of memory for the results");
	ssdpar_probe_detail(error, "Nothing was measured.");
	ssdpar_probe_hint(error, "Free memory and try again.");
}

/* Before the file is written: a minute's work must not end for a few kB. */
static bool
allocate_sweep(Sweep *sweep, const ProbeOptions *options, ProbeError *error)
{
	size_t		count = (size_t) ssdpar_probe_count_points(options);

	memset(sweep, 0, sizeof(*sweep));
	sweep->options = options;
	sweep->npoints = (int) count;
	sweep->visits_left = (int) count * options->passes;
	sweep->points = calloc(count, sizeof(ProbePoint));
	sweep->order = calloc(count, sizeof(int));
	sweep->samples =
		calloc(count * (size_t) options->passes, sizeof(ProbeSample));
	if (sweep->points == NULL || sweep->order == NULL ||
		sweep->samples == NULL)
	{
		out_of_memory(error);
		return false;
	}
	ssdpar_probe_list_points(options, sweep->points);
	return true;
}

/*
 * All passes over COUNT points from FIRST on, each point for its share of the
 * time that is left.
 *
 * Each pass has an order of its own.  A drive slows down as it heats up and as
 * its write cache fills; in a fixed order the same points would always bear
 * that, and no median would show it.  The seed is the pass, so that every
 * run has the same orders and two of them can be compared.
 */
static bool
sweep_points(ProbeRun *run, Sweep *sweep, int first, int count)
{
	int			passes = sweep->options->passes;
	double		visits = (double) (sweep->npoints * passes);

	for (int pass = 0; pass < passes; pass++)
	{
		ssdpar_probe_shuffle(sweep->order, first, count,
							 (uint64_t) pass + 1);
		for (int i = 0; i < count; i++)
		{
			int			point = sweep->order[i];
			uint64_t	now = ssdpar_probe_now();
			uint64_t	left =
				now < sweep->should_end ? sweep->should_end - now : 0;
			uint64_t	duration = left / (uint64_t) sweep->visits_left;
			double		done = 1.0 - (double) sweep->visits_left / visits;

			/* late: a duration of 0 still measures a few completions */
			sweep->visits_left--;
			if (!ssdpar_probe_measure(run, &sweep->points[point], duration,
									  done,
									  &sweep->samples[point * passes + pass]))
				return false;
		}
	}
	return true;
}

/*
 * FIELD is the offset of a double in ProbeSample.  Sorting is done in a copy:
 * the samples of a pass belong together, and other fields come after.
 */
static double
median_of(const ProbeSample *samples, int passes, size_t field)
{
	double		values[PROBE_MAX_PASSES];

	for (int i = 0; i < passes; i++)
		memcpy(&values[i], (const char *) &samples[i] + field,
			   sizeof(double));
	return ssdpar_probe_median(values, passes);
}

/*
 * The median of the passes, not the mean: one bad moment of a shared machine
 * shall move the spread, which says so, and not the result.
 */
static void
summarize_point(const Sweep *sweep, int index)
{
	ProbePoint *point = &sweep->points[index];
	int			passes = sweep->options->passes;
	const ProbeSample *samples = &sweep->samples[index * passes];
	double		iops[PROBE_MAX_PASSES];

	for (int i = 0; i < passes; i++)
		iops[i] = samples[i].iops;
	point->passes = passes;
	point->spread = ssdpar_probe_spread(iops, passes);
	point->iops = ssdpar_probe_median(iops, passes);
	point->bytes_per_second = point->iops * point->request_size;
	point->latency_p50 =
		median_of(samples, passes, offsetof(ProbeSample, latency_p50));
	point->latency_p99 =
		median_of(samples, passes, offsetof(ProbeSample, latency_p99));
}

/* Buffers are aligned to pages, so more than 4096 bytes is out of reach. */
static bool
check_alignment(const ProbeOptions *options, uint32_t alignment,
				ProbeError *error)
{
	for (int i = 0; i < options->nsizes; i++)
	{
		if (options->sizes[i] % alignment == 0 && alignment <= 4096)
			continue;
		ssdpar_probe_error(error, PROBE_NOT_SUPPORTED,
						   "requests of %d kB are not possible here",
						   (int) (options->sizes[i] / 1024));
		ssdpar_probe_detail(error, "Direct I/O on this file system goes in "
							"multiples of %u bytes.", alignment);
		ssdpar_probe_hint(error, "Measure only sizes that are multiples of "
						  "it, up to 4096 bytes are supported.");
		return false;
	}
	return true;
}

/* Fills the file, then visits all points, then makes medians of the visits. */
static bool
measure_all(ProbeRun *run, const ProbeOptions *options, ProbeResult *result)
{
	double		fill_limit = options->seconds * 2.0 / 3.0;
	double		limit = options->seconds * 4.0 / 3.0;
	int			reads;
	Sweep		sweep;
	bool		good = allocate_sweep(&sweep, options, run->error);

	/*
	 * At most two thirds of the time may go into the scratch file: what is
	 * left would be too short for a sweep that means something.
	 */
	if (fill_limit < 10.0)
		fill_limit = 10.0;
	run->deadline = run->start + seconds_to_ns(fill_limit);
	good = good && ssdpar_probe_fill(run);
	result->fill_seconds = (double) (ssdpar_probe_now() - run->start) / 1e9;

	/* a third late, or 15 seconds: a slow point needs its few completions */
	if (limit < options->seconds + 15.0)
		limit = options->seconds + 15.0;
	sweep.should_end = run->start + seconds_to_ns(options->seconds);
	run->deadline = run->start + seconds_to_ns(limit);

	/*
	 * Reads first, all passes of them.  A drive that has been written to goes
	 * on collecting garbage, and reads that wait for an erase would be taken
	 * for slow ones.
	 */
	reads = sweep.npoints / (options->writes ? 2 : 1);
	if (good && sweep_points(run, &sweep, 0, reads) &&
		sweep_points(run, &sweep, reads, sweep.npoints - reads))
	{
		for (int i = 0; i < sweep.npoints; i++)
			summarize_point(&sweep, i);
		result->points = sweep.points;
		result->npoints = sweep.npoints;
		sweep.points = NULL;	/* result's now */
	}
	else
		good = false;
	free(sweep.points);
	free(sweep.order);
	free(sweep.samples);
	return good;
}

/*
 * From here on there is a file, which goes when its descriptor does.  So it is
 * closed after the ring: a request that is outstanding refers to it, and the
 * kernel would keep its space until the last one has ended.
 */
static bool
run_in_directory(ProbeRun *run, const ProbeOptions *options,
				 ProbeResult *result)
{
	int			slots = options->depths[options->ndepths - 1];
	uint32_t	bytes = options->sizes[options->nsizes - 1];
	uint32_t	alignment;
	int			fd;
	bool		good;

	fd = ssdpar_probe_scratch_open(run->directory, options->file_size,
								   &alignment, run->error);
	if (fd < 0)
		return false;

	/*
	 * One ring for the scratch file and all points, as large as the largest
	 * of them needs: lists ascend, so that is the last of each.
	 */
	if (slots < PROBE_FILL_DEPTH)
		slots = PROBE_FILL_DEPTH;
	if (bytes < PROBE_FILL_SIZE)
		bytes = PROBE_FILL_SIZE;
	good = check_alignment(options, alignment, run->error) &&
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
	 * max_stack_depth and may be deep already: the histogram has 9 kB.
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
	 * Not a constant: the file would get the contents of the last run's,
	 * which storage that deduplicates may not write again.
	 */
	run->random_state = run->start;
	good = run_in_directory(run, options, result);
	result->seconds = (double) (ssdpar_probe_now() - run->start) / 1e9;
	result->file_size = options->file_size;
	free(run);
	return good;
}

void
ssdpar_probe_free(ProbeResult *result)
{
	free(result->points);
	result->points = NULL;
	result->npoints = 0;
}
