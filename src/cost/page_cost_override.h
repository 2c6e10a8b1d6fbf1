/*
 * page_cost_override.h
 *		Makes core's cost functions use other page costs.
 */
#ifndef SSDPAR_PAGE_COST_OVERRIDE_H
#define SSDPAR_PAGE_COST_OVERRIDE_H

#include "nodes/pathnodes.h"

#include "cost/seen_paths.h"

/* The planner settings while core makes a table's index paths. */
typedef struct SsdparCoreCosts
{
	double		random_page;	/* of the table */
	double		sequential_page;
	double		page_again;		/* one that the query has read before */
	double		runs;			/* that share the pages they read, >= 1 */
	int			index_workers;	/* reading the index; 0: one process */
	bool		index_scans;	/* at least one of these is wanted */
	bool		bitmap_scans;
} SsdparCoreCosts;

/* An index scan, in one or more runs, with the estimate for one run. */
typedef struct SsdparEstimatedScan
{
	PlannerInfo *root;
	const IndexPath *path;
	double		loop_count;		/* runs, >= 1 */
	const SsdparIndexEstimate *estimate;
	int			workers;		/* reading the index; 0: one process */
} SsdparEstimatedScan;

/* Functions that provide the costs of a watched table. */
typedef struct SsdparPricer
{
	/*
	 * Called when core is about to price the table's first index path; its
	 * other paths are sequential scans at that time.  NULL leaves the table
	 * to core; any other result is passed on by ssdpar_core_costs_leave().
	 */
	void	   *(*price_table) (PlannerInfo *root, RelOptInfo *rel,
								SsdparCoreCosts *costs);

	/* Cost of a page of an index of that table, on its tablespace. */
	Cost		(*price_index) (const void *priced, const IndexOptInfo *index,
								Oid tablespace, int workers);

	/* Amount by which the estimate for a run's index pages is too high. */
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
 * Make core's pricing of this table's index paths ask while the statement is
 * planned.
 */
extern void ssdpar_core_costs_watch(RelOptInfo *rel,
									const SsdparPricer *pricer);

/*
 * To be called when core has made the table's paths: restores the user's
 * settings.  Returns the result of price_table(), or NULL if core's prices
 * were used.  Sets *seen to the index paths considered, a List of
 * SsdparSeenPath.
 */
extern void *ssdpar_core_costs_leave(RelOptInfo *rel, List **seen);

/* The same for a table whose paths core has made, at any later time. */
extern void *ssdpar_core_costs_of(RelOptInfo *rel, List **seen);

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
} SsdparPlannerSettings;

/*
 * To be called when planning of a statement begins and ends.  The statement
 * may be nested, in a function called for an estimate.  During it, the
 * settings are the user's, and end() restores those of the outer statement.
 * After an error, they are the user's as well.
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
 * For assertions: are the planner settings the user's, and, unless rel is
 * NULL, do rel and its indexes have their original tablespaces?
 */
extern bool ssdpar_core_costs_are_users(const RelOptInfo *rel);

extern void ssdpar_core_costs_begin(SsdparOuterStatement *outer);

/* After an error: restores only the settings, because the relation is gone. */
extern void ssdpar_core_costs_put_back(void);
extern void ssdpar_core_costs_end(const SsdparOuterStatement *outer);

#endif							/* SSDPAR_PAGE_COST_OVERRIDE_H */
