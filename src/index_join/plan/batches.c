/*
 * batches.c
 *		Prices the batches in which an index join looks up its outer rows.
 *
 *		batch of n outer rows	leaves of the distinct keys at depth
 *								+ pages of the rows found, in block order,
 *								  neighbors merged, at depth
 *								+ computing
 *
 * If all rows are wanted, the first batch takes all expected rows.  Otherwise
 * it takes one row, and the next batches take 2, 4, 8 and so on.  A batch
 * cannot have more requests outstanding than it has pages, so these growing
 * batches are priced one by one; the full batches after them all cost the
 * same.
 *
 * If the index has all columns, only those pages of the table are read that
 * are not marked all-visible.
 *
 * Computing and reading add up, because a batch is read before its rows are
 * returned.  Pages that an earlier batch has read are in memory, and so are
 * those of an earlier run if the query level is executed several times.  If
 * the table is larger than the cache, core's formula tells how many of them
 * still are (Mackert and Lohman: index_pages_fetched()).
 */
#include "postgres.h"

#include <math.h>

#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "base/compat.h"
#include "base/settings.h"
#include "cost/column_order.h"
#include "index_join/join_plan.h"
#include "index_join/plan/batches.h"
#include "index_join/plan/index_only.h"

/*
 * Work that core has no cost for, in units of cpu_tuple_cost.
 *
 * BATCH_TUPLES	looking up a batch of any size: contexts, the index's meta
 *				page, its inner pages
 * ROW_TUPLES	copying an outer row, and reading it from the copy
 * KEY_TUPLES	searching for a key within pages already in memory
 * MATCH_TUPLES	copying a row of the inner table and combining it with an
 *				outer row
 */
#define BATCH_TUPLES 250.0
#define ROW_TUPLES 5.0
#define KEY_TUPLES 8.0
#define MATCH_TUPLES 10.0

/* Bytes that a row takes in a batch in addition to its columns. */
#define ROW_BYTES 96.0

const SsdparSearchedColumn *
ssdpar_first_searched(const SsdparJoinCandidate *candidate)
{
	int			i = 0;

	while (candidate->keys[i].outer == NULL)
		i++;
	return &candidate->keys[i];
}

/* Expected number of distinct values among picks random ones of n. */
double
ssdpar_distinct_of(double n, double picks)
{
	if (n <= 1.0)
		return Min(picks, 1.0);
	return -expm1(picks * log1p(-1.0 / n)) * n;
}

/*
 * Number of pages over which a batch of rows is spread, given how well these
 * pages follow the order of the keys.  Keys that arrive in order fall into one
 * part of the index, and their rows into one part of the table if that has the
 * same order.
 */
static double
area_of(const SsdparLookups *lookups, double pages, double rows, double ordered)
{
	double		part = Min(rows / lookups->outer_rows, 1.0);

	return Max(pages * (1.0 - lookups->in_order * ordered * (1.0 - part)),
			   1.0);
}

/* Leaves that contain the keys of a batch of rows. */
static double
leaves_of(const SsdparLookups *lookups, double keys, double rows)
{
	const IndexOptInfo *index = lookups->candidate->index;
	double		pages = Max(index->pages, 1);
	double		on_a_leaf = Max(index->tuples / pages, 1.0);
	double		more = keys * lookups->prices->matches / on_a_leaf;
	double		area = area_of(lookups, pages, rows, 1.0);

	return Min(ssdpar_distinct_of(area, keys) + more, pages);
}

/*
 * Table pages that contain the matches of a batch's keys.  Like core's
 * cost_index(), interpolates between two bounds.
 */
static double
pages_of(const SsdparLookups *lookups, double keys, double rows)
{
	const RelOptInfo *inner = lookups->candidate->inner;
	double		pages = Max(inner->pages, 1);
	double		on_a_page = Max(inner->tuples / pages, 1.0);
	double		matches = lookups->prices->matches;
	double		apart = ssdpar_distinct_of(pages, keys * matches);
	double		area = area_of(lookups, pages, rows,
							   lookups->prices->ordered);
	double		together = ssdpar_distinct_of(area, keys) +
		keys * Max(matches - 1.0, 0.0) / on_a_page;

	together = Min(together, apart);
	return apart + (together - apart) * lookups->prices->ordered;
}

/*
 * Time for pages of one relation: those read from the device at depth, and
 * those fetched again.  If area is given, they are read in block order from
 * that many pages, so neighbors are merged.
 */
