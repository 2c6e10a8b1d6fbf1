/*
 * loop_runs.c
 *		Prices nested loops that look up an index less often than core assumes.
 *
 * Core has one price for an inner index scan, based on the rows of the outer
 * side's tables (cost/lookup_price.c).  Here we know the outer side, and
 * whether the error is large enough for rebuilding the join paths to pay off.
 * It is not for a few lookups by key, which take less time than that.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"

#include "base/notes.h"
#include "cost/lookup_price.h"
#include "cost/parallel.h"
#include "rowcount/loop_runs.h"

/* A loop is repriced if it is too cheap by this time and share of its cost. */
#define LEAST_SECONDS 10e-3
#define LEAST_SHARE 0.1

Path *
ssdpar_looked_up(const NestPath *loop)
{
	Path	   *inner = loop->jpath.innerjoinpath;

	return IsA(inner, MemoizePath) ? ((MemoizePath *) inner)->subpath : inner;
}

/* The sum over all processes, because they share the pages that they read. */
static double
outer_rows(const NestPath *loop)
{
	const Path *outer = loop->jpath.outerjoinpath;

	return outer->rows * ssdpar_parallel_divisor(outer->parallel_workers);
}

/* Does only the outer side determine how often the scan runs? */
static bool
is_looked_up(const SsdparPair *pair, const Path *scan)
{
	return scan->param_info != NULL &&
		bms_is_subset(PATH_REQ_OUTER(scan), pair->outer->relids);
}

/*
 * Does the outer side read the same table?  Then its rows with the same key
 * have already brought most of these pages into memory, if they fit there.
 */
static bool
is_read_already(const SsdparPair *pair)
{
	RangeTblEntry **rtes = pair->root->simple_rte_array;
	int			rti = -1;

	if (!IS_SIMPLE_REL(pair->inner) ||
		pair->inner->pages > (BlockNumber) effective_cache_size)
		return false;
	while ((rti = bms_next_member(pair->outer->relids, rti)) >= 0)
		if (pair->root->simple_rel_array[rti] != NULL &&
			rtes[rti]->rtekind == RTE_RELATION &&
			rtes[rti]->relid == rtes[pair->inner->relid]->relid)
			return true;
	return false;
}

bool
ssdpar_is_lookup_loop(const SsdparPair *pair, const NestPath *loop)
{
	return is_looked_up(pair, ssdpar_looked_up(loop)) &&
		loop->jpath.outerjoinpath->param_info == NULL &&
		!is_read_already(pair);
}

Cost
ssdpar_least_excess(Cost cost)
{
	return Max(LEAST_SECONDS / ssdpar_notes()->seconds_per_unit,
			   cost * LEAST_SHARE);
}

static bool
is_too_cheap(const SsdparPair *pair, const NestPath *loop)
{
	Cost		least = ssdpar_least_excess(loop->jpath.path.total_cost);
	const Path *outer = loop->jpath.outerjoinpath;
	Path	   *scan = ssdpar_looked_up(loop);
	Path	   *priced;

	if (!ssdpar_is_lookup_loop(pair, loop))
		return false;
	priced = ssdpar_price_lookup(pair->root, scan, outer_rows(loop), least);
	return priced != NULL &&
		(priced->total_cost - scan->total_cost) * outer->rows >= least;
}

/* The most outer rows among those of these loops that are too cheap, or 0. */
static double
rows_of_cheap_loops(const SsdparPair *pair, List *paths)
{
	double		rows = 0.0;
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		if (ssdpar_is_loop_of_pair(pair, path) &&
			is_too_cheap(pair, (NestPath *) path))
			rows = Max(rows, outer_rows((NestPath *) path));
	}
	return rows;
}

List *
ssdpar_inner_paths_by_runs(const SsdparPair *pair)
{
	List	   *paths = NIL;
	double		rows;
	ListCell   *lc;

	rows = Max(rows_of_cheap_loops(pair, pair->joinrel->pathlist),
			   rows_of_cheap_loops(pair, pair->joinrel->partial_pathlist));
	if (rows <= 0.0)
		return NIL;
	foreach(lc, pair->inner->cheapest_parameterized_paths)
	{
		Path	   *path = lfirst(lc);
		List	   *priced = is_looked_up(pair, path) ?
			ssdpar_price_lookups(pair->root, path, rows) : NIL;

		paths = list_concat(paths, priced != NIL ? priced : list_make1(path));
	}
	return paths;
}
