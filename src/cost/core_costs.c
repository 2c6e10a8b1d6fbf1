/*
 * core_costs.c
 *		Lets core's own cost functions calculate with other page costs.
 *
 * Core prices an index path while it makes it and drops what loses at once,
 * and its formulas (pages fetched, correlation, repeated scans) are good; only
 * its page costs are folklore, and one number for tables and indexes, at any
 * depth.  All of them come out of get_tablespace_page_costs() and the index's
 * amcostestimate, so for the time of one call
 *
 *	- seq_page_cost and random_page_cost are the model's for the table;
 *	- each index has an amcostestimate that sets them to the model's for the
 *	  index and calls the real one;
 *	- where a tablespace has page costs of its own, the relations name one that
 *	  does not exist, for which core takes the settings.
 *
 * Which costs is reprice.c's business.
 */
#include "postgres.h"

#include "access/amapi.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/spccache.h"

#include "compat.h"
#include "cost/core_costs.h"

/* No tablespace ever has this OID: it is that of the database template1. */
#define NO_TABLESPACE ((Oid) 1)

/* The planner settings that are changed. */
typedef struct PlannerSettings
{
	double		random_page;
	double		sequential_page;
	uint64		scan_kinds;
} PlannerSettings;

/* One call under way. */
typedef struct Call
{
	RelOptInfo *rel;
	const SsdparCoreCosts *costs;
	PlannerSettings users;
	amcostestimate_function *estimators;	/* as in indexlist */
	Oid		   *index_tablespaces;
	Oid			tablespace;
} Call;

struct SsdparSuspended
{
	Call	   *call;
	PlannerSettings changed;
};

static Call *call_under_way = NULL;

static PlannerSettings
get_settings(RelOptInfo *rel)
{
	PlannerSettings settings = {random_page_cost, seq_page_cost,
	ssdpar_get_scan_kinds(rel)};

	return settings;
}

static void
put_settings(RelOptInfo *rel, const PlannerSettings *settings)
{
	random_page_cost = settings->random_page;
	seq_page_cost = settings->sequential_page;
	ssdpar_put_scan_kinds(rel, settings->scan_kinds);
}

/*
 * What it costs to come back to pages of the table, a scan.  Rows that are not
 * in the order of the index each ask for their page; core takes a page that
 * has been read before for free (Mackert and Lohman), but it has to be found
 * in shared buffers, or copied from the page cache if the table does not fit
 * there.  A bitmap scan asks once for each page.
 */
static Cost
pages_again_cost(PlannerInfo *root, const Call *call, const IndexPath *path,
				 double loop_count, double selectivity, double correlation)
{
	RelOptInfo *rel = call->rel;
	double		rows = clamp_row_est(selectivity * rel->tuples);
	double		fetched = index_pages_fetched(rows * loop_count, rel->pages,
											  path->indexinfo->pages, root) /
		loop_count;
	double		again;

	if (!call->costs->index_scans)
		rows = Min(rows, rel->pages);
	again = Max(rows - fetched, 0.0) * (1.0 - correlation * correlation);
	if (path->path.pathtype == T_IndexOnlyScan)
		again *= 1.0 - rel->allvisfrac;
	return again * call->costs->page_again;
}

/* Stands in for the amcostestimate of every index of the relation. */
static void
estimate_index(PlannerInfo *root, IndexPath *path, double loop_count,
			   Cost *startup, Cost *total, Selectivity *selectivity,
			   double *correlation, double *pages)
{
	Call	   *call = call_under_way;
	PlannerSettings table = get_settings(call->rel);
	int			place = 0;
	ListCell   *lc;

	foreach(lc, call->rel->indexlist)
	{
		if (lfirst(lc) == path->indexinfo)
			break;
		place++;
	}
	Assert(place < list_length(call->rel->indexlist));
	random_page_cost = seq_page_cost = call->costs->index_pages[place];
	call->estimators[place] (root, path, loop_count, startup, total,
							 selectivity, correlation, pages);
	put_settings(call->rel, &table);
	*total += pages_again_cost(root, call, path, loop_count, *selectivity,
							   *correlation);
}

