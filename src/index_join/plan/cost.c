/*
 * cost.c
 *		What an index join costs: the predicted time, in planner units.
 *
 *		outer plan				core's price of it
 *		batch of n outer rows	leaves of the distinct keys at depth
 *								+ pages of the rows found, in block order,
 *								  neighbours merged, at depth
 *								+ computing
 *
 * Where all rows are wanted the first batch has as many as are expected.  Else
 * it has one, and the next ones 2, 4, 8 ...: a batch has no more requests
 * outstanding than it has pages, so these are priced one by one; the rest are
 * alike.
 * Of an index that has all columns those pages of the table alone are read that
 * the visibility map does not vouch for.
 * Computing and reading add up: a batch is read before its rows are given out.
 * Pages that an earlier batch has read are in memory, and so are those of an
 * earlier run, if the query level is executed several times; where the table is
 * larger than the cache, core's formula says how many (Mackert and Lohman:
 * index_pages_fetched()).
 *
 * The first row of the result has taken the first batch: of one row, as in a
 * nested loop, where there is a LIMIT, so that it is priced alike.  Where it is
 * known what share of the rows the LIMIT is content with, the startup cost is
 * such that this share has its own price (cost/part_cost.h).
 */
#include "postgres.h"

#include <math.h>

#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "base/compat.h"
#include "base/rows_wanted.h"
#include "base/settings.h"
#include "cost/column_order.h"
#include "cost/leaf_order.h"
#include "cost/level_runs.h"
#include "cost/parallel.h"
#include "cost/part_cost.h"
#include "cost/residency.h"
#include "index_join/join_plan.h"
#include "index_join/plan/cost.h"
#include "index_join/plan/index_only.h"

/*
 * What core has no cost for, in units of cpu_tuple_cost, about 40 ns on the
 * reference machine.
 *
 * BATCH_TUPLES	looking up a batch, however small: contexts, the index's meta
 *				page, its inner pages
 * ROW_TUPLES	copying an outer row, and taking it out of the copy
 * KEY_TUPLES	searching for a key within pages that are at hand
 * MATCH_TUPLES	copying a row of the inner table and putting it beside an
 *				outer row
 */
#define BATCH_TUPLES 250.0
#define ROW_TUPLES 5.0
#define KEY_TUPLES 8.0
#define MATCH_TUPLES 10.0

/* Bytes that a row takes in a batch beside its columns. */
#define ROW_BYTES 96.0

/* What the reading of one join is like. */
typedef struct Lookups
{
	const SsdparJoinCandidate *candidate;
	const SsdparJoinPrices *prices;
	double		processes;
	double		keys;			/* distinct, of all outer rows */
	double		outer_rows;		/* of one process, if all are looked up */
	double		in_order;		/* 0 to 1: do the keys come in their order? */
	double		depth;			/* requests that one process keeps */
	bool		ahead;			/* is anything read ahead at all? */
	double		new_pages;		/* share of its pages that a batch reads */
	double		new_leaves;		/* first, of table and index */
} Lookups;

/* The first column that keys differ in. */
static const SsdparSearchedColumn *
first_column(const SsdparJoinCandidate *candidate)
{
	int			i = 0;

	while (candidate->keys[i].outer == NULL)
		i++;
	return &candidate->keys[i];
}

/* Different ones among so many picks of n. */
static double
distinct_of(double n, double picks)
{
	if (n <= 1.0)
		return Min(picks, 1.0);
	return -expm1(picks * log1p(-1.0 / n)) * n;
}

/*
 * The part of so many pages that a batch of so many rows is spread over, if
 * they lie in the order of the keys by that much.  Keys that come in their
 * order are all from one part of the index, and its rows, if they lie in that
 * order, from one part of the table.
 */
static double
area_of(const Lookups *lookups, double pages, double rows, double ordered)
{
	double		part = Min(rows / lookups->outer_rows, 1.0);

	return Max(pages * (1.0 - lookups->in_order * ordered * (1.0 - part)),
			   1.0);
}

