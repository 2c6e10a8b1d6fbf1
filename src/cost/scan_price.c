/*
 * scan_price.c
 *		What the scans of one table cost under the model.
 *
 * In planner units, a page or a whole path.  Which paths there are is
 * for reprice.c to say.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_am.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/spccache.h"

#include "base/compat.h"
#include "base/settings.h"
#include "cost/btree_scan.h"
#include "cost/leaf_order.h"
#include "cost/ordered_lookups.h"
#include "cost/parallel.h"
#include "cost/residency.h"
#include "cost/scan_price.h"
#include "prefetch/read_distance.h"

/*
 * The share of pages from which on the kernel reads all beside one that is
 * announced ahead (measured: at 1.0, not at 0.75).
 */
#define NEARLY_ALL 0.95

/*
 * Of a scan with fewer pages nothing is read ahead: a lookup of a few rows
 * costs what it does waiting.
 */
#define LEAST_PAGES_AHEAD 8.0

/* Leaves that a scan waits for before the next one is read meanwhile. */
#define FIRST_LEAVES 2.0

/* Below, index scans and bitmap scans are priced alike. */
#define SMALL_TABLE_KB (2 * 1024.0)

bool
ssdpar_table_is_small(const SsdparTablePrice *table)
{
	return table->runs <= 1.0 &&
		table->rel->pages * (BLCKSZ / 1024.0) < SMALL_TABLE_KB;
}

/* Does a run find in memory what the runs before have read? */
static bool
stays_in_memory(const SsdparTablePrice *table)
{
	return table->runs > 1.0 &&
		table->root->total_table_pages <= effective_cache_size;
}

/*
 * All of the table, on average of the level's runs.  Read in a circle, what
 * does not fit into memory is gone each time.
 */
static SsdparPrice
seqscan_price(const SsdparTablePrice *table, SsdparReads reads,
			  double cpu_seconds, double processes)
{
	SsdparPrice price = ssdpar_model_price_one(&table->model, &reads,
											   cpu_seconds, processes);
	SsdparPrice again;

	if (!stays_in_memory(table))
		return price;
	reads.resident = ssdpar_residency_in_memory(table->rel->pages);
	again = ssdpar_model_price_one(&table->model, &reads, cpu_seconds,
								   processes);
	price.startup = again.startup +
		(price.startup - again.startup) / table->runs;
	price.total = again.total + (price.total - again.total) / table->runs;
	return price;
}

static void
price_seqscan(const SsdparTablePrice *table, Cost sequential_page, Path *path)
{
	const SsdparModel *model = &table->model;
	RelOptInfo *rel = table->rel;
	int			workers = path->parallel_workers;
	double		processes = ssdpar_parallel_divisor(workers);
	double		cpu_seconds;
	SsdparReads reads = ssdpar_model_seqscan(model, rel->reltablespace,
											 rel->pages, workers > 0,
											 table->resident);
	SsdparPrice price;

	/* core's own formula backwards (cost_seqscan): what is left is computing */
	cpu_seconds = (path->total_cost - path->startup_cost -
				   sequential_page * rel->pages) *
		model->machine->seconds_per_cost_unit;
	price = seqscan_price(table, reads, cpu_seconds * processes, processes);
	path->startup_cost += ssdpar_seconds_cost(table, price.startup);
	path->total_cost = path->startup_cost +
		ssdpar_seconds_cost(table, price.total - price.startup);
}

void
ssdpar_price_seqscans(const SsdparTablePrice *table)
{
	const RelOptInfo *rel = table->rel;
	double		sequential_page;
	ListCell   *lc;

	get_tablespace_page_costs(rel->reltablespace, NULL, &sequential_page);
	foreach(lc, rel->pathlist)
		if (((Path *) lfirst(lc))->pathtype == T_SeqScan)
			price_seqscan(table, sequential_page, lfirst(lc));
	foreach(lc, rel->partial_pathlist)
		if (((Path *) lfirst(lc))->pathtype == T_SeqScan)
			price_seqscan(table, sequential_page, lfirst(lc));
}

