/*
 * star_choose.c
 *		Offers star scans to the planner: decides for which tables.
 *
 * A star scan is one more path of the fact's base relation, or of the
 * partitions that it consists of.  Core compares it with its own and puts the
 * joins on top; nothing is decided here that would keep core from another
 * plan, unless ssdpar.star_access forces a star scan.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "optimizer/cost.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "port/pg_bitutils.h"
#include "utils/syscache.h"

#include "compat.h"
#include "planner/planning.h"
#include "planner/star_choose.h"
#include "planner/star_enter.h"
#include "planner/star_reducers.h"
#include "planner/star_ways.h"
#include "settings.h"
#include "starscan/star_plan.h"

static bool offer_scans(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
						List *dimensions);

static bool
is_forced(void)
{
	return ssdpar_star_access != SSDPAR_STAR_AUTO;
}

static bool
is_parent(PlannerInfo *root, RelOptInfo *rel)
{
	return root->simple_rte_array[rel->relid]->inh;
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

	return rte->tablesample == NULL && rte->relid >= FirstNormalObjectId &&
		(rte->relkind == RELKIND_RELATION ||
		 rte->relkind == RELKIND_MATVIEW) &&
		bms_is_empty(rel->lateral_relids) &&
		rel->pathlist != NIL && is_heap(rte->relid);
}

/* The partitions of rel, one level down, that are to be read. */
static List *
live_partitions(PlannerInfo *root, RelOptInfo *rel)
{
	List	   *partitions = NIL;
	ListCell   *lc;

	foreach(lc, root->append_rel_list)
	{
		AppendRelInfo *appended = lfirst(lc);
		RelOptInfo *partition;

		if (appended->parent_relid != rel->relid)
			continue;
		partition = root->simple_rel_array[appended->child_relid];
		if (partition != NULL && partition->pathlist != NIL &&
			!IS_DUMMY_REL(partition))
			partitions = lappend(partitions, partition);
	}
	return partitions;
}

/* Pages of a table; those of a parent are its partitions'. */
static double
count_pages(PlannerInfo *root, RelOptInfo *rel)
{
	double		pages = 0;
	ListCell   *lc;

	if (!is_parent(root, rel))
		return rel->pages;
	foreach(lc, live_partitions(root, rel))
		pages += count_pages(root, lfirst(lc));
	return pages;
}

/*
 * Could rel, a base relation of so many pages, be a fact?  The size is that
 * from which on the cost model prices core's scans of it, since it is with
 * those that a star scan competes.
 */
static bool
is_fact(PlannerInfo *root, RelOptInfo *rel, double pages)
{
	return rel->rtekind == RTE_RELATION && rel->has_eclass_joins &&
		!IS_DUMMY_REL(rel) &&
		(is_forced() ||
		 pages * (BLCKSZ / 1024.0) >= ssdpar_cost_model_min_size) &&
		(is_parent(root, rel) || is_scannable(root, rel));
}

/* The largest fact that has not been looked at, or NULL. */
static RelOptInfo *
next_fact(PlannerInfo *root, Relids done)
{
	RelOptInfo *largest = NULL;
	double		largest_pages = 0;
	int			rti = -1;

	while ((rti = bms_next_member(root->all_baserels, rti)) >= 0)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];
		double		pages;

		if (bms_is_member(rti, done))
			continue;
		pages = count_pages(root, rel);
		if ((largest == NULL || pages > largest_pages) &&
			is_fact(root, rel, pages))
		{
			largest = rel;
			largest_pages = pages;
		}
	}
	return largest;
}

/* The paths of rel before star scans were added to them. */
typedef struct Others
{
	List	   *paths;
	List	   *partial_paths;
} Others;

/*
 * ssdpar.star_access: whatever else there is shall not be chosen.  Put aside
 * while star scans are added, or these might lose at once.
 */
static Others
set_others_aside(RelOptInfo *rel)
{
	Others		others = {rel->pathlist, rel->partial_pathlist};

	if (is_forced())
	{
		rel->pathlist = NIL;
		rel->partial_pathlist = NIL;
	}
	return others;
}

static void
take_others_back(RelOptInfo *rel, Others others, bool added)
{
	ListCell   *lc;

	if (!is_forced())
		return;
	if (!added)
		rel->partial_pathlist = others.partial_paths;
	foreach(lc, others.paths)
	{
		if (added)
			ssdpar_disable_path(lfirst(lc));
		rel->pathlist = lappend(rel->pathlist, lfirst(lc));
	}
}

/* The workers that core gives to an Append of these, of at least one. */
static int
append_workers(List *paths)
{
	int			workers = 0;
	ListCell   *lc;

	foreach(lc, paths)
		workers = Max(workers, ((Path *) lfirst(lc))->parallel_workers);
	if (enable_parallel_append)
		workers = Max(workers,
					  pg_leftmost_one_pos32(list_length(paths)) + 1);
	return Min(workers, max_parallel_workers_per_gather);
}

/* Append the best of each partition. */
static void
append_partitions(PlannerInfo *root, RelOptInfo *rel, List *partitions)
{
	List	   *paths = NIL;
	List	   *partial_paths = NIL;
	ListCell   *lc;
	int			workers;

	foreach(lc, partitions)
	{
		RelOptInfo *partition = lfirst(lc);

		paths = lappend(paths, partition->cheapest_total_path);
		if (partition->partial_pathlist != NIL)
			partial_paths = lappend(partial_paths,
									linitial(partition->partial_pathlist));
	}
	ssdpar_enter_path(rel, (Path *)
					  create_append_path(root, rel, paths, NIL, NIL, NULL, 0,
										 false, -1));
	if (!rel->consider_parallel || ssdpar_subqueries == 1 ||
		list_length(partial_paths) < list_length(partitions))
		return;
	workers = append_workers(partial_paths);
	if (workers > 0)
		ssdpar_enter_partial_path(rel, (Path *)
								  create_append_path(root, rel, NIL,
													 partial_paths, NIL, NULL,
													 workers,
													 enable_parallel_append,
													 -1));
}

/* Star scans of the partitions of rel, and what they add up to. */
static bool
offer_partitions(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
				 List *dimensions)
{
	List	   *partitions = live_partitions(root, rel);
	bool		added = false;
	ListCell   *lc;

	foreach(lc, partitions)
	{
		RelOptInfo *partition = lfirst(lc);

		if (is_parent(root, partition) || is_scannable(root, partition))
			added |= offer_scans(root, fact, partition, dimensions);
		if (partition->cheapest_total_path == NULL ||
			partition->cheapest_total_path->param_info != NULL)
			return false;
	}
	if (added)
		append_partitions(root, rel, partitions);
	return added;
}

/* Offer star scans of rel, the fact or a part of it; false: there is none. */
static bool
offer_scans(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
			List *dimensions)
{
	Others		others = set_others_aside(rel);
	bool		added = is_parent(root, rel) ?
		offer_partitions(root, fact, rel, dimensions) :
		ssdpar_add_star_ways(root, fact, rel, dimensions);

	take_others_back(rel, others, added);
	if (added)
		set_cheapest(rel);
	return added;
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
		if (offer_scans(root, fact, fact, dimensions))
			ssdpar_note_star_offered();
		done = bms_join(done, ssdpar_reducer_relids(dimensions));
	}
}