/* Leaves that a number of keys of a batch of so many rows lie on. */
static double
leaves_of(const Lookups *lookups, double keys, double rows)
{
	const IndexOptInfo *index = lookups->candidate->index;
	double		pages = Max(index->pages, 1);
	double		on_a_leaf = Max(index->tuples / pages, 1.0);
	double		more = keys * lookups->prices->matches / on_a_leaf;
	double		area = area_of(lookups, pages, rows, 1.0);

	return Min(distinct_of(area, keys) + more, pages);
}

/*
 * Pages that the rows of so many keys of a batch lie on: between core's two
 * bounds.
 */
static double
pages_of(const Lookups *lookups, double keys, double rows)
{
	const RelOptInfo *inner = lookups->candidate->inner;
	double		pages = Max(inner->pages, 1);
	double		on_a_page = Max(inner->tuples / pages, 1.0);
	double		matches = lookups->prices->matches;
	double		apart = distinct_of(pages, keys * matches);
	double		area = area_of(lookups, pages, rows,
							   lookups->prices->ordered);
	double		together = distinct_of(area, keys) +
		keys * Max(matches - 1.0, 0.0) / on_a_page;

	together = Min(together, apart);
	return apart + (together - apart) * lookups->prices->ordered;
}

/*
 * Of one relation: those read from the device at depth, those come back to.  In
 * block order, neighbours merged, if there is an area that they are spread
 * over.
 */
static double
page_seconds(const Lookups *lookups, const SsdparModel *model,
			 SsdparResidency resident, double pages, double share,
			 double all_pages, double area)
{
	double		fresh = pages * share;
	double		depth = Min(lookups->depth, Max(fresh, 1.0));
	double		all = fresh * lookups->processes;
	SsdparReads reads = area > 0.0 ?
		ssdpar_model_block_order(all, Min(area * lookups->processes,
										  all_pages),
								 true, depth, lookups->ahead, resident) :
		ssdpar_model_random(all, depth, lookups->ahead, resident);

	return ssdpar_model_price_one(model, &reads, 0.0,
								  lookups->processes).total +
		(pages - fresh) * ssdpar_model_page_again(model, all_pages);
}

/* As far as they lie in the file's order, neighbours among them are merged. */
static double
leaf_seconds(const Lookups *lookups, double leaves, double rows)
{
	const SsdparJoinPrices *prices = lookups->prices;
	double		ordered = prices->leaves_ordered;
	double		all_leaves = lookups->candidate->index->pages;
	double		apart = page_seconds(lookups, &prices->index_model,
									 prices->index_resident, leaves,
									 lookups->new_leaves, all_leaves, 0.0);
	double		together;

	if (ordered <= 0.0)
		return apart;
	together = page_seconds(lookups, &prices->index_model,
							prices->index_resident, leaves,
							lookups->new_leaves, all_leaves,
							area_of(lookups, all_leaves, rows, 1.0));
	return apart + (Min(together, apart) - apart) * ordered;
}

/* A batch of one process, while the others are at theirs. */
static Cost
batch_cost(const Lookups *lookups, double rows)
{
	const SsdparJoinPrices *prices = lookups->prices;
	double		keys = Min(distinct_of(lookups->keys, rows), rows);
	double		leaves = leaves_of(lookups, keys, rows);
	double		all_pages = lookups->candidate->inner->pages;
	double		pages = pages_of(lookups, keys, rows) *
		ssdpar_join_heap_share(lookups->candidate);
	double		found = keys * prices->matches;
	double		seconds;
	double		tuples;

	seconds = leaf_seconds(lookups, leaves, rows) +
		page_seconds(lookups, &prices->heap_model, prices->heap_resident,
					 pages, lookups->new_pages, all_pages,
					 area_of(lookups, all_pages, rows, prices->ordered));
	tuples = BATCH_TUPLES + rows * ROW_TUPLES + keys * KEY_TUPLES +
		found * MATCH_TUPLES;
	return ssdpar_model_units(prices->heap_model.machine, seconds) +
		tuples * cpu_tuple_cost +
		found * cpu_index_tuple_cost +
		2.0 * cpu_operator_cost * (rows * log2(rows + 1.0) +
								   found * log2(found + 1.0)) +
		rows * prices->matches * prices->filter;
}

