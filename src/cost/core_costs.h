/*
 * core_costs.h
 *		Lets core's own cost functions calculate with other page costs.
 */
#ifndef SSDPAR_CORE_COSTS_H
#define SSDPAR_CORE_COSTS_H

#include "nodes/pathnodes.h"

/* What the planner settings are for one call of create_index_paths(). */
typedef struct SsdparCoreCosts
{
	double		random_page;	/* of the table */
	double		sequential_page;
	double		page_again;		/* one that the query has read before */
	const double *index_pages;	/* any page of each index, as in indexlist */
	bool		index_scans;	/* wanted: these, or bitmap scans, or both */
	bool		bitmap_scans;
} SsdparCoreCosts;

/*
 * Core's create_index_paths(), with these costs.  The settings are back when
 * it returns, also by an error.
 */
extern void ssdpar_create_index_paths(PlannerInfo *root, RelOptInfo *rel,
									  const SsdparCoreCosts *costs);

/* create_seqscan_path() with pages that cost nothing. */
extern Path *ssdpar_create_free_seqscan(PlannerInfo *root, RelOptInfo *rel,
										int workers);

/*
 * While another statement is planned in the midst of it, by a function called
 * to estimate something, the settings must be the user's: suspend returns what
 * resume, which must follow, puts back.
 */
typedef struct SsdparSuspended SsdparSuspended;
extern SsdparSuspended *ssdpar_core_costs_suspend(void);
extern void ssdpar_core_costs_resume(SsdparSuspended *suspended);

#endif							/* SSDPAR_CORE_COSTS_H */
