/*
 * interpolate.h
 *		A device profile as numbers: the measured grid and what lies between
 *		its points.
 *
 * Pure: no server header, so that unit tests hold it alone.  How a profile
 * gets here from its table is profile.c's concern.
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

/* The size a heap page is read with, for the saturation depth. */
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
 * Axes ascend; every cell of both patterns is filled with a finite positive
 * number: ssdpar_profile_build() refuses anything else.
 */
typedef struct SsdparProfile
{
	int			nsizes;
	int			ndepths;
	double		sizes[SSDPAR_GRID_MAX]; /* bytes */
	double		depths[SSDPAR_GRID_MAX];
	double		iops[SSDPAR_PATTERNS][SSDPAR_GRID_MAX][SSDPAR_GRID_MAX];
	int			saturation_depth;	/* asked for with every price */
	double		scan_bandwidth; /* with every partition */
} SsdparProfile;

/*
 * Makes PROFILE from points in any order.  Returns NULL, or in a few words
 * why they are no profile.
 */
extern const char *ssdpar_profile_build(SsdparProfile *profile,
										const SsdparPoint *points,
										int npoints);

/*
 * Reads a second of REQUEST_SIZE bytes with QUEUE_DEPTH outstanding.  Between
 * measured points the logarithm is interpolated linearly in the logarithms of
 * size and depth.  Outside, depth is clamped to the nearest measured one; a
 * smaller request is as many a second as the smallest measured, and a larger
 * one moves as many bytes a second as the largest.
 */
extern double ssdpar_profile_iops(const SsdparProfile *profile,
								  SsdparPattern pattern, double request_size,
								  double queue_depth);

/* The same in bytes a second. */
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

/* Bytes a second of a large sequential scan at that depth. */
extern double ssdpar_profile_scan_bandwidth(const SsdparProfile *profile);

#endif							/* SSDPAR_INTERPOLATE_H */
