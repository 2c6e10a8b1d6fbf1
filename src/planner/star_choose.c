/*
 * star_choose.c
 *		Offers star scans to the planner: for which tables, with which
 *		dimensions, by which access.
 *
 * A star scan is one more path of the fact's base relation.  Core compares it
 * with its own and puts the joins on top; nothing is decided here that would
 * keep core from another plan, unless ssdpar.star_access forces one.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "optimizer/cost.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/syscache.h"

#include "compat.h"
#include "planner/planning.h"
#include "planner/star_choose.h"
#include "planner/star_cost.h"
#include "planner/star_index.h"
#include "planner/star_path.h"
#include "planner/star_reducers.h"
#include "settings.h"

/*
 * Smaller tables are read in a few milliseconds from any SSD, and are usually
 * cached; planning for them would cost about as much as it could gain.
 */
#define LEAST_FACT_PAGES (8 * 1024 * 1024 / BLCKSZ)

static bool
is_forced(void)
{
	return ssdpar_star_access != SSDPAR_STAR_AUTO;
}

/* Row addresses mean what we think they mean only in heaps. */
static bool
is_heap(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	bool		heap;

	if (!HeapTupleIsValid(tuple))
		return false;
	heap = ((Form_pg_class) GETSTRUCT(tuple))->relam == HEAP_TABLE_AM_OID;
	ReleaseSysCache(tuple);
	return heap;
}

/* Is rel, a base relation or partition, a table that a star scan can read? */
static bool
is_scannable(PlannerInfo *root, RelOptInfo *rel)
{
	RangeTblEntry *rte = root->simple_rte_array[rel->relid];

	return rel->rtekind == RTE_RELATION && !rte->inh &&
		rte->tablesample == NULL && rte->relid >= FirstNormalObjectId &&
		(rte->relkind == RELKIND_RELATION ||
		 rte->relkind == RELKIND_MATVIEW) &&
		rel->pathlist != NIL && !IS_DUMMY_REL(rel) &&
		is_heap(rte->relid);
}

/* Pages of a base relation; those of a partitioned one are its leaves'. */
static double
fact_pages(PlannerInfo *root, RelOptInfo *rel)
{
	return rel->pages;
}

/* Could rel be a fact? */
static bool
is_fact(PlannerInfo *root, RelOptInfo *rel)
{
	return rel != NULL && rel->reloptkind == RELOPT_BASEREL &&
		rel->has_eclass_joins &&
		bms_is_empty(rel->lateral_relids) &&
		(is_forced() || fact_pages(root, rel) >= LEAST_FACT_PAGES) &&
		is_scannable(root, rel);
}

/* The largest fact that has not been looked at, or NULL. */
static RelOptInfo *
next_fact(PlannerInfo *root, Relids done)
{
	RelOptInfo *largest = NULL;

	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];

		if (!bms_is_member(rti, done) && is_fact(root, rel) &&
			(largest == NULL ||
			 fact_pages(root, rel) > fact_pages(root, largest)))
			largest = rel;
	}
	return largest;
}

/* Price a way to scan and add it to the paths of rel. */
static void
add_star_path(PlannerInfo *root, RelOptInfo *rel, SsdparStarParts *parts,
			  int workers)
{
	SsdparStarCost cost;
	CustomPath *path;

	if (!ssdpar_star_cost(root, rel, parts, workers, &cost) && !is_forced())
		return;
	parts->plan.pages = cost.pages;
	path = ssdpar_star_path(root, rel, parts, workers);
	path->path.rows = cost.rows;
	path->path.startup_cost = cost.startup;
	path->path.total_cost = cost.total;
	if (workers > 0)
		add_partial_path(rel, &path->path);
	else
		add_path(rel, &path->path);
}

/* Add one way to scan, and its twin for parallel processes. */
static void
add_star_paths(PlannerInfo *root, RelOptInfo *rel, SsdparStarParts *serial,
			   SsdparStarParts *parallel)
{
	SsdparStarCost cost;
	int			workers;

	add_star_path(root, rel, serial, 0);
	if (parallel == NULL)
		return;
	ssdpar_star_cost(root, rel, parallel, 0, &cost);
	workers = compute_parallel_worker(rel, cost.pages, -1,
									  max_parallel_workers_per_gather);
	if (workers > 0)
		add_star_path(root, rel, parallel, workers);
}

