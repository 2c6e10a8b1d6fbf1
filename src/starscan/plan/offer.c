/*
 * offer.c
 *		Offers star scans to the planner: for which facts, and how those of
 *		partitions add up.
 *
 * A star scan is one more path of the fact's base relation, or of the
 * partitions that it consists of.  Core compares it with its own and puts the
 * joins on top; nothing is decided here that would keep core from another
 * plan, unless ssdpar.star_access forces a star scan.
 */
#include "postgres.h"

#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "port/pg_bitutils.h"
#include "utils/syscache.h"

#include "base/notes.h"
#include "base/plain_table.h"
#include "base/planner_compat.h"
#include "base/settings.h"
#include "star/semijoin.h"
#include "star/star.h"
#include "starscan/plan/add_path.h"
#include "starscan/plan/offer.h"
#include "starscan/plan/search.h"

static bool offer_scans(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
						List *dimensions);

/*
 * Is rel, a base relation or partition, a table that a star scan can read?
 * Row addresses mean what we think they mean only in heaps.
 */
static bool
is_scannable(PlannerInfo *root, RelOptInfo *rel)
{
	Oid			table = root->simple_rte_array[rel->relid]->relid;
	HeapTuple	tuple;
	bool		heap;

	if (!ssdpar_is_plain_table(root, rel) ||
		!bms_is_empty(rel->lateral_relids) || rel->pathlist == NIL)
		return false;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	if (!HeapTupleIsValid(tuple))
		return false;
	heap = ((Form_pg_class) GETSTRUCT(tuple))->relam == HEAP_TABLE_AM_OID;
	ReleaseSysCache(tuple);
	return heap;
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

/*
 * Append the best path of each partition.  Core has appended what was the best
 * before star scans were among them.
 */
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
	ssdpar_add_path(rel,
					ssdpar_append_path(root, rel, paths, NIL, 0, false));
	if (!rel->consider_parallel || ssdpar_subqueries == 1 ||
		list_length(partial_paths) < list_length(partitions))
		return;
	workers = append_workers(partial_paths);
	if (workers > 0)
		ssdpar_add_partial_path(rel,
								ssdpar_append_path(root, rel, NIL,
												   partial_paths, workers,
												   enable_parallel_append));
}

/* Star scans of the partitions of rel, and what they add up to. */
static bool
offer_partitions(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
				 List *dimensions)
{
	List	   *partitions = ssdpar_live_partitions(root, rel);
	bool		added = false;
	ListCell   *lc;

	foreach(lc, partitions)
	{
		RelOptInfo *partition = lfirst(lc);

		if (ssdpar_is_parent(root, partition) || is_scannable(root, partition))
			added |= offer_scans(root, fact, partition, dimensions);
		if (partition->cheapest_total_path == NULL ||
			partition->cheapest_total_path->param_info != NULL)
			return false;
	}
	if (added)
		append_partitions(root, rel, partitions);
	return added;
}

/*
 * Offer star scans of rel, the fact or a part of it; false: there is none.
 *
 * A forced access: whatever else there is shall not be chosen.  It is put aside
 * while star scans are added, or these might lose at once, and comes back
 * disabled, since rescans, parameters and sort orders may need it.
 */
static bool
offer_scans(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
			List *dimensions)
{
	bool		forced = ssdpar_star_access != SSDPAR_STAR_AUTO;
	List	   *others = rel->pathlist;
	List	   *other_partials = rel->partial_pathlist;
	bool		added;
	ListCell   *lc;

	/* a join relation's paths would refer to those that are taken out here */
	Assert(root->join_rel_list == NIL);
	if (forced)
	{
		rel->pathlist = NIL;
		rel->partial_pathlist = NIL;
	}
	added = ssdpar_is_parent(root, rel) ?
		offer_partitions(root, fact, rel, dimensions) :
		ssdpar_add_star_scans(root, fact, rel, dimensions);
	if (forced && !added)
	{
		rel->pathlist = list_concat(rel->pathlist, others);
		rel->partial_pathlist = other_partials;
	}
	else if (forced)
	{
		/* what is left when all the others are disabled */
		Assert(rel->pathlist != NIL);
		foreach(lc, others)
		{
			ssdpar_disable_path(lfirst(lc));
			rel->pathlist = lappend(rel->pathlist, lfirst(lc));
		}
	}
	if (added)
		set_cheapest(rel);

	/* joins are built on it: it must not be one of those taken out */
	Assert(list_member_ptr(rel->pathlist, rel->cheapest_total_path));
	return added;
}

/*
 * How often a condition is computed depends on which rows come to it, and a
 * star scan leaves most away.  So nothing volatile, not only in the fact's own
 * filter: also in those of joins and of subqueries.  What is computed of the
 * result, as often as it has rows, does no harm.
 */
static bool
has_volatile_conditions(PlannerInfo *root, RelOptInfo *fact)
{
	Query		query = *root->parse;
	ListCell   *lc;

	query.targetList = NIL;
	if (contain_volatile_functions((Node *) &query) ||
		contain_volatile_functions((Node *) fact->baserestrictinfo))
		return true;
	foreach(lc, root->glob->subroots)
		if (contain_volatile_functions((Node *)
									   lfirst_node(PlannerInfo, lc)->parse))
			return true;
	return false;
}

void
ssdpar_offer_star_scans(PlannerInfo *root)
{
	/*
	 * Star scans compete with core's scans, so a fact is large enough if the
	 * cost model prices those too.
	 */
	double		min_pages = ssdpar_star_access != SSDPAR_STAR_AUTO ? 0 :
		ssdpar_cost_model_min_size / (BLCKSZ / 1024.0);
	Relids		seen = NULL;
	RelOptInfo *fact;

	if (!ssdpar_star_scan || root->join_rel_list != NIL ||
		root->eq_classes == NIL)
		return;
	while ((fact = ssdpar_next_fact(root, min_pages, &seen)) != NULL)
	{
		SsdparRefusal refusal = SSDPAR_ACCEPTED;
		List	   *dimensions = NIL;

		if (!ssdpar_is_parent(root, fact) && !is_scannable(root, fact))
			continue;

		/*
		 * Rows that are changed or locked are looked at again one by one, by
		 * then in a newer version, of which no key set knows.
		 */
		if (root->parse->commandType != CMD_SELECT)
			refusal = SSDPAR_REFUSED_CHANGES_ROWS;
		else if (root->rowMarks != NIL || root->parse->rowMarks != NIL)
			refusal = SSDPAR_REFUSED_LOCKS_ROWS;
		else if (has_volatile_conditions(root, fact))
			refusal = SSDPAR_REFUSED_VOLATILE;
		else
			dimensions = ssdpar_find_dimensions(root, fact, &refusal);
		if (dimensions == NIL)
		{
			ssdpar_note_star_refused(ssdpar_refusal_text(refusal));
			continue;
		}
		if (offer_scans(root, fact, fact, dimensions))
			ssdpar_note_star_offered();
		/* what reduces this fact is no fact of its own */
		seen = bms_join(seen, ssdpar_dimension_relids(dimensions));
	}
}
