/*
 * part_cost.h
 *		Prices paths of which only a part of the rows is read.
 *
 * Core assumes that each row of a path costs the same, so a LIMIT of a
 * hundredth of them costs a hundredth.  This does not hold for lookups,
 * because the first ones read pages that later ones revisit.  Core
 * interpolates linearly between a path's startup and total cost.  Therefore,
 * we set the startup cost so that this line goes through the correct cost of
 * the part.
 */
#ifndef SSDPAR_PART_COST_H
#define SSDPAR_PART_COST_H

#include "nodes/nodes.h"

/*
 * Factor by which more rows than estimated are read until a LIMIT is reached,
 * because matching rows are not distributed evenly, and a few matches need not
 * be near the start.
 */
#define SSDPAR_LATE_ROWS 2.0

/* The share to expect, given the estimated share. */
static inline double
ssdpar_late_share(double share)
{
	return Min(share * SSDPAR_LATE_ROWS, 1.0);
}

/* Cost of this share of the rows, as core interpolates it. */
static inline Cost
ssdpar_cost_of_share(Cost startup, Cost total, double share)
{
	return startup + share * (total - startup);
}

/*
 * Startup cost of a path for which this share of its rows, less than 1, costs
 * of_share; limited to the range from startup to total.
 */
static inline Cost
ssdpar_startup_by_share(Cost startup, Cost total, double share, Cost of_share)
{
	Cost		through = (of_share - share * total) / (1.0 - share);

	return Min(Max(startup, through), total);
}

#endif							/* SSDPAR_PART_COST_H */
