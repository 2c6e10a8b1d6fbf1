/*
 * star_cost.h
 *		What a star scan costs.
 */
#ifndef SSDPAR_STAR_COST_H
#define SSDPAR_STAR_COST_H

#include "nodes/pathnodes.h"

#include "planner/star_path.h"

typedef struct SsdparStarCost
{
	double		startup;		/* planner units */
	double		total;
	double		rows;			/* that one process produces */
	double		pages;			/* of the table read, in all */
} SsdparStarCost;

/*
 * The cost of this star scan of rel by so many workers (0: none, not
 * parallel).  False if it cannot be compared with core's costs, since there is
 * no device profile: then it is good for comparing star scans.
 */
extern bool ssdpar_star_cost(PlannerInfo *root, RelOptInfo *rel,
							 const SsdparStarParts *parts, int workers,
							 SsdparStarCost *cost);

#endif							/* SSDPAR_STAR_COST_H */