/* Outer rows of a full batch. */
static double
most_rows(const Lookups *lookups, const Path *outer)
{
	const RelOptInfo *inner = lookups->candidate->inner;
	double		match_bytes = ROW_BYTES +
		(double) inner->pages * BLCKSZ / Max(inner->tuples, 1.0);
	double		memory = get_hash_memory_limit();
	double		rows = memory / 4 / (outer->pathtarget->width + ROW_BYTES);

	rows = Min(rows, memory * 3 / 4 /
			   (match_bytes * Max(lookups->prices->matches, 0.01)));
	return Max(rows, 1.0);
}

/* Outer rows of the first one. */
static double
first_rows(const Lookups *lookups, const Path *outer, double outer_rows)
{
	double		batch = ssdpar_join_first_batch(lookups->candidate, outer);

	return Min(Min(batch, most_rows(lookups, outer)), outer_rows);
}

/* What a batch of so many rows takes at least, wherever its pages are. */
static Cost
least_batch_cost(const SsdparJoinPrices *prices, double rows)
{
	return BATCH_TUPLES * cpu_tuple_cost + rows *
		(ROW_TUPLES * cpu_tuple_cost + prices->matches * prices->filter);
}

/* The share of pages that no batch before has read, if all rows are wanted. */
static double
new_share(double pages_of_all, double pages_in_batches)
{
	return pages_in_batches <= 0.0 ? 1.0 :
		Min(pages_of_all / pages_in_batches, 1.0);
}

/*
 * The share of a batch's pages that its outer rows were read from: other lines
 * of the same orders.  They are in memory if all that the batch is spread over
 * is, with room for as much again.
 */
static double
share_just_read(const Lookups *lookups, double rows)
{
	const SsdparJoinCandidate *candidate = lookups->candidate;
	const SsdparSearchedColumn *first = first_column(candidate);
	double		ordered = lookups->prices->ordered;

	if (!ssdpar_is_column_of_twin(candidate->root, (Node *) first->outer,
								  candidate->inner, first->inner->varattno) ||
		area_of(lookups, candidate->inner->pages, rows, ordered) *
		lookups->processes * 2.0 > effective_cache_size)
		return 0.0;
	return lookups->in_order * ordered;
}

/*
 * How a query's reads divide into new ones and those come back to: by a batch
 * before, or a run of the query level before.
 */
static void
set_shares(Lookups *lookups, double outer_rows, double most)
{
	const RelOptInfo *inner = lookups->candidate->inner;
	const IndexOptInfo *index = lookups->candidate->index;
	double		runs = lookups->prices->runs;
	double		batches = runs * Max(outer_rows / most, 1.0);
	double		rows = Min(outer_rows, most);
	double		keys = Min(distinct_of(lookups->keys, rows), rows);
	double		all_keys = lookups->keys * runs;
	double		pages;

	pages = pages_of(lookups, all_keys, outer_rows);
	if (pages > effective_cache_size)
		pages = Max(pages, index_pages_fetched(all_keys *
											   lookups->prices->matches,
											   inner->pages, index->pages,
											   lookups->candidate->root));
	lookups->new_pages = new_share(pages,
								   batches * lookups->processes *
								   pages_of(lookups, keys, rows));
	lookups->new_pages *= 1.0 - share_just_read(lookups, rows);
	lookups->new_leaves = new_share(leaves_of(lookups, all_keys, outer_rows),
									batches * lookups->processes *
									leaves_of(lookups, keys, rows));
}

static void
set_depth(Lookups *lookups)
{
	lookups->ahead = ssdpar_prefetch != SSDPAR_PREFETCH_OFF &&
		!ssdpar_direct_io();
	lookups->depth = lookups->ahead ?
		ssdpar_model_depth(&lookups->prices->heap_model) : 1.0;
}

