/*
 * plan.c
 *		What a sweep measures, and in which order.
 *
 * Accesses no file and no device.  Limits are checked here for both callers,
 * before anything is written to the device.
 */
#include "plan.h"

#include <math.h>
#include <string.h>

void
ssdpar_probe_default_options(ProbeOptions *options)
{
	/*
	 * Powers of two, because the cost model interpolates between them
	 * (interpolate.c): from the server's page to the size of read-ahead, and
	 * from one waiting process to twice the queue depth of SATA.
	 */
	memset(options, 0, sizeof(*options));
	for (uint32_t kb = 8; kb <= 256; kb *= 2)
		options->sizes[options->nsizes++] = kb * 1024;
	for (int depth = 1; depth <= 64; depth *= 2)
		options->depths[options->ndepths++] = depth;

	options->streams = true;

	/* three passes for a median, and 45 seconds for 88 points */
	options->passes = 3;
	options->seconds = 45.0;
	options->file_size = PROBE_MAX_FILE;
}

/* Multiples of 4 kB, which direct I/O accepts on every common file system. */
static bool
check_sizes(const ProbeOptions *options, ProbeError *error)
{
	for (int i = 0; i < options->nsizes; i++)
	{
		int64_t		size = options->sizes[i];

		if (size < PROBE_MIN_SIZE || size > PROBE_MAX_SIZE ||
			size % PROBE_MIN_SIZE != 0 ||
			(i > 0 && size <= options->sizes[i - 1]))
		{
			ssdpar_probe_error(error, PROBE_BAD_OPTION,
							   "request size %.10g kB cannot be measured",
							   size / 1024.0);
			ssdpar_probe_detail(error,
								"Sizes are multiples of 4 kB from 4 to 1024 "
								"kB, in ascending order, each once.");
			ssdpar_probe_hint(error, "Use for example 8,32,256.");
			return false;
		}
	}
	return true;
}

/* Ascending, so that the last is the deepest (engine.c, run_in_directory). */
static bool
check_depths(const ProbeOptions *options, ProbeError *error)
{
	for (int i = 0; i < options->ndepths; i++)
	{
		int			depth = options->depths[i];

		if (depth < 1 || depth > PROBE_MAX_DEPTH ||
			(i > 0 && depth <= options->depths[i - 1]))
		{
			ssdpar_probe_error(error, PROBE_BAD_OPTION,
							   "queue depth %d cannot be measured", depth);
			ssdpar_probe_detail(error, "Depths are numbers from 1 to %d, in "
								"ascending order, each once.",
								PROBE_MAX_DEPTH);
			ssdpar_probe_hint(error, "Use for example 1,8,32.");
			return false;
		}
	}
	return true;
}

/* Must be first, as the other checks walk the lists. */
static bool
check_counts(const ProbeOptions *options, ProbeError *error)
{
	if (options->nsizes >= 1 && options->nsizes <= PROBE_MAX_SIZES &&
		options->ndepths >= 1 && options->ndepths <= PROBE_MAX_DEPTHS &&
		options->passes >= 1 && options->passes <= PROBE_MAX_PASSES)
		return true;
	ssdpar_probe_error(error, PROBE_BAD_OPTION,
					   "%d request sizes, %d queue depths and %d passes "
					   "cannot be measured",
					   options->nsizes, options->ndepths, options->passes);
	ssdpar_probe_detail(error, "There must be 1 to %d of each.",
						PROBE_MAX_SIZES);
	ssdpar_probe_hint(error, "Give a shorter list, or none for the default.");
	return false;
}

