/*
 * page_cost_override.h
 *		Lets core's own cost functions calculate with other page costs.
 */
#ifndef SSDPAR_PAGE_COST_OVERRIDE_H
#define SSDPAR_PAGE_COST_OVERRIDE_H

#include "nodes/pathnodes.h"

#include "cost/seen_paths.h"

/* What the planner settings are while core makes a table's index paths. */
typedef struct SsdparCoreCosts
{
	double		random_page;	/* of the table */
	double		sequential_page;
	double		page_again;		/* one that the query has read before */
	double		runs;			/* that share the pages they read, >= 1 */
	int			index_workers;	/* reading the index at once; 0: one process */
	bool		index_scans;	/* wanted: these, or bitmap scans, or both */
	bool		bitmap_scans;
} SsdparCoreCosts;

/* An index scan, by one run or many, and what was estimated for a run. */
typedef struct SsdparEstimatedScan
{
	PlannerInfo *root;
	const IndexPath *path;
	double		loop_count;		/* runs, >= 1 */
	const SsdparIndexEstimate *estimate;
	int			workers;		/* reading the index at once; 0: one process */
} SsdparEstimatedScan;

/* Where the costs of a watched table come from. */
typedef struct SsdparPricer
{
	/*
	 * Asked when core is about to price the first of the table's index paths,
	 * with nothing but sequential scans among its paths yet.  NULL leaves the
	 * table to core; ssdpar_core_costs_leave() returns anything else.
	 */
	void	   *(*price_table) (PlannerInfo *root, RelOptInfo *rel,
								SsdparCoreCosts *costs);

	/* The cost of a page of an index of that table, on its tablespace. */
	Cost		(*price_index) (const void *priced, const IndexOptInfo *index,
								Oid tablespace, int workers);

	/* What a run's pages of the index take less than the estimate has it. */
	Cost		(*price_leaves) (const void *priced,
								 const SsdparEstimatedScan *scan,
								 Oid tablespace);

	/*
	 * The cost of a page of the table, which is lower than random_page, that
	 * of a page waited for, if the kernel reads it ahead.
	 */
	Cost		(*price_page) (const void *priced,
							   const SsdparEstimatedScan *scan,
							   Cost random_page);
} SsdparPricer;

/*
 * Have core's pricing of this table's index paths ask, while it is planned, and
 * give them no more workers than that; below 0: as many as it likes.
 */
extern void ssdpar_core_costs_watch(RelOptInfo *rel,
									const SsdparPricer *pricer, int workers);

/*
 * Core has made the table's paths: the settings are the user's again.  Returns
 * what the table's prices came from, or NULL if core priced it by itself, and
 * in *seen the index paths considered, as a List of SsdparSeenPath.
 */
extern void *ssdpar_core_costs_leave(RelOptInfo *rel, List **seen);

/* The same of a table whose paths core has made, at any time after. */
extern void *ssdpar_core_costs_of(RelOptInfo *rel, List **seen);

/*
 * Core has made the table's paths, and before anything else is done with them
 * it is going to make them once more: have it ask again.
 */
extern void ssdpar_core_costs_again(RelOptInfo *rel);

/*
 * From use to restore core prices paths of a watched table, whose own paths it
 * has made, with these costs.
 */
extern void ssdpar_core_costs_use(RelOptInfo *rel,
								  const SsdparCoreCosts *costs);
extern void ssdpar_core_costs_restore(RelOptInfo *rel);

/* The settings that are changed. */
typedef struct SsdparPlannerSettings
{
	double		random_page;
	double		sequential_page;
	uint64		scan_kinds;
	int			workers_per_gather;
} SsdparPlannerSettings;

/*
 * The planning of one statement is put between begin and end.  It may come in
 * the midst of another's, by a function that is called to estimate something:
 * the settings are the user's then, and what end puts back after it.  They are
 * the user's, too, after a statement that has failed.
 */
typedef struct SsdparOuterStatement
{
	bool		planning;
	struct SsdparWatched *watched;
	struct SsdparWatched *under_way;
	SsdparPlannerSettings changed;
} SsdparOuterStatement;

extern bool ssdpar_core_costs_in_use(void); /* between begin and end? */

/*
 * For assertions: are the planner settings the user's now and, unless rel is
 * NULL, the tablespaces of rel and its indexes their own?
 */
extern bool ssdpar_core_costs_are_users(const RelOptInfo *rel);

extern void ssdpar_core_costs_begin(SsdparOuterStatement *outer);

/*
 * An error: of the table that is under way the settings alone are put back,
 * since nothing else of it is left.
 */
extern void ssdpar_core_costs_put_back(void);
extern void ssdpar_core_costs_end(const SsdparOuterStatement *outer);

#endif							/* SSDPAR_PAGE_COST_OVERRIDE_H */
