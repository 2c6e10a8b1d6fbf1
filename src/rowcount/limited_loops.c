/*
 * limited_loops.c
 *		Prices nested loops that a LIMIT ends early.
 *
 * Core prices a lookup as the average of all lookups in the loop, most of
 * which return to pages that others have read, or to rows that Memoize has
 * cached.  It then charges a hundredth of the total for the first hundredth of
 * the rows, which however have to read nearly all of their pages themselves
 * (cost/part_cost.h).
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"

#include "base/rows_wanted.h"
#include "cost/lookup_price.h"
#include "cost/part_cost.h"
#include "rowcount/limited_loops.h"
#include "rowcount/loop_runs.h"

/*
 * Number of lookups for these outer rows; Memoize needs only one for each key.
 */
static double
lookups_of(const SsdparPair *pair, const NestPath *loop, double outer_rows)
{
	const Path *inner = loop->jpath.innerjoinpath;

	if (!IsA(inner, MemoizePath))
		return outer_rows;
	return estimate_num_groups(pair->root,
							   ((const MemoizePath *) inner)->param_exprs,
							   outer_rows, NULL, NULL);
}

/* Cost of a share of the loop's rows; 0 if core's price is good enough. */
static Cost
cost_of_share(const SsdparPair *pair, const NestPath *loop, double share)
{
	const Path *outer = loop->jpath.outerjoinpath;
	const Path *path = &loop->jpath.path;
	Cost		charged = ssdpar_cost_of_share(path->startup_cost,
											   path->total_cost, share);
	Cost		least = ssdpar_least_excess(charged);
	double		lookups = lookups_of(pair, loop,
									 clamp_row_est(outer->rows *
												   ssdpar_late_share(share)));
	Path	   *scan = ssdpar_price_lookup(pair->root, ssdpar_looked_up(loop),
										   lookups, least);
	Cost		cost;

	if (scan == NULL)
		return 0.0;
	cost = ssdpar_cost_of_share(outer->startup_cost, outer->total_cost,
								share) + lookups * scan->total_cost;
	return cost - charged >= least ? cost : 0.0;
}

static void
price_loop(const SsdparPair *pair, NestPath *loop)
{
	Path	   *path = &loop->jpath.path;
	double		share = ssdpar_share_wanted(pair->root, pair->joinrel,
											path->pathkeys != NIL);
	Cost		cost;

	if (share >= 1.0)
		return;
	cost = cost_of_share(pair, loop, share);
	if (cost > 0.0)
		path->startup_cost = ssdpar_startup_by_share(path->startup_cost,
													 path->total_cost, share,
													 cost);
}

/* Lists of paths are sorted by total cost, which does not change. */
void
ssdpar_price_limited_loops(const SsdparPair *pair)
{
	ListCell   *lc;

	if (ssdpar_all_rows_wanted(pair->root, true))
		return;
	foreach(lc, pair->joinrel->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (ssdpar_is_loop_of_pair(pair, path) &&
			ssdpar_is_lookup_loop(pair, (NestPath *) path))
			price_loop(pair, (NestPath *) path);
	}
}