/* How far core's bitmap scans read ahead; 0: they do not. */
static int
bitmap_depth(const SsdparTablePrice *table)
{
	return get_tablespace_io_concurrency(table->tablespace);
}

/*
 * The pages that a bitmap scan reads from the table, in block order.  If the
 * scan itself reads nothing ahead, or needs nearly every page, the kernel
 * detects a sequential scan and reads the whole table.
 */
static SsdparReads
ordered_bitmap_reads(const SsdparTablePrice *table, double pages)
{
	double		area = table->rel->pages;
	int			depth = bitmap_depth(table);
	double		window = table->model.read_ahead_kb;

	if (depth <= 1 &&
		pages >= area * (depth == 0 ? ssdpar_model_kernel_reads_all(window) :
						 NEARLY_ALL))
		return ssdpar_model_read_ahead(area, window, table->resident);
	return ssdpar_model_block_order(pages, area, false, Max(depth, 1),
									depth > 1, table->resident);
}

/* Pages of the table that one of so many runs reads on average. */
static double
bitmap_pages(const SsdparTablePrice *table, BitmapHeapPath *path, double runs)
{
	Cost		index_cost;
	double		tuples;

	return compute_bitmap_pages(table->root, table->rel, path->bitmapqual,
								runs, &index_cost, &tuples);
}

/* What it takes to read so many in block order. */
static Cost
block_order_cost(const SsdparTablePrice *table, double pages, double processes)
{
	SsdparReads reads = ordered_bitmap_reads(table, pages);
	SsdparPrice price = ssdpar_model_price_one(&table->model, &reads, 0.0,
											   processes);

	return ssdpar_seconds_cost(table, price.total +
							   pages * ssdpar_visit_seconds(table) /
							   processes);
}

void
ssdpar_price_block_order(const SsdparTablePrice *table, BitmapHeapPath *path,
						 double priced_runs)
{
	Path	   *scan = &path->path;
	double		processes = ssdpar_parallel_divisor(scan->parallel_workers);
	Cost		page;
	Cost		priced;
	double		pages;
	Cost		ordered;

	if (scan->param_info != NULL)
		return;
	page = ssdpar_bitmap_scan_costs(table, scan->parallel_workers).random_page;
	priced = bitmap_pages(table, path, priced_runs) * page;
	pages = bitmap_pages(table, path, table->runs);
	ordered = block_order_cost(table, pages, processes);
	if (stays_in_memory(table))
	{
		/* nearly all of them are those of the first runs */
		double		all = bitmap_pages(table, path, 1.0);

		ordered = Min(all * page, block_order_cost(table, all, processes)) *
			pages / all;
	}
	ordered = Min(ordered, pages * page);
	if (ordered < priced)
		scan->total_cost = Max(scan->startup_cost,
							   scan->total_cost - (priced - ordered));
}

Cost
ssdpar_price_index(const void *priced, const IndexOptInfo *index,
				   Oid tablespace, int workers)
{
	SsdparTablePrice own = ssdpar_price_as_index(priced, index, tablespace);
	SsdparReads waited = ssdpar_model_random(1.0, 1.0, false, own.resident);

	return ssdpar_page_cost(&own, waited, workers);
}

/* By the settings, and the path's kind: see ssdpar_index_ahead_possible(). */
static bool
may_read_ahead(const IndexPath *path)
{
	return ssdpar_prefetch_index_scans &&
		ssdpar_prefetch != SSDPAR_PREFETCH_OFF && !ssdpar_direct_io() &&
		path->path.pathtype == T_IndexScan &&
		path->indexinfo->relam == BTREE_AM_OID && path->indexorderbys == NIL;
}

/*
 * What the first pages take beyond the price of those read ahead.  Two are
 * waited for one after the other; then the distance doubles, and each time
 * takes one page's time at least (prefetch/read_distance.c).
 */