bool
ssdpar_probe_check_options(const ProbeOptions *options, ProbeError *error)
{
	if (!check_counts(options, error) || !check_sizes(options, error) ||
		!check_depths(options, error))
		return false;

	/* written this way, NaN is refused as well */
	if (!(options->seconds >= PROBE_MIN_SECONDS &&
		  options->seconds <= PROBE_MAX_SECONDS))
	{
		ssdpar_probe_error(error, PROBE_BAD_OPTION,
						   "%g seconds is not a possible duration",
						   options->seconds);
		ssdpar_probe_detail(error, "A run takes %g to %g seconds.",
							PROBE_MIN_SECONDS, PROBE_MAX_SECONDS);
		ssdpar_probe_hint(error, "Leave it out for 45 seconds.");
		return false;
	}
	if (options->file_size < PROBE_MIN_FILE ||
		options->file_size > PROBE_MAX_FILE ||
		options->file_size % PROBE_MAX_SIZE != 0)
	{
		ssdpar_probe_error(error, PROBE_BAD_OPTION,
						   "a scratch file of %.10g MB cannot be used",
						   (double) options->file_size / (1 << 20));
		ssdpar_probe_detail(error, "It may have 16 to 1024 MB, whole ones.");
		ssdpar_probe_hint(error, "Leave it out: a small file "
						  "measures the device's cache.");
		return false;
	}
	return true;
}

/* Buffers are page-aligned, so more than 4096 bytes is not possible. */
bool
ssdpar_probe_check_alignment(const ProbeOptions *options, uint32_t alignment,
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

/*
 * Always both patterns, because the cost model prices sequential scans with
 * one and index scans with the other.
 */
int
ssdpar_probe_count_points(const ProbeOptions *options)
{
	return (options->writes ? 2 : 1) * 2 * options->nsizes *
		options->ndepths;
}

int
ssdpar_probe_count_streams(const ProbeOptions *options)
{
	return options->streams ? PROBE_STREAM_POINTS : 0;
}

/* Powers of two, beginning with one, with which the others are compared. */
void
ssdpar_probe_list_streams(const ProbeOptions *options, ProbePoint *points)
{
	int			count = ssdpar_probe_count_streams(options);

	memset(points, 0, sizeof(*points) * (size_t) count);
	for (int i = 0; i < count; i++)
	{
		points[i].operation = PROBE_READ;
		points[i].pattern = PROBE_STREAMS;
		points[i].request_size = PROBE_STREAM_SIZE;
		points[i].queue_depth = 1 << i;
	}
}

void
ssdpar_probe_list_points(const ProbeOptions *options, ProbePoint *points)
{
	int			count = ssdpar_probe_count_points(options);

	memset(points, 0, sizeof(*points) * (size_t) count);
	for (int i = 0; i < count; i++)
	{
		/*
		 * The digits of i in a mixed radix.  Depth is the last and varies
		 * fastest, which report.c relies on.
		 */
		int			rest = i;

		points[i].queue_depth = options->depths[rest % options->ndepths];
		rest /= options->ndepths;
		points[i].request_size = options->sizes[rest % options->nsizes];
		rest /= options->nsizes;
		points[i].pattern = (rest % 2) ? PROBE_SEQUENTIAL : PROBE_RANDOM;
		points[i].operation = (rest / 2) ? PROBE_WRITE : PROBE_READ;
	}
}

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014), with Vigna's constants. */
uint64_t
ssdpar_probe_random(uint64_t *state)
{
	uint64_t	z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/*
 * Fisher and Yates, as in Knuth, volume 2, algorithm 3.4.2P.  Each position
 * gets one of the elements not yet placed, which makes all orders equally
 * likely; drawing from all of them each time would not.
 */
void
ssdpar_probe_shuffle(int *order, int first, int count, uint64_t seed)
{
	for (int i = 0; i < count; i++)
		order[i] = first + i;
	for (int i = count - 1; i > 0; i--)
	{
		int			j = (int) (ssdpar_probe_random(&seed) % (uint64_t) (i + 1));
		int			keep = order[i];

		order[i] = order[j];
		order[j] = keep;
	}
}

const char *
ssdpar_probe_operation_name(ProbeOperation operation)
{
	return operation == PROBE_READ ? "read" : "write";
}

const char *
ssdpar_probe_pattern_name(ProbePattern pattern)
{
	static const char *const names[] = {
		[PROBE_RANDOM] = "random",
		[PROBE_SEQUENTIAL] = "sequential",
		[PROBE_STREAMS] = "streams",
	};

	return names[pattern];
}