/* The outer side's columns that are looked up. */
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
 * Rows that are joined to an outer row, after all conditions: at least as many
 * are looked up for it.  0: that cannot be told.
 */
static double
joined_to_each(const SsdparJoinCandidate *candidate)
{
	double		joined = candidate->joinrel->rows /
		Max(candidate->outer->rows, 1.0);

	/* a row without a partner is one of a left join as well */
	if (candidate->type == JOIN_INNER ||
		(candidate->type == JOIN_LEFT && joined > 1.0))
		return joined;
	return 0.0;
}

/*
 * Rows of the inner table for a key.  Of several columns core takes each for
 * independent of the others, where the rows of the join may have been measured;
 * that a unique index has one row for what stands in all of its columns it
 * knows as well.
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

/* Asked for once a join is priced by more than what it takes at least. */
static void
add_reads(const SsdparJoinCandidate *candidate, SsdparJoinPrices *prices)
{
	PlannerInfo *root = candidate->root;
	const RelOptInfo *inner = candidate->inner;
	IndexOptInfo *index = candidate->index;
	Oid			table = root->simple_rte_array[inner->relid]->relid;
	const SsdparSearchedColumn *first = first_column(candidate);

	if (prices->has_reads)
		return;
	prices->has_reads = true;
	if (!ssdpar_model_get(index->reltablespace, &prices->index_model))
		prices->index_model = prices->heap_model;
	prices->heap_resident = ssdpar_residency_of(table, inner->pages);
	prices->index_resident = ssdpar_residency_of(index->indexoid,
												 index->pages);
	prices->leaves_ordered = index->pages < SSDPAR_MANY_LEAVES ? 0.0 :
		ssdpar_leaf_order(index);
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

/* Do its rows come as they lie in this table? */
static bool
comes_as_it_lies(const Path *path, Index table)
{
	switch (nodeTag(path))
	{
		case T_Path:
		case T_BitmapHeapPath:
			return path->parent->relid == table;
		case T_CustomPath:
			return path->parent->relid == table ||
				(((const CustomPath *) path)->custom_paths != NIL &&
				 comes_as_it_lies(linitial(((const CustomPath *) path)->
										   custom_paths), table));
		case T_NestPath:
		case T_HashPath:
			return comes_as_it_lies(((const JoinPath *) path)->outerjoinpath,
									table);
		default:
			return false;
	}
}

static double
order_of_keys(const SsdparJoinCandidate *candidate,
			  const SsdparJoinPrices *prices, const Path *outer)
{
	const Var  *key = first_column(candidate)->outer;

	return comes_as_it_lies(outer, key->varno) ? prices->outer_ordered : 0;
}

/* Will all rows of the join be asked for, if it is made of this path? */
static bool
are_all_wanted(const SsdparJoinCandidate *candidate, const Path *outer)
{
	return outer->pathkeys == NIL ? candidate->all_unordered_wanted :
		candidate->all_wanted;
}

double
ssdpar_join_first_batch(const SsdparJoinCandidate *candidate,
						const Path *outer)
{
	if (!are_all_wanted(candidate, outer))
		return 1.0;
	return Min(Max(ceil(outer->rows), 1.0), SSDPAR_MOST_OUTER_ROWS);
}

/*
 * All batches of one process that looks so many outer rows up; in *first the
 * first of them.
 */
static Cost
batches_cost(Lookups *lookups, const Path *outer, double outer_rows,
			 Cost *first)
{
	double		most = most_rows(lookups, outer);
	double		batch = ssdpar_join_first_batch(lookups->candidate, outer);
	double		done;
	Cost		cost;

	lookups->in_order = order_of_keys(lookups->candidate, lookups->prices,
									  outer);
	set_depth(lookups);
	set_shares(lookups, outer_rows, most);
	done = Min(Min(batch, most), outer_rows);
	cost = *first = batch_cost(lookups, done);
	for (batch *= 2.0; done < outer_rows && batch < most; batch *= 2.0)
	{
		double		n = Min(batch, outer_rows - done);

		cost += batch_cost(lookups, n);
		done += n;
	}
	if (done < outer_rows)
		cost += batch_cost(lookups, Min(most, outer_rows)) *
			(outer_rows - done) / Min(most, outer_rows);
	return cost;
}

/* Of the outer plan, and of the rows that the join gives. */
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
	const Lookups lookups = {.candidate = candidate, .prices = prices};
	SsdparJoinCost cost = cost_around(candidate, prices, outer, rows);
	double		outer_rows = Max(outer->rows, 1.0);
	double		first;

	cost.total += least_batch_cost(prices, outer_rows);
	if (!are_all_wanted(candidate, outer))
		return cost;
	first = first_rows(&lookups, outer, outer_rows);
	cost.startup += (outer->total_cost - outer->startup_cost) *
		(first - 1.0) / outer_rows + least_batch_cost(prices, first);
	return cost;
}