/* Keep the first n indexes that reducers have; false if there are fewer. */
static bool
use_indexes(RelOptInfo *rel, SsdparStarPlan *plan, int n)
{
	for (int i = 0; i < plan->nreducers; i++)
	{
		SsdparReducer *reducer = &plan->reducers[i];
		IndexOptInfo *index = n > 0 ?
			ssdpar_star_index(rel, reducer, &reducer->index_column) : NULL;

		reducer->index = index ? index->indexoid : InvalidOid;
		if (index)
			n--;
	}
	return n == 0;
}

/* All ways to scan rel, the fact or a partition, by these dimensions. */
static void
offer_scans(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
			List *dimensions)
{
	SsdparStarParts *serial = ssdpar_star_parts(root, fact, rel, dimensions,
												false);
	SsdparStarParts *parallel = rel->consider_parallel ?
		ssdpar_star_parts(root, fact, rel, dimensions, true) : NULL;

	if (serial == NULL)
		return;
	if (ssdpar_star_access != SSDPAR_STAR_BITMAP)
		add_star_paths(root, rel, serial, parallel);
	if (ssdpar_star_access == SSDPAR_STAR_SEQUENTIAL)
		return;
	serial->plan.access = SSDPAR_STAR_BITMAP;
	if (parallel)
		parallel->plan.access = SSDPAR_STAR_BITMAP;
	for (int n = 1; use_indexes(rel, &serial->plan, n); n++)
	{
		if (parallel)
			use_indexes(rel, &parallel->plan, n);
		add_star_paths(root, rel, serial, parallel);
	}
}

/* ssdpar.star_access: whatever else core has shall not be chosen. */
static void
disable_others(RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->pathlist)
		ssdpar_disable_path(lfirst(lc));
	rel->partial_pathlist = NIL;
}

/* Is there a way to scan rel of the kind that is forced? */
static bool
can_force(RelOptInfo *rel, SsdparStarParts *parts)
{
	if (parts == NULL)
		return false;
	if (ssdpar_star_access == SSDPAR_STAR_SEQUENTIAL ||
		use_indexes(rel, &parts->plan, 1))
		return true;
	ssdpar_note_left_to_core("no index leads from a dimension to the fact");
	return false;
}

static void
offer_star(PlannerInfo *root, RelOptInfo *fact, List *dimensions)
{
	if (is_forced())
	{
		if (!can_force(fact, ssdpar_star_parts(root, fact, fact, dimensions,
											   false)))
			return;
		disable_others(fact);
	}
	offer_scans(root, fact, fact, dimensions);
	set_cheapest(fact);
}

/*
 * Anything that could make a row come out that is not a plain read: row locks
 * recheck single rows later, in which the reducers have no say.
 */
static const char *
query_problem(PlannerInfo *root)
{
	if (root->parse->commandType != CMD_SELECT)
		return "the query changes rows";
	if (root->rowMarks != NIL || root->parse->rowMarks != NIL)
		return "the query locks rows";
	return NULL;
}

void
ssdpar_offer_star_scans(PlannerInfo *root)
{
	Relids		done = NULL;
	RelOptInfo *fact;

	if (!ssdpar_star_scan || root->join_rel_list != NIL ||
		root->eq_classes == NIL)
		return;
	while ((fact = next_fact(root, done)) != NULL)
	{
		const char *reason = query_problem(root);
		List	   *dimensions = NIL;

		done = bms_add_member(done, fact->relid);
		if (reason == NULL)
			dimensions = ssdpar_find_reducers(root, fact, &reason);
		if (dimensions == NIL)
		{
			ssdpar_note_left_to_core(reason);
			continue;
		}
		offer_star(root, fact, dimensions);
		done = bms_join(done, ssdpar_reducer_relids(dimensions));
	}
}