static double
page_seconds(const SsdparLookups *lookups, const SsdparModel *model,
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

/*
 * Neighboring leaves are merged only as far as the leaves follow the file's
 * order.
 */
static double
leaf_seconds(const SsdparLookups *lookups, double leaves, double rows)
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

/* A batch of one process, while the other processes look up theirs. */
static Cost
batch_cost(const SsdparLookups *lookups, double rows)
{
	const SsdparJoinPrices *prices = lookups->prices;
	double		keys = Min(ssdpar_distinct_of(lookups->keys, rows), rows);
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

double
ssdpar_batch_most_rows(const SsdparLookups *lookups, const Path *outer)
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

double
ssdpar_batch_first_rows(const SsdparLookups *lookups, const Path *outer,
						double outer_rows)
{
	double		batch = ssdpar_join_first_batch(lookups->candidate, outer);

	return Min(Min(batch, ssdpar_batch_most_rows(lookups, outer)), outer_rows);
}

Cost
ssdpar_batch_least_cost(const SsdparJoinPrices *prices, double rows)
{
	return BATCH_TUPLES * cpu_tuple_cost + rows *
		(ROW_TUPLES * cpu_tuple_cost + prices->matches * prices->filter);
}

/*
 * The share of pages that no earlier batch has read, if all rows are wanted.
 */
static double
new_share(double pages_of_all, double pages_in_batches)
{
	return pages_in_batches <= 0.0 ? 1.0 :
		Min(pages_of_all / pages_in_batches, 1.0);
}

/*
 * Share of a batch's pages that its outer rows were just read from: other
 * lines of the same orders, for example.  They are still in memory if the area
 * of a batch fits into the cache twice.
 */
static double
share_just_read(const SsdparLookups *lookups, double rows)
{
	const SsdparJoinCandidate *candidate = lookups->candidate;
	const SsdparSearchedColumn *first = ssdpar_first_searched(candidate);
	double		ordered = lookups->prices->ordered;

	if (!ssdpar_is_column_of_twin(candidate->root, (Node *) first->outer,
								  candidate->inner, first->inner->varattno) ||
		area_of(lookups, candidate->inner->pages, rows, ordered) *
		lookups->processes * 2.0 > effective_cache_size)
		return 0.0;
	return lookups->in_order * ordered;
}

/*
 * Computes which share of the reads is new.  The others return to pages of an
 * earlier batch, or of an earlier run of the query level.
 */
static void
set_shares(SsdparLookups *lookups, double outer_rows, double most)
{
	const RelOptInfo *inner = lookups->candidate->inner;
	const IndexOptInfo *index = lookups->candidate->index;
	double		runs = lookups->prices->runs;
	double		batches = runs * Max(outer_rows / most, 1.0);
	double		rows = Min(outer_rows, most);
	double		keys = Min(ssdpar_distinct_of(lookups->keys, rows), rows);
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
set_depth(SsdparLookups *lookups)
{
	lookups->ahead = ssdpar_prefetch != SSDPAR_PREFETCH_OFF &&
		!ssdpar_direct_io();
	lookups->depth = lookups->ahead ?
		ssdpar_model_depth(&lookups->prices->heap_model) : 1.0;
}

/* Does the path return rows in the physical order of this table? */
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

double
ssdpar_order_of_keys(const SsdparJoinCandidate *candidate,
					 const SsdparJoinPrices *prices, const Path *outer)
{
	const Var  *key = ssdpar_first_searched(candidate)->outer;

	return comes_as_it_lies(outer, key->varno) ? prices->outer_ordered : 0;
}

bool
ssdpar_batch_takes_all(const SsdparJoinCandidate *candidate, const Path *outer)
{
	return outer->pathkeys == NIL ? candidate->all_unordered_wanted :
		candidate->all_wanted;
}

double
ssdpar_join_first_batch(const SsdparJoinCandidate *candidate,
						const Path *outer)
{
	if (!ssdpar_batch_takes_all(candidate, outer))
		return 1.0;
	return Min(Max(ceil(outer->rows), 1.0), SSDPAR_MOST_OUTER_ROWS);
}

Cost
ssdpar_batches_cost(SsdparLookups *lookups, const Path *outer,
					double outer_rows, Cost *first)
{
	double		most = ssdpar_batch_most_rows(lookups, outer);
	double		batch = ssdpar_join_first_batch(lookups->candidate, outer);
	double		done;
	Cost		cost;

	lookups->in_order = ssdpar_order_of_keys(lookups->candidate,
											 lookups->prices, outer);
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
