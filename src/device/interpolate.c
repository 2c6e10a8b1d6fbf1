/*
 * interpolate.c
 *		Interpolates in the measured grid of a device profile.
 *
 * Both axes were measured in powers of two, and throughput is close to a power
 * law until it saturates.  Therefore straight lines between logarithms have
 * small errors, whereas linear interpolation would curve the wrong way.
 */
#include "interpolate.h"
#include "monotone.h"

#include <math.h>
#include <string.h>

/* Share of the peak that counts as saturated (docs/internals/layout.md). */
#define SATURATED 0.9

/* Request size of a large sequential scan. */
#define SCAN_BYTES (256 * 1024.0)

/*
 * Generous bounds for devices and sweeps.  Numbers outside are mistakes, and
 * would lead to infinite predicted times.
 */
#define LEAST_IOPS 1e-3
#define MOST_IOPS 1e9
#define LEAST_SIZE 512.0
#define MOST_SIZE (1024.0 * 1024.0 * 1024.0)
#define MOST_DEPTH 65536.0

static int
find_on_axis(const double *axis, int count, double value)
{
	for (int i = 0; i < count; i++)
		if (axis[i] == value)
			return i;
	return -1;
}

/*
 * Inserts VALUE in order unless it exists; returns false if the axis is full.
 * Insertion is fast enough because an axis has at most SSDPAR_GRID_MAX values.
 */
static bool
extend_axis(double *axis, int *count, double value)
{
	int			place = *count;

	if (find_on_axis(axis, *count, value) >= 0)
		return true;
	if (*count >= SSDPAR_GRID_MAX)
		return false;
	while (place > 0 && axis[place - 1] > value)
	{
		axis[place] = axis[place - 1];
		place--;
	}
	axis[place] = value;
	(*count)++;
	return true;
}

static bool
is_positive(double value)
{
	return isfinite(value) && value > 0.0;
}

static const char *
make_axes(SsdparProfile *profile, const SsdparPoint *points, int npoints)
{
	for (int i = 0; i < npoints; i++)
	{
		if (!is_positive(points[i].request_size) ||
			!is_positive(points[i].queue_depth))
			return "a request size or queue depth is not positive";
		if (!is_positive(points[i].iops))
			return "a measured rate is not a positive number";
		if (points[i].iops < LEAST_IOPS || points[i].iops > MOST_IOPS)
			return "a measured rate is no device's";
		if (points[i].request_size < LEAST_SIZE ||
			points[i].request_size > MOST_SIZE ||
			points[i].queue_depth > MOST_DEPTH)
			return "a request size or queue depth is no sweep's";
		if (!extend_axis(profile->sizes, &profile->nsizes,
						 points[i].request_size) ||
			!extend_axis(profile->depths, &profile->ndepths,
						 points[i].queue_depth))
			return "it has more request sizes or queue depths than a sweep";
	}
	return NULL;
}

/*
 * A plain read of one page cannot be extrapolated from deeper queues or larger
 * requests, whose rates may differ from its rate by factors of ten.
 */
static const char *
check_complete(const SsdparProfile *profile)
{
	if (profile->depths[0] > 1.0)
		return "no reads one at a time were measured";
	if (profile->sizes[0] > SSDPAR_PAGE_BYTES)
		return "no reads of 8 kB or less were measured";
	for (int pattern = 0; pattern < SSDPAR_PATTERNS; pattern++)
		for (int s = 0; s < profile->nsizes; s++)
			for (int d = 0; d < profile->ndepths; d++)
				if (profile->iops[pattern][s][d] == 0.0)
					return "measured points are missing";
	return NULL;
}

/* A position on an axis: SHARE of the way from LOW to HIGH. */
typedef struct Place
{
	int			low;
	int			high;
	double		share;
} Place;

