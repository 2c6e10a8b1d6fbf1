/*
 * cost.c
 *		Costs of an index join: the predicted time, in planner units.
 *
 *		outer plan				core's price of it
 *		its batches				batches.c
 *
 * Startup cost includes the first batch.  If there is a LIMIT, that batch has
 * one row, so the join is priced like a nested loop.  If we know which share
 * of the rows the LIMIT needs, the startup cost is chosen so that core's
 * interpolation gives the price of exactly that share (cost/part_cost.h).
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "base/compat.h"
#include "base/rows_wanted.h"
#include "cost/column_order.h"
#include "cost/leaf_order.h"
#include "cost/level_runs.h"
#include "cost/parallel.h"
#include "cost/part_cost.h"
#include "cost/residency.h"
#include "index_join/join_plan.h"
#include "index_join/plan/batches.h"
#include "index_join/plan/cost.h"

/* Columns of the outer side whose values are looked up. */
static List *
outer_columns(const SsdparJoinCandidate *candidate)
{
	List	   *columns = NIL;

	for (int i = 0; i < candidate->nkeys; i++)
		if (candidate->keys[i].outer != NULL)
			columns = lappend(columns, candidate->keys[i].outer);
	return columns;
}

/*
 * Rows joined to each outer row, after all conditions: a lower bound for the
 * rows found in the index.  Returns 0 if this cannot be derived.
 */
static double
joined_to_each(const SsdparJoinCandidate *candidate)
{
	double		joined = candidate->joinrel->rows /
		Max(candidate->outer->rows, 1.0);

	/* a left join also returns outer rows without a match */
	if (candidate->type == JOIN_INNER ||
		(candidate->type == JOIN_LEFT && joined > 1.0))
		return joined;
	return 0.0;
}

/*
 * Returns the rows of the inner table for a key.  Core assumes that the columns
 * of a key are independent, but the rows of the join may be known
 * (rowcount/pair_selectivity.h).  Core does know that a unique index has one
 * row for a value of all of its columns.
 */
static double
matches_of(const SsdparJoinCandidate *candidate)
{
	const IndexOptInfo *index = candidate->index;
	RelOptInfo *inner = candidate->inner;
	double		matches;

	if (index->unique && candidate->nkeys > 1 &&
		candidate->nkeys == index->nkeycolumns)
		return 1.0;
	matches = inner->tuples * candidate->selected;
	return Max(matches, joined_to_each(candidate));
}

/* Fills in the fields that only a full price needs, on first use. */
static void
add_reads(const SsdparJoinCandidate *candidate, SsdparJoinPrices *prices)
{
	PlannerInfo *root = candidate->root;
	const RelOptInfo *inner = candidate->inner;
	IndexOptInfo *index = candidate->index;
	Oid			table = root->simple_rte_array[inner->relid]->relid;
	const SsdparSearchedColumn *first = ssdpar_first_searched(candidate);

	if (prices->has_reads)
		return;
	prices->has_reads = true;
	if (!ssdpar_model_get(index->reltablespace, &prices->index_model))
		prices->index_model = prices->heap_model;
	prices->heap_resident = ssdpar_residency_of(table, inner->pages);
	prices->index_resident = ssdpar_residency_of(index->indexoid,
												 index->pages);
	prices->leaves_ordered = index->pages < SSDPAR_MANY_LEAVES ? 0.0 :
		ssdpar_leaf_order(candidate->root, index);
	prices->runs = ssdpar_level_runs(root);
	prices->ordered = ssdpar_column_order(table, first->inner->varattno);
	prices->outer_ordered = ssdpar_expression_order(root,
													(Node *) first->outer);
}

bool
ssdpar_join_prices(const SsdparJoinCandidate *candidate,
				   SsdparJoinPrices *prices)
{
	PlannerInfo *root = candidate->root;
	RelOptInfo *inner = candidate->inner;
	QualCost	filter;
	QualCost	own;

	if (!ssdpar_model_get(inner->reltablespace, &prices->heap_model))
		return false;
	prices->has_reads = false;
	prices->matches = matches_of(candidate);
	cost_qual_eval(&filter, candidate->restrictlist, root);
	cost_qual_eval(&own, inner->baserestrictinfo, root);
	prices->filter_startup = filter.startup + own.startup;
	prices->filter = filter.per_tuple + own.per_tuple;
	prices->keys = 0.0;
	prices->lookups = NIL;
	return true;
}

/* Cost of the outer plan and of returning the join's rows. */
static SsdparJoinCost
cost_around(const SsdparJoinCandidate *candidate,
			const SsdparJoinPrices *prices, const Path *outer, double rows)
{
	SsdparJoinCost cost;

	cost.startup = outer->startup_cost + prices->filter_startup;
	cost.total = outer->total_cost + prices->filter_startup + rows *
		(cpu_tuple_cost + candidate->joinrel->reltarget->cost.per_tuple);
	return cost;
}

SsdparJoinCost
ssdpar_join_least(const SsdparJoinCandidate *candidate,
				  const SsdparJoinPrices *prices, const Path *outer,
				  double rows)
{
	const SsdparLookups lookups = {.candidate = candidate, .prices = prices};
	SsdparJoinCost cost = cost_around(candidate, prices, outer, rows);
	double		outer_rows = Max(outer->rows, 1.0);
	double		first;

	cost.total += ssdpar_batch_least_cost(prices, outer_rows);
	if (!ssdpar_batch_takes_all(candidate, outer))
		return cost;
	first = ssdpar_batch_first_rows(&lookups, outer, outer_rows);
	cost.startup += (outer->total_cost - outer->startup_cost) *
		(first - 1.0) / outer_rows + ssdpar_batch_least_cost(prices, first);
	return cost;
}

