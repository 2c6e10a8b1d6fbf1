/*
 * part_cost.h
 *		A path of which only a part of the rows is asked for.
 *
 * Core takes it that a path's rows cost the same each, so that a LIMIT of a
 * hundredth of them costs a hundredth.  Lookups do not: the first ones read the
 * pages that later ones come back to.  A path's two costs are the ends of a
 * line, and the one that is asked for lies between them; so the line is laid
 * through that one and through the end.
 */
#ifndef SSDPAR_PART_COST_H
#define SSDPAR_PART_COST_H

#include "nodes/nodes.h"

/*
 * How many times as many rows as reckoned are looked at until as many have
 * passed as a LIMIT wants: those that pass do not lie as evenly as that takes
 * them to, and few of them make that many times more.
 */
#define SSDPAR_LATE_ROWS 2.0

/* The share that is to be expected, of one that is reckoned. */
static inline double
ssdpar_late_share(double share)
{
	return Min(share * SSDPAR_LATE_ROWS, 1.0);
}

/* What so great a share of the rows costs, as core has it. */
static inline Cost
ssdpar_cost_of_share(Cost startup, Cost total, double share)
{
	return startup + share * (total - startup);
}

/*
 * The startup cost of a path whose share of its rows, less than 1, costs
 * of_share; no less than startup, and no more than total.
 */
static inline Cost
ssdpar_startup_by_share(Cost startup, Cost total, double share, Cost of_share)
{
	Cost		through = (of_share - share * total) / (1.0 - share);

	return Min(Max(startup, through), total);
}

#endif							/* SSDPAR_PART_COST_H */