static bool
has_own_page_costs(Oid tablespace)
{
	double		random_page;
	double		sequential_page;

	get_tablespace_page_costs(tablespace, &random_page, &sequential_page);
	return random_page != random_page_cost ||
		sequential_page != seq_page_cost;
}

/*
 * Undone by leave_call(), also after an error half way.  Paths of the wrong
 * kind are disabled rather than left out, so that they cannot win against
 * those that are wanted.
 */
static void
enter_call(Call *call, RelOptInfo *rel, const SsdparCoreCosts *costs)
{
	int			place = 0;
	ListCell   *lc;

	call->rel = rel;
	call->costs = costs;
	call->users = get_settings(rel);
	call->tablespace = rel->reltablespace;
	call->estimators = palloc_array(amcostestimate_function,
									list_length(rel->indexlist));
	call->index_tablespaces = palloc_array(Oid, list_length(rel->indexlist));
	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);

		call->estimators[place] =
			(amcostestimate_function) index->amcostestimate;
		call->index_tablespaces[place++] = index->reltablespace;
	}
}

static void
change_settings(Call *call)
{
	const SsdparCoreCosts *costs = call->costs;
	ListCell   *lc;

	random_page_cost = costs->random_page;
	seq_page_cost = costs->sequential_page;
	if (!costs->index_scans)
		ssdpar_disable_scan_kind(call->rel, true);
	if (!costs->bitmap_scans)
		ssdpar_disable_scan_kind(call->rel, false);
	if (has_own_page_costs(call->rel->reltablespace))
		call->rel->reltablespace = NO_TABLESPACE;
	foreach(lc, call->rel->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);

		index->amcostestimate = estimate_index;
		if (has_own_page_costs(index->reltablespace))
			index->reltablespace = NO_TABLESPACE;
	}
}

static void
leave_call(Call *call)
{
	int			place = 0;
	ListCell   *lc;

	put_settings(call->rel, &call->users);
	call->rel->reltablespace = call->tablespace;
	foreach(lc, call->rel->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);

		index->amcostestimate = call->estimators[place];
		index->reltablespace = call->index_tablespaces[place++];
	}
}

void
ssdpar_create_index_paths(PlannerInfo *root, RelOptInfo *rel,
						  const SsdparCoreCosts *costs)
{
	Call	   *outer = call_under_way;
	Call		call;

	enter_call(&call, rel, costs);
	call_under_way = &call;
	PG_TRY();
	{
		change_settings(&call);
		create_index_paths(root, rel);
	}
	PG_FINALLY();
	{
		leave_call(&call);
		call_under_way = outer;
	}
	PG_END_TRY();
}

/*
 * Core's cost of a sequential scan is pages * seq_page_cost and the CPU's; the
 * former is taken off again.  (It evaluates no function, so there is nothing
 * to be guarded against.)
 */
Path *
ssdpar_create_free_seqscan(PlannerInfo *root, RelOptInfo *rel, int workers)
{
	Path	   *path = create_seqscan_path(root, rel,
										   workers > 0 ? NULL :
										   rel->lateral_relids, workers);
	double		page_cost;

	get_tablespace_page_costs(rel->reltablespace, NULL, &page_cost);
	path->total_cost -= page_cost * rel->pages;
	return path;
}

SsdparSuspended *
ssdpar_core_costs_suspend(void)
{
	SsdparSuspended *suspended;

	if (call_under_way == NULL)
		return NULL;
	suspended = palloc(sizeof(SsdparSuspended));
	suspended->call = call_under_way;
	suspended->changed = get_settings(call_under_way->rel);
	put_settings(call_under_way->rel, &call_under_way->users);
	call_under_way = NULL;
	return suspended;
}

void
ssdpar_core_costs_resume(SsdparSuspended *suspended)
{
	if (suspended == NULL)
		return;
	call_under_way = suspended->call;
	put_settings(call_under_way->rel, &suspended->changed);
}