static Cost
ramp_up_cost(Cost waited, Cost ahead)
{
	Cost		cost = 2 * (waited - ahead);

	for (double pages = SSDPAR_FIRST_DISTANCE;
		 ahead > 0 && pages * ahead < waited; pages *= 2)
		cost += waited - pages * ahead;
	return cost;
}

/* What it takes until the kernel's read-ahead of a relation is under way. */
static Cost
read_ahead_start(const SsdparTablePrice *table, int workers)
{
	SsdparReads reads = ssdpar_model_read_ahead(table->rel->pages,
												table->model.read_ahead_kb,
												table->resident);

	double		processes = ssdpar_parallel_divisor(workers);
	SsdparPrice price = ssdpar_model_price_one(&table->model, &reads, 0.0,
											   processes);

	return ssdpar_seconds_cost(table, price.startup);
}

/*
 * The leaves that a query of this table alone reads until its LIMIT has all
 * rows that it wants.  In which order they lie would take as long to find out
 * as to read the few of them.
 */
static double
leaves_wanted(const SsdparTablePrice *table,
			  const SsdparIndexEstimate *estimate)
{
	const PlannerInfo *root = table->root;

	if (root->limit_tuples <= 0 || list_length(root->parse->rtable) > 1)
		return estimate->pages;
	return estimate->pages *
		Min(root->limit_tuples / Max(table->rel->rows, 1.0), 1.0);
}

/*
 * The first leaves are waited for, and so are others that lie elsewhere in the
 * file than behind the one before: the kernel reads ahead of those in order.
 */
static Cost
leaf_in_file_order(const SsdparTablePrice *table,
				   const SsdparEstimatedScan *scan, Oid tablespace)
{
	const IndexPath *path = scan->path;
	const IndexOptInfo *index = path->indexinfo;
	Cost		waited = scan->estimate->page_cost;
	SsdparTablePrice own;
	SsdparReads run;
	Cost		in_order;
	double		ordered;

	if (leaves_wanted(table, scan->estimate) < SSDPAR_MANY_LEAVES ||
		path->path.param_info != NULL ||
		ScanDirectionIsBackward(path->indexscandir) || ssdpar_direct_io())
		return waited;
	own = ssdpar_price_as_index(table, index, tablespace);
	run = ssdpar_model_read_ahead(1.0, own.model.read_ahead_kb, own.resident);
	in_order = ssdpar_page_cost(&own, run, scan->workers);
	if (in_order >= waited)
		return waited;
	ordered = ssdpar_leaf_order(table->root, index);
	return ordered * in_order + (1.0 - ordered) * waited;
}

/* What a leaf takes while pages of the table are read ahead. */
static Cost
leaf_read_ahead(const SsdparTablePrice *table, const SsdparEstimatedScan *scan)
{
	SsdparReads in_order = ssdpar_model_read_ahead(1.0,
												   table->model.read_ahead_kb,
												   table->resident);
	SsdparReads random = ssdpar_model_random(1.0,
											 ssdpar_model_depth(&table->model),
											 true, table->resident);
	int			workers = scan->workers;
	Cost		in_order_page = ssdpar_page_cost(table, in_order, workers);

	return ssdpar_btree_leaf_cost(scan->path, scan->estimate,
								  scan->estimate->page_cost, in_order_page,
								  in_order_page,
								  ssdpar_page_cost(table, random, workers));
}

/*
 * While pages of the table are read ahead there is something to do for a leaf's
 * time.  As far as the table is read in order, by the kernel's read-ahead, that
 * has to begin, as it has for a sequential scan.
 */
static Cost
leaves_hidden(const SsdparTablePrice *table, const SsdparEstimatedScan *scan,
			  Oid tablespace)
{
	const SsdparIndexEstimate *estimate = scan->estimate;
	bool		ahead;
	double		leaves = estimate->pages - FIRST_LEAVES;
	Cost		leaf;

	if (leaves <= 0)
		return 0;
	ahead = may_read_ahead(scan->path);
	leaf = leaf_in_file_order(table, scan, tablespace);
	if (ahead)
		leaf = Min(leaf, leaf_read_ahead(table, scan));
	return Min(leaves * (estimate->page_cost - leaf),
			   estimate->total - estimate->startup) -
		(ahead ? estimate->correlation * estimate->correlation *
		 read_ahead_start(table, scan->workers) : 0);
}

