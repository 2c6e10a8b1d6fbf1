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

#include "optimizer/paths.h"

#include "base/planner_compat.h"
#include "rowcount/join_again.h"

static bool making_again = false;

bool
ssdpar_is_loop_of_pair(const SsdparPair *pair, Path *path)
{
	JoinPath   *join = (JoinPath *) path;
	bool		unique = pair->jointype == JOIN_UNIQUE_INNER ||
		pair->jointype == JOIN_UNIQUE_OUTER;

	return IsA(path, NestPath) &&
		join->jointype == (unique ? JOIN_INNER : pair->jointype) &&
		join->outerjoinpath->parent == pair->outer &&
		join->innerjoinpath->parent == pair->inner;
}

bool
ssdpar_has_parameters_of(const Path *path, const RelOptInfo *rel)
{
	return bms_overlap(PATH_REQ_OUTER(path), rel->relids) ||
		bms_overlap(PATH_REQ_OUTER(path), rel->top_parent_relids);
}

void
ssdpar_join_again(const SsdparPair *pair, List *inner_paths, bool plain)
{
	RelOptInfo *inner = pair->inner;
	List	   *paths_before = inner->cheapest_parameterized_paths;
	uint64		loops_before;

	Assert(!making_again && pair->joinrel->cheapest_total_path == NULL);
	making_again = true;
	loops_before = ssdpar_forbid_loops(pair->joinrel,
									   pair->jointype == JOIN_UNIQUE_INNER);
	if (plain)
		ssdpar_allow_loops(pair->joinrel, loops_before);
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
		ssdpar_allow_loops(pair->joinrel, loops_before);
		making_again = false;
	}
	PG_END_TRY();
}

bool
ssdpar_pair_is_made_again(void)
{
	return making_again;
}
