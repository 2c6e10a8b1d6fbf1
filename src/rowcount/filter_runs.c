/*
 * filter_runs.c
 *		Prices join filters that run a subquery or another expensive function.
 *
 * A filter runs once for each pair of rows whose keys match.  For each path,
 * core estimates the number of these pairs from its outer rows and the share
 * of all outer rows that match.  However, the outer rows of a star scan have
 * already passed the dimension's keys, so core applies this share twice.  For
 * example, if 1,300 rows remain and all of them match, core estimates a single
 * pair, and a subquery that runs 1,300 times seems to cost nothing.  But a
 * filter runs at least once for each row that passes it, and the join relation
 * has the number of these rows.
 *
 * Filters made of a few comparisons cost too little to matter.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"

#include "base/planner_compat.h"
#include "rowcount/filter_runs.h"

/* Filters that cost at least this many operators are expensive. */
#define DEAR_OPERATORS 100.0

/* add_path() does not distinguish costs that differ by less. */
#define LEAST_SHARE 0.01

/* Cost of evaluating all conditions of the join once. */
static Cost
filter_cost(const SsdparPair *pair)
{
	QualCost	quals;

	cost_qual_eval(&quals, pair->extra->restrictlist, pair->root);
	return quals.per_tuple;
}

/* Selectivity of these keys. */
static double
matching_share(const SsdparPair *pair, List *keys)
{
	Relids		outer = pair->outer->relids;
	Relids		inner = pair->inner->relids;
	SpecialJoinInfo inner_join = {
		.type = T_SpecialJoinInfo, .jointype = JOIN_INNER,
		.min_lefthand = outer, .syn_lefthand = outer,
		.min_righthand = inner, .syn_righthand = inner
	};
	double		share = 1.0;
	ListCell   *lc;

	foreach(lc, keys)
		share *= clause_selectivity(pair->root, lfirst(lc), 0, JOIN_INNER,
									&inner_join);
	return share;
}

/* The keys by which the path finds pairs of rows. */
static List *
keys_of(Path *path)
{
	return IsA(path, HashPath) ? ((HashPath *) path)->path_hashclauses :
		IsA(path, MergePath) ? ((MergePath *) path)->path_mergeclauses : NIL;
}

/*
 * How often core assumes the filter to run, as in final_cost_hashjoin() and
 * similar functions.  Negative for joins that they price in another way.
 */
static double
runs_charged(const SsdparPair *pair, Path *path)
{
	const JoinPath *join = (JoinPath *) path;
	double		outer_rows = join->outerjoinpath->rows;
	bool		first_match = pair->extra->inner_unique ||
		join->jointype == JOIN_SEMI;

	if (first_match && !IsA(path, MergePath))
		return rint(outer_rows * pair->extra->semifactors.outer_match_frac);
	if (IsA(path, NestPath))
		return -1.0;
	return clamp_row_est(outer_rows * join->innerjoinpath->rows *
						 matching_share(pair, keys_of(path)));
}

/*
 * Number of rows from a table's star scan, each of which has a match, so the
 * filter runs for each, no matter how many it removes.  0 for other paths.
 */
static double
reduced_rows(const Path *path)
{
	if (IsA(path, GatherPath))
		path = ((const GatherPath *) path)->subpath;
	return IsA(path, CustomPath) && path->param_info == NULL &&
		path->parent->reloptkind == RELOPT_BASEREL &&
		path->rows < path->parent->rows ? path->rows : 0.0;
}

static Cost
missing_cost(const SsdparPair *pair, Path *path, Cost filter)
{
	const JoinPath *join = (JoinPath *) path;
	QualCost	keys;
	double		charged;
	double		least;

	if (!ssdpar_is_join_of_pair(pair, path))
		return 0.0;
	charged = runs_charged(pair, path);
	if (charged < 0.0)
		return 0.0;

	/* a subquery among the keys is executed once per row of one side */
	cost_qual_eval(&keys, keys_of(path), pair->root);
	least = keys.per_tuple < DEAR_OPERATORS * cpu_operator_cost ?
		Max(reduced_rows(join->outerjoinpath),
			reduced_rows(join->innerjoinpath)) : 0.0;
	return Max(Max(path->rows, least) - charged, 0.0) * filter;
}

/* Corrects the costs of paths, and removes these paths from the list. */
static List *
take_priced(const SsdparPair *pair, List **paths, Cost filter)
{
	List	   *priced = NIL;
	ListCell   *lc;

	foreach(lc, *paths)
	{
		Path	   *path = lfirst(lc);
		Cost		missing = missing_cost(pair, path, filter);

		if (missing <= LEAST_SHARE * path->total_cost)
			continue;
		path->total_cost += missing;
		priced = lappend(priced, path);
		*paths = foreach_delete_current(*paths, lc);
	}
	return priced;
}

/*
 * Rebuilds hash joins.  If the keys include a subquery, a hash join runs it
 * less often, but it lost against a path that was too cheap when core made it.
 */
static void
hash_again(const SsdparPair *pair, Cost filter)
{
	List	   *paths;
	List	   *partial;
	ListCell   *lc;

	if (!ssdpar_has_hash_clause(pair) || ssdpar_pair_is_made_again())
		return;
	ssdpar_join_by_hash(pair, &paths, &partial);
	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		path->total_cost += missing_cost(pair, path, filter);
		add_path(pair->joinrel, path);
	}
	foreach(lc, partial)
	{
		Path	   *path = lfirst(lc);

		path->total_cost += missing_cost(pair, path, filter);
		add_partial_path(pair->joinrel, path);
	}
}

/* Other paths that lost are not rebuilt, because they run the same filter. */
void
ssdpar_price_filter_runs(const SsdparPair *pair)
{
	RelOptInfo *joinrel = pair->joinrel;
	Cost		filter;
	List	   *priced;
	List	   *partial;
	ListCell   *lc;

	/* outer joins also return rows without a match, for which no filter ran */
	if (IS_OUTER_JOIN(pair->jointype))
		return;
	filter = filter_cost(pair);
	if (filter < DEAR_OPERATORS * cpu_operator_cost)
		return;
	priced = take_priced(pair, &joinrel->pathlist, filter);
	partial = take_priced(pair, &joinrel->partial_pathlist, filter);
	foreach(lc, priced)
		add_path(joinrel, lfirst(lc));
	foreach(lc, partial)
		add_partial_path(joinrel, lfirst(lc));
	if (priced != NIL || partial != NIL)
		hash_again(pair, filter);
}
