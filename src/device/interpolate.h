/*
 * interpolate.h
 *		Interpolates in the measured grid of a device profile.
 *
 * No server headers, so that unit tests can use it alone.  profile.c converts
 * stored profiles to this form.
 */
#ifndef SSDPAR_INTERPOLATE_H
#define SSDPAR_INTERPOLATE_H

#include <stdbool.h>

typedef enum SsdparPattern
{
	SSDPAR_RANDOM,
	SSDPAR_SEQUENTIAL,
} SsdparPattern;

#define SSDPAR_PATTERNS 2
#define SSDPAR_GRID_MAX 16
#define SSDPAR_POINTS_MAX \
	(SSDPAR_PATTERNS * SSDPAR_GRID_MAX * SSDPAR_GRID_MAX)

/* Request size for the saturation depth: a heap page. */
#define SSDPAR_PAGE_BYTES 8192.0

/* One measured read. */
typedef struct SsdparPoint
{
	SsdparPattern pattern;
	double		request_size;	/* bytes */
	double		queue_depth;
	double		iops;
} SsdparPoint;

/*
 * Axes are ascending, and every cell of both patterns is finite and positive;
 * ssdpar_profile_build() refuses anything else.
 */
typedef struct SsdparProfile
{
	int			nsizes;
	int			ndepths;
	double		sizes[SSDPAR_GRID_MAX]; /* bytes */
	double		depths[SSDPAR_GRID_MAX];
	double		iops[SSDPAR_PATTERNS][SSDPAR_GRID_MAX][SSDPAR_GRID_MAX];
	int			saturation_depth;	/* cached for every price */
	double		scan_bandwidth; /* cached for every partition */
} SsdparProfile;

/*
 * Builds PROFILE from points in any order.  Returns NULL, or a short message
 * that tells why they are not a profile.
 */
extern const char *ssdpar_profile_build(SsdparProfile *profile,
										const SsdparPoint *points,
										int npoints);

/*
 * Reads per second of REQUEST_SIZE bytes with QUEUE_DEPTH outstanding.
 * Between measured points, the logarithm is interpolated linearly in the
 * logarithms of size and depth.  Outside of them, depth is clamped to the
 * nearest measured one, smaller requests have the rate of the smallest
 * measured size, and larger requests have the bandwidth of the largest one.
 */
extern double ssdpar_profile_iops(const SsdparProfile *profile,
								  SsdparPattern pattern, double request_size,
								  double queue_depth);

/* The same in bytes per second. */
extern double ssdpar_profile_bandwidth(const SsdparProfile *profile,
									   SsdparPattern pattern,
									   double request_size,
									   double queue_depth);

/*
 * Mean latency of a request in microseconds: outstanding / throughput
 * (Little's law).
 */
extern double ssdpar_profile_latency(const SsdparProfile *profile,
									 SsdparPattern pattern,
									 double request_size,
									 double queue_depth);

/* Smallest measured depth with 90 % of the peak of 8 kB random reads. */
extern int	ssdpar_profile_saturation_depth(const SsdparProfile *profile);

/* Bytes per second of a large sequential scan at that depth. */
extern double ssdpar_profile_scan_bandwidth(const SsdparProfile *profile);

#endif							/* SSDPAR_INTERPOLATE_H */