Cost
ssdpar_price_leaves(const void *priced, const SsdparEstimatedScan *scan,
					Oid tablespace)
{
	SsdparTablePrice index;

	if (scan->loop_count <= 1.0)
		return leaves_hidden(priced, scan, tablespace);
	if (scan->path->indexinfo->pages < SSDPAR_MANY_LEAVES)
		return 0.0;
	index = ssdpar_price_as_index(priced, scan->path->indexinfo, tablespace);
	return ssdpar_lookup_leaves_saved(&index, scan);
}

/*
 * Of pages in the order of the table the kernel reads ahead, at a price that
 * they have already; the others are read ahead by prefetch/index_ahead.c.
 */
Cost
ssdpar_price_read_ahead(const void *priced, const SsdparEstimatedScan *scan,
						Cost *random_page)
{
	const SsdparIndexEstimate *estimate = scan->estimate;
	const SsdparTablePrice *table = priced;
	double		depth = ssdpar_model_depth(&table->model);
	double		rows;
	double		pages;
	Cost		ahead;
	Cost		ramp_up;

	*random_page = ssdpar_lookup_page_cost(table, scan, *random_page);
	if (!may_read_ahead(scan->path))
		return 0;
	rows = clamp_row_est(estimate->selectivity * table->rel->tuples);
	pages = index_pages_fetched(rows * scan->loop_count, table->rel->pages,
								scan->path->indexinfo->pages, scan->root) /
		scan->loop_count;
	if (pages < LEAST_PAGES_AHEAD)
		return 0;
	ahead = ssdpar_any_page_cost(table, depth, scan->workers);
	ramp_up = ramp_up_cost(*random_page, ahead);
	if (!(pages * ahead + ramp_up < pages * *random_page))
		return 0;
	*random_page = ahead;
	return ramp_up * (1.0 - estimate->correlation * estimate->correlation);
}

SsdparCoreCosts
ssdpar_index_scan_costs(const SsdparTablePrice *table, int workers)
{
	SsdparReads run = ssdpar_model_read_ahead(1.0,
											  table->model.read_ahead_kb,
											  table->resident);
	SsdparCoreCosts costs = {
		.random_page = ssdpar_any_page_cost(table, 1.0, workers),
		.sequential_page = ssdpar_page_cost(table, run, workers),
		.page_again = ssdpar_page_again_cost(table),
		.runs = table->runs,
		.index_workers = workers,
		.index_scans = true,
	};

	return costs;
}

SsdparCoreCosts
ssdpar_bitmap_scan_costs(const SsdparTablePrice *table, int workers)
{
	double		depth = Max(bitmap_depth(table), 1);
	Cost		cost = ssdpar_any_page_cost(table, depth, workers);
	SsdparCoreCosts costs = {
		.page_again = ssdpar_page_again_cost(table),
		.runs = table->runs,
		.bitmap_scans = true,
	};

	/*
	 * Below a nested loop one process may be one of several that share the
	 * device, by whose number core divides the join's cost.  A scan that
	 * reads ahead keeps the device busy alone, so that they gain little: each
	 * of its pages takes no less than its part of the time that it takes them
	 * all.
	 */
	if (workers == 0 && table->rel->consider_parallel)
	{
		int			most = max_parallel_workers_per_gather;
		Cost		shared = ssdpar_any_page_cost(table, depth, most) *
			ssdpar_parallel_divisor(most);

		cost = Max(cost, shared);
	}

	/* one price for both: core would mix them, as on a disk (model.c) */
	costs.random_page = costs.sequential_page = cost;
	return costs;
}