/* Outer rows that whole batches read when needed ones are needed. */
static double
rows_taken(double batch, double most, double needed)
{
	double		taken = Min(batch, most);

	for (; taken < needed && batch < most; taken += batch)
		batch = Min(batch * 2.0, most);
	if (taken < needed)
		taken += ceil((needed - taken) / most) * most;
	return taken;
}

/*
 * Cost of looking up the first share of the outer rows, without the outer
 * plan.  Its batches hardly ever return to a page, because few pages have been
 * read yet.
 */
static Cost
cost_of_share(const SsdparLookups *all, const Path *outer, double share,
			  double *rows)
{
	SsdparLookups lookups = *all;
	double		batch = ssdpar_join_first_batch(all->candidate, outer);
	Cost		first;

	*rows = Min(rows_taken(batch, ssdpar_batch_most_rows(all, outer),
						   all->outer_rows * share), all->outer_rows);
	lookups.keys = ssdpar_distinct_of(all->keys, *rows * all->processes);
	return ssdpar_batches_cost(&lookups, outer, *rows, &first);
}

/*
 * Cost of looking up the rows of an outer path.  Many paths of an outer
 * relation have equally many rows in the same order, so they share one entry.
 */
typedef struct PricedLookups
{
	double		outer_rows;		/* these determine the cost */
	int			workers;
	int			width;
	bool		all_wanted;
	double		share;			/* of the rows, that is needed */
	double		in_order;

	Cost		all;
	Cost		first;			/* of the first batch, which has first_rows */
	double		first_rows;
	Cost		of_share;		/* set if not all rows are needed */
	double		share_rows;		/* outer rows looked up for it */
} PricedLookups;

/*
 * Distinct keys among this number of rows.  We ask core only once, for
 * infinitely many rows, because its estimate depends on statistics alone and
 * is then clamped to the number of rows.
 */
static double
distinct_keys(const SsdparJoinCandidate *candidate, SsdparJoinPrices *prices,
			  double rows)
{
	if (prices->keys <= 0.0)
		prices->keys = estimate_num_groups(candidate->root,
										   outer_columns(candidate),
										   get_float8_infinity(), NULL, NULL);
	return Min(prices->keys, clamp_row_est(rows));
}

static void
price_lookups(const SsdparJoinCandidate *candidate, SsdparJoinPrices *prices,
			  const Path *outer, PricedLookups *priced)
{
	SsdparLookups lookups = {
		.candidate = candidate,
		.prices = prices,
		.processes = ssdpar_parallel_divisor(outer->parallel_workers),
		.outer_rows = priced->outer_rows,
	};

	lookups.keys = distinct_keys(candidate, prices,
								 lookups.outer_rows * lookups.processes);
	priced->all = ssdpar_batches_cost(&lookups, outer, lookups.outer_rows,
									  &priced->first);
	priced->first_rows = ssdpar_batch_first_rows(&lookups, outer,
												 lookups.outer_rows);
	if (priced->share < 1.0)
		priced->of_share = cost_of_share(&lookups, outer,
										 ssdpar_late_share(priced->share),
										 &priced->share_rows);
}

/* Reuses the entry of an earlier path with the same properties. */
static const PricedLookups *
priced_lookups(const SsdparJoinCandidate *candidate, SsdparJoinPrices *prices,
			   const Path *outer)
{
	PricedLookups wanted = {
		.outer_rows = Max(outer->rows, 1.0),
		.workers = outer->parallel_workers,
		.width = outer->pathtarget->width,
		.all_wanted = ssdpar_batch_takes_all(candidate, outer),
		.share = ssdpar_share_wanted(candidate->root, candidate->joinrel,
									 outer->pathkeys != NIL),
		.in_order = ssdpar_order_of_keys(candidate, prices, outer),
	};
	PricedLookups *priced;
	ListCell   *lc;

	foreach(lc, prices->lookups)
	{
		priced = lfirst(lc);
		if (priced->outer_rows == wanted.outer_rows &&
			priced->workers == wanted.workers &&
			priced->width == wanted.width &&
			priced->all_wanted == wanted.all_wanted &&
			priced->share == wanted.share &&
			priced->in_order == wanted.in_order)
			return priced;
	}
	priced = palloc_object(PricedLookups);
	*priced = wanted;
	price_lookups(candidate, prices, outer, priced);
	prices->lookups = lappend(prices->lookups, priced);
	return priced;
}

SsdparJoinCost
ssdpar_join_cost(const SsdparJoinCandidate *candidate,
				 SsdparJoinPrices *prices, const Path *outer, double rows)
{
	const SsdparJoinCost around = cost_around(candidate, prices, outer, rows);
	const PricedLookups *lookups;
	SsdparJoinCost cost = around;
	Cost		of_share;

	add_reads(candidate, prices);
	lookups = priced_lookups(candidate, prices, outer);
	cost.total += lookups->all;
	cost.startup += (outer->total_cost - outer->startup_cost) *
		(lookups->first_rows - 1.0) / lookups->outer_rows + lookups->first;
	cost.total = Max(cost.total, cost.startup);
	if (lookups->share >= 1.0)
		return cost;
	of_share = lookups->of_share +
		ssdpar_cost_of_share(around.startup, around.total,
							 lookups->share_rows / lookups->outer_rows);
	cost.startup = ssdpar_startup_by_share(cost.startup, cost.total,
										   lookups->share, of_share);
	return cost;
}
