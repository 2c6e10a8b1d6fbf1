/*
 * fetched_cost.h
 *		The cost of as many of a path's rows as are expected to be fetched.
 */
#ifndef SSDPAR_FETCHED_COST_H
#define SSDPAR_FETCHED_COST_H

#include "nodes/pathnodes.h"

static inline Cost
ssdpar_fetched_cost(const PlannerInfo *root, const Path *path)
{
	double		fraction = root->tuple_fraction;

	if (fraction >= 1.0)
		fraction /= path->rows;
	if (fraction <= 0.0 || fraction >= 1.0)
		return path->total_cost;
	return path->startup_cost +
		fraction * (path->total_cost - path->startup_cost);
}

#endif							/* SSDPAR_FETCHED_COST_H */
