/*
 * monotone.c
 *		Removes dips caused by noise from a measured profile.
 *
 * With more requests outstanding, a device has more to choose from, and a
 * larger request could have been made as several smaller ones, so neither can
 * make the device slower.  However, measurements of a shared device may show
 * such dips, and the planner would believe them: for example, it would prefer
 * one process to three that have "too much" outstanding.
 *
 * We use isotonic regression of the logarithms, by pooling adjacent violators
 * (Ayer, Brunk, Ewing, Reid, Silverman 1955), along both axes alternately
 * until both are monotone (projections onto two convex sets).
 */
#include "monotone.h"

#include <math.h>

/* Rounds over both axes; two suffice for nearly every profile. */
#define ROUNDS 32

/* Logarithms that differ by less are considered equal. */
#define SAME 1e-9

/* Logarithms of bytes per second, of one pattern. */
typedef double Grid[SSDPAR_GRID_MAX][SSDPAR_GRID_MAX];

/* Adjacent points that have been merged. */
typedef struct Pool
{
	double		sum;
	int			count;
} Pool;

static double
mean_of(const Pool *pool)
{
	return pool->sum / pool->count;
}

/* Handles COUNT values at a distance of STRIDE. */
static void
pool_violators(double *values, int count, int stride)
{
	Pool		pools[SSDPAR_GRID_MAX];
	int			npools = 0;
	int			done = 0;

	for (int i = 0; i < count; i++)
	{
		pools[npools++] = (Pool) {values[i * stride], 1};
		while (npools > 1 &&
			   mean_of(&pools[npools - 2]) > mean_of(&pools[npools - 1]))
		{
			npools--;
			pools[npools - 1].sum += pools[npools].sum;
			pools[npools - 1].count += pools[npools].count;
		}
	}
	for (int p = 0; p < npools; p++)
	{
		for (int i = 0; i < pools[p].count && pools[p].count > 1; i++)
			values[(done + i) * stride] = mean_of(&pools[p]);
		done += pools[p].count;
	}
}

static bool
rises(const double *values, int count, int stride)
{
	for (int i = 1; i < count; i++)
		if (values[i * stride] < values[(i - 1) * stride] - SAME)
			return false;
	return true;
}

/* Handles depths last, so that these are exactly monotone. */
static bool
make_grid_monotone(Grid grid, int nsizes, int ndepths)
{
	bool		monotone = true;

	for (int d = 0; d < ndepths; d++)
		pool_violators(&grid[0][d], nsizes, SSDPAR_GRID_MAX);
	for (int s = 0; s < nsizes; s++)
		pool_violators(grid[s], ndepths, 1);
	for (int d = 0; d < ndepths; d++)
		monotone = monotone && rises(&grid[0][d], nsizes, SSDPAR_GRID_MAX);
	return monotone;
}

static void
make_pattern_monotone(SsdparProfile *profile, int pattern)
{
	double		(*iops)[SSDPAR_GRID_MAX] = profile->iops[pattern];
	Grid		measured;
	Grid		grid;

	for (int s = 0; s < profile->nsizes; s++)
		for (int d = 0; d < profile->ndepths; d++)
			measured[s][d] = grid[s][d] = log(iops[s][d] * profile->sizes[s]);
	for (int round = 0; round < ROUNDS; round++)
		if (make_grid_monotone(grid, profile->nsizes, profile->ndepths))
			break;
	for (int s = 0; s < profile->nsizes; s++)
		for (int d = 0; d < profile->ndepths; d++)
			if (fabs(grid[s][d] - measured[s][d]) > SAME)
				iops[s][d] *= exp(grid[s][d] - measured[s][d]);
}

void
ssdpar_profile_make_monotone(SsdparProfile *profile)
{
	for (int pattern = 0; pattern < SSDPAR_PATTERNS; pattern++)
		make_pattern_monotone(profile, pattern);
}
