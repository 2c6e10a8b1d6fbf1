/*
 * filter_runs.c
 *		Join filters that run a subquery or another dear function.
 *
 * A filter runs once for each pair of rows whose keys match, and how many
 * these are core estimates for each path from its outer rows and the share of
 * all outer rows that match.  The outer rows of a star scan are those that the
 * dimension's keys have let pass already, so that share is taken off twice:
 * of 1,300 rows, all of which match, one is left, and a subquery that runs
 * 1,300 times seems to be for nothing.  But a filter has run at least once for
 * each row that passes, and how many these are the join relation knows.
 *
 * A filter of a few comparisons costs too little to matter.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"

#include "rowcount/filter_runs.h"

/* From here on a filter is dear. */
#define DEAR_OPERATORS 100.0

/* To add_path() costs that differ by less are the same. */
#define LEAST_SHARE 0.01

/* What one run of all conditions of the join costs. */
static Cost
filter_cost(const SsdparPair *pair)
{
	QualCost	quals;

	cost_qual_eval(&quals, pair->extra->restrictlist, pair->root);
	return quals.per_tuple;
}

/* The share of all pairs of rows that these keys let pass. */
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

/*
 * How often core takes the filter to run: as final_cost_hashjoin() and its
 * like have it.  Negative of a join that they have otherwise.
 */
static double
runs_charged(const SsdparPair *pair, Path *path)
{
	const JoinPath *join = (JoinPath *) path;
	double		outer_rows = join->outerjoinpath->rows;
	bool		first_match = pair->extra->inner_unique ||
		join->jointype == JOIN_SEMI;
	List	   *keys;

	if (first_match && !IsA(path, MergePath))
		return rint(outer_rows * pair->extra->semifactors.outer_match_frac);
	if (IsA(path, NestPath))
		return -1.0;
	keys = IsA(path, HashPath) ? ((HashPath *) path)->path_hashclauses :
		((MergePath *) path)->path_mergeclauses;
	return clamp_row_est(outer_rows * join->innerjoinpath->rows *
						 matching_share(pair, keys));
}

static Cost
missing_cost(const SsdparPair *pair, Path *path, Cost filter)
{
	double		charged;

	if (!ssdpar_is_join_of_pair(pair, path))
		return 0.0;
	charged = runs_charged(pair, path);
	return charged < 0.0 ? 0.0 : Max(path->rows - charged, 0.0) * filter;
}

/* Takes out those that get another price. */
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
 * What lost against such a path when core made it is not made again: it has
 * the same filter to run.
 */
void
ssdpar_price_filter_runs(const SsdparPair *pair)
{
	RelOptInfo *joinrel = pair->joinrel;
	Cost		filter;
	ListCell   *lc;

	/* rows without a match, for which no filter has run */
	if (IS_OUTER_JOIN(pair->jointype))
		return;
	filter = filter_cost(pair);
	if (filter < DEAR_OPERATORS * cpu_operator_cost)
		return;
	foreach(lc, take_priced(pair, &joinrel->pathlist, filter))
		add_path(joinrel, lfirst(lc));
	foreach(lc, take_priced(pair, &joinrel->partial_pathlist, filter))
		add_partial_path(joinrel, lfirst(lc));
}
