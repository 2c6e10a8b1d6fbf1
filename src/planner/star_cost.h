/*
 * star_cost.h
 *		What a star scan costs.
 */
#ifndef SSDPAR_STAR_COST_H
#define SSDPAR_STAR_COST_H

#include "nodes/pathnodes.h"

#include "cost/context.h"
#include "planner/star_work.h"

typedef struct SsdparStarCost
{
	double		startup;		/* planner units */
	double		total;
	double		rows;			/* that one process produces */
	double		pages;			/* of the table read, in all */
} SsdparStarCost;

/* What the star scans of a table by so many workers are priced with. */
typedef struct SsdparStarPricing
{
	RelOptInfo *rel;
	int			workers;		/* 0: none, not parallel */
	double		processes;
	bool		modelled;		/* else there is no profile: costs are good for
								 * comparing star scans with each other only */
	SsdparModel model;
	SsdparResidency resident;
	double		random_page;	/* without a profile */
	double		sequential_page;
} SsdparStarPricing;

/* For one process; then for so many workers, of the same table. */
extern void ssdpar_star_pricing(PlannerInfo *root, RelOptInfo *rel,
								SsdparStarPricing *pricing);
extern void ssdpar_star_pricing_workers(SsdparStarPricing *pricing,
										int workers);

/* Planner units of asking a branch's index, whatever the workers. */
extern Cost ssdpar_star_index_cost(const SsdparStarPricing *pricing,
								   const SsdparStarBranch *branch);

extern void ssdpar_star_cost(const SsdparStarPricing *pricing,
							 const SsdparStarWay *way, SsdparStarCost *cost);

#endif							/* SSDPAR_STAR_COST_H */
