/*
 * join_again.c
 *		Two relations that core has joined, joined by it once more.
 *
 * Core compares a path with the others when it is made, and frees what loses.
 * Where a path was too cheap by then, what has lost against it has to be made
 * again once that is known.  So core's own function is called a second time,
 * while nothing refers to the join's paths yet.  It makes nested loops of the
 * inner paths in cheapest_parameterized_paths, of Material above the cheapest
 * one, and, where duplicates are to be dropped first, of that.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/paths.h"

#include "base/planner_compat.h"
#include "rowcount/join_again.h"

static bool making_again = false;

/* It is a join of core's, of some kind. */
static bool
is_of_pair(const SsdparPair *pair, const JoinPath *join)
{
	bool		unique = pair->jointype == JOIN_UNIQUE_INNER ||
		pair->jointype == JOIN_UNIQUE_OUTER;

	return join->jointype == (unique ? JOIN_INNER : pair->jointype) &&
		join->outerjoinpath->parent == pair->outer &&
		join->innerjoinpath->parent == pair->inner;
}

bool
ssdpar_is_join_of_pair(const SsdparPair *pair, Path *path)
{
	return (IsA(path, HashPath) || IsA(path, MergePath) ||
			IsA(path, NestPath)) && is_of_pair(pair, (JoinPath *) path);
}

bool
ssdpar_is_loop_of_pair(const SsdparPair *pair, Path *path)
{
	return IsA(path, NestPath) && is_of_pair(pair, (JoinPath *) path);
}

bool
ssdpar_has_hash_clause(const SsdparPair *pair)
{
	ListCell   *lc;

	if (!enable_hashjoin)
		return false;
	foreach(lc, pair->extra->restrictlist)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);

		if (!clause->can_join || !OidIsValid(clause->hashjoinoperator) ||
			(IS_OUTER_JOIN(pair->jointype) &&
			 RINFO_IS_PUSHED_DOWN(clause, pair->joinrel->relids)))
			continue;
		if ((bms_is_subset(clause->left_relids, pair->outer->relids) &&
			 bms_is_subset(clause->right_relids, pair->inner->relids)) ||
			(bms_is_subset(clause->left_relids, pair->inner->relids) &&
			 bms_is_subset(clause->right_relids, pair->outer->relids)))
			return true;
	}
	return false;
}

bool
ssdpar_has_parameters_of(const Path *path, const RelOptInfo *rel)
{
	return bms_overlap(PATH_REQ_OUTER(path), rel->relids) ||
		bms_overlap(PATH_REQ_OUTER(path), rel->top_parent_relids);
}

/* Ways that make nested loops over an inner side without parameters. */
static int
plain_ways(const SsdparPair *pair)
{
	return SSDPAR_JOIN_MATERIAL |
		(pair->jointype == JOIN_UNIQUE_INNER ? SSDPAR_JOIN_LOOP : 0);
}

/* Has core join the pair again, without some ways of joining. */
static void
join_again(const SsdparPair *pair, List *inner_paths, int forbidden)
{
	RelOptInfo *inner = pair->inner;
	List	   *paths_before = inner->cheapest_parameterized_paths;
	const uint64 ways_before =
		ssdpar_forbid_joins(pair->joinrel, forbidden);

	Assert(!making_again && pair->joinrel->cheapest_total_path == NULL);
	making_again = true;
	inner->cheapest_parameterized_paths = inner_paths;
	PG_TRY();
	{
		add_paths_to_joinrel(pair->root, pair->joinrel, pair->outer, inner,
							 pair->jointype, pair->extra->sjinfo,
							 pair->extra->restrictlist);
	}
	PG_FINALLY();
	{
		inner->cheapest_parameterized_paths = paths_before;
		ssdpar_allow_joins(pair->joinrel, ways_before);
		making_again = false;
	}
	PG_END_TRY();
}

void
ssdpar_join_again(const SsdparPair *pair, List *inner_paths, bool plain)
{
	join_again(pair, inner_paths, plain ? 0 : plain_ways(pair));
}

static List *
hash_paths(List *paths)
{
	List	   *found = NIL;
	ListCell   *lc;

	foreach(lc, paths)
	{
		if (IsA(lfirst(lc), HashPath))
			found = lappend(found, lfirst(lc));
	}
	return found;
}

void
ssdpar_join_by_hash(const SsdparPair *pair, List **paths, List **partial)
{
	RelOptInfo *joinrel = pair->joinrel;
	List	   *paths_before = joinrel->pathlist;
	List	   *partial_before = joinrel->partial_pathlist;

	joinrel->pathlist = NIL;
	joinrel->partial_pathlist = NIL;
	join_again(pair, pair->inner->cheapest_parameterized_paths,
			   SSDPAR_JOIN_LOOP | SSDPAR_JOIN_MATERIAL | SSDPAR_JOIN_MERGE);
	*paths = hash_paths(joinrel->pathlist);
	*partial = hash_paths(joinrel->partial_pathlist);
	joinrel->pathlist = paths_before;
	joinrel->partial_pathlist = partial_before;
}

bool
ssdpar_pair_is_made_again(void)
{
	return making_again;
}