/* Clamped to the ends; NaN counts as below. */
static Place
locate(const double *axis, int count, double value)
{
	Place		place = {0, 0, 0.0};

	if (!(value > axis[0]))
		return place;
	place.low = place.high = count - 1;
	if (value >= axis[count - 1])
		return place;
	for (place.high = 1; axis[place.high] <= value;)
		place.high++;
	place.low = place.high - 1;
	/* most reads have a measured size or depth */
	if (axis[place.low] == value)
	{
		place.high = place.low;
		return place;
	}
	place.share = log(value / axis[place.low]) /
		log(axis[place.high] / axis[place.low]);
	return place;
}

/* A straight line between logarithms is low^(1 - share) * high^share. */
static double
blend(double low, double high, double share)
{
	return share == 0.0 ? low : low * pow(high / low, share);
}

static double
blend_depths(const double *row, Place depth)
{
	return blend(row[depth.low], row[depth.high], depth.share);
}

double
ssdpar_profile_iops(const SsdparProfile *profile, SsdparPattern pattern,
					double request_size, double queue_depth)
{
	Place		size = locate(profile->sizes, profile->nsizes, request_size);
	Place		depth = locate(profile->depths, profile->ndepths, queue_depth);
	double		largest = profile->sizes[profile->nsizes - 1];
	double		iops = blend_depths(profile->iops[pattern][size.low], depth);

	if (size.high != size.low)
		iops = blend(iops,
					 blend_depths(profile->iops[pattern][size.high], depth),
					 size.share);

	/* the kernel splits larger requests, so their bandwidth is the same */
	return request_size > largest ? iops * largest / request_size : iops;
}

double
ssdpar_profile_bandwidth(const SsdparProfile *profile, SsdparPattern pattern,
						 double request_size, double queue_depth)
{
	return request_size *
		ssdpar_profile_iops(profile, pattern, request_size, queue_depth);
}

double
ssdpar_profile_latency(const SsdparProfile *profile, SsdparPattern pattern,
					   double request_size, double queue_depth)
{
	return 1e6 * queue_depth /
		ssdpar_profile_iops(profile, pattern, request_size, queue_depth);
}

/*
 * For random single pages, because these need depth; larger requests saturate
 * a device at a smaller depth.  Computed once, because every price uses it.
 */
static int
find_saturation_depth(const SsdparProfile *profile)
{
	double		peak = 0.0;
	int			d;

	for (d = 0; d < profile->ndepths; d++)
		peak = fmax(peak, ssdpar_profile_iops(profile, SSDPAR_RANDOM,
											  SSDPAR_PAGE_BYTES,
											  profile->depths[d]));
	for (d = 0; d < profile->ndepths - 1; d++)
		if (ssdpar_profile_iops(profile, SSDPAR_RANDOM, SSDPAR_PAGE_BYTES,
								profile->depths[d]) >= SATURATED * peak)
			break;
	return (int) profile->depths[d];
}

int
ssdpar_profile_saturation_depth(const SsdparProfile *profile)
{
	return profile->saturation_depth;
}

double
ssdpar_profile_scan_bandwidth(const SsdparProfile *profile)
{
	return profile->scan_bandwidth;
}

const char *
ssdpar_profile_build(SsdparProfile *profile, const SsdparPoint *points,
					 int npoints)
{
	const char *problem;

	memset(profile, 0, sizeof(*profile));
	if (npoints == 0)
		return "it has no measured reads";
	problem = make_axes(profile, points, npoints);
	if (problem != NULL)
		return problem;
	for (int i = 0; i < npoints; i++)
	{
		int			s = find_on_axis(profile->sizes, profile->nsizes,
									 points[i].request_size);
		int			d = find_on_axis(profile->depths, profile->ndepths,
									 points[i].queue_depth);

		profile->iops[points[i].pattern][s][d] = points[i].iops;
	}
	problem = check_complete(profile);
	if (problem != NULL)
		return problem;
	ssdpar_profile_make_monotone(profile);
	profile->saturation_depth = find_saturation_depth(profile);
	profile->scan_bandwidth =
		ssdpar_profile_bandwidth(profile, SSDPAR_SEQUENTIAL, SCAN_BYTES,
								 profile->saturation_depth);
	return NULL;
}
