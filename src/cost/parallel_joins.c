/*
 * parallel_joins.c
 *		What parallel joins take longer than core has them.
 *
 * Where a hash table is not shared, and in a merge join, every process of a
 * parallel plan makes the whole inner side.  Core prices that as if it were
 * made once, which is right as long as each has a processor of its own.  With
 * three processes on two it takes half as long again, and an aggregation of a
 * large table is where a plan loses by it.
 *
 * What else the processes compute core divides by their number, also while
 * other sessions compute (shared_processors.c).
 *
 * What lost against such a path when core made it is not made again: if the
 * price is too high now, the plan without workers is left, which core compares
 * with it later.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"

#include "base/notes.h"
#include "base/without.h"
#include "cost/parallel_joins.h"
#include "cost/shared_processors.h"
#include "cost/tablespace_model.h"

/* A path of this call of core's, if it is a join at all. */
static bool
is_of_pair(Path *path, const RelOptInfo *outer, const RelOptInfo *inner,
		   JoinType jointype)
{
	JoinPath   *join = (JoinPath *) path;
	bool		unique = jointype == JOIN_UNIQUE_INNER ||
		jointype == JOIN_UNIQUE_OUTER;

	return (IsA(path, HashPath) || IsA(path, MergePath) ||
			IsA(path, NestPath)) &&
		join->jointype == (unique ? JOIN_INNER : jointype) &&
		join->outerjoinpath->parent == outer &&
		join->innerjoinpath->parent == inner;
}

/*
 * What each process does for itself: not a shared hash table, nor what is
 * looked up by the outer rows, of which each process has its own.
 */
static Cost
repeated_cost(Path *path)
{
	const Path *inner = ((JoinPath *) path)->innerjoinpath;

	if (IsA(path, NestPath) && inner->pathtype != T_Material)
		return 0.0;
	if (IsA(path, HashPath) && path->parallel_aware)
		return 0.0;
	return inner->total_cost;
}

void
ssdpar_price_parallel_joins(PlannerInfo *root, RelOptInfo *joinrel,
							const RelOptInfo *outer, const RelOptInfo *inner,
							JoinType jointype)
{
	List	   *priced = NIL;
	SsdparModel model;
	double		processors;
	ListCell   *lc;

	if (joinrel->partial_pathlist == NIL ||
		ssdpar_without(SSDPAR_PARALLEL_PRICES) ||
		!ssdpar_model_get(ssdpar_notes()->priced_tablespace, &model))
		return;
	processors = ssdpar_model_processors(model.machine, &model.load);
	foreach(lc, joinrel->partial_pathlist)
	{
		Path	   *path = lfirst(lc);
		double		processes = path->parallel_workers +
			(parallel_leader_participation ? 1.0 : 0.0);
		Cost		excess;
		Cost		beside;

		if (!is_of_pair(path, outer, inner, jointype))
			continue;
		excess = repeated_cost(path) *
			Max(processes / processors - 1.0, 0.0);
		beside = ssdpar_shared_join_cost(&model, path) +
			ssdpar_shared_grouping_cost(root, &model, joinrel, path);
		if (excess <= 0.0 && beside <= 0.0)
			continue;
		path->startup_cost += excess;
		path->total_cost += excess + beside;
		priced = lappend(priced, path);
		joinrel->partial_pathlist =
			foreach_delete_current(joinrel->partial_pathlist, lc);
	}

	/* the list is in the order of costs */
	foreach(lc, priced)
		add_partial_path(joinrel, lfirst(lc));
}