/* Outer rows that are looked up where so many are needed: whole batches. */
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
 * What is paid for this share of the outer rows, without these themselves: the
 * first batches come back to few pages, as hardly any has been read yet.
 */
static Cost
cost_of_share(const Lookups *all, const Path *outer, double share,
			  double *rows)
{
	Lookups		lookups = *all;
	double		batch = ssdpar_join_first_batch(all->candidate, outer);
	Cost		first;

	*rows = Min(rows_taken(batch, most_rows(all, outer),
						   all->outer_rows * share), all->outer_rows);
	lookups.keys = distinct_of(all->keys, *rows * all->processes);
	return batches_cost(&lookups, outer, *rows, &first);
}

/*
 * Looking up the rows of an outer path.  Many paths of the outer relation have
 * as many rows in the same order, and it takes the same for all of these.
 */
typedef struct PricedLookups
{
	double		outer_rows;		/* what it depends on */
	int			workers;
	int			width;
	bool		all_wanted;
	double		share;			/* of the rows, that is needed */
	double		in_order;

	Cost		all;
	Cost		first;			/* batch, which has so many rows */
	double		first_rows;
	Cost		of_share;		/* if not all are needed */
	double		share_rows;		/* that are looked up for it */
} PricedLookups;

/*
 * Of so many rows.  Core takes the number of groups from statistics alone, and
 * no more than there are rows, so it is asked once for all of them.
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
	Lookups		lookups = {
		.candidate = candidate,
		.prices = prices,
		.processes = ssdpar_parallel_divisor(outer->parallel_workers),
		.outer_rows = priced->outer_rows,
	};

	lookups.keys = distinct_keys(candidate, prices,
								 lookups.outer_rows * lookups.processes);
	priced->all = batches_cost(&lookups, outer, lookups.outer_rows,
							   &priced->first);
	priced->first_rows = first_rows(&lookups, outer, lookups.outer_rows);
	if (priced->share < 1.0)
		priced->of_share = cost_of_share(&lookups, outer,
										 ssdpar_late_share(priced->share),
										 &priced->share_rows);
}

/* Those of another path if they take the same. */
static const PricedLookups *
priced_lookups(const SsdparJoinCandidate *candidate, SsdparJoinPrices *prices,
			   const Path *outer)
{
	PricedLookups wanted = {
		.outer_rows = Max(outer->rows, 1.0),
		.workers = outer->parallel_workers,
		.width = outer->pathtarget->width,
		.all_wanted = are_all_wanted(candidate, outer),
		.share = ssdpar_share_wanted(candidate->root, candidate->joinrel,
									 outer->pathkeys != NIL),
		.in_order = order_of_keys(candidate, prices, outer),
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

Cost
ssdpar_join_lookup_cost(const SsdparJoinCandidate *candidate,
						const SsdparJoinPrices *prices, const Path *outer,
						double rows)
{
	Lookups		lookups = {
		.candidate = candidate,
		.prices = prices,
		.processes = ssdpar_parallel_divisor(outer->parallel_workers),
	};
	Cost		first_cost;

	lookups.outer_rows = Max(rows, 1.0);
	lookups.keys = lookups.outer_rows * lookups.processes;
	return batches_cost(&lookups, outer, lookups.outer_rows, &first_cost);
}
