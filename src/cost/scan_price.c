/*
 * scan_price.c
 *		Prices the scans of one table under the model, in planner units per
 *		page or per path.
 *
 * reprice.c decides which paths there are.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/spccache.h"

#include "base/compat.h"
#include "base/settings.h"
#include "cost/leaf_order.h"
#include "cost/ordered_lookups.h"
#include "cost/parallel.h"
#include "cost/residency.h"
#include "cost/scan_price.h"

/*
 * The share of pages from which the kernel reads all of them even if one page
 * is announced ahead (measured).
 */
#define NEARLY_ALL 0.95

/* Leaves that a scan waits for before the next one is read meanwhile. */
#define FIRST_LEAVES 2.0

/* Below this size, index scans and bitmap scans have the same page costs. */
#define SMALL_TABLE_KB (2 * 1024.0)

bool
ssdpar_table_is_small(const SsdparTablePrice *table)
{
	return table->runs <= 1.0 &&
		table->rel->pages * (BLCKSZ / 1024.0) < SMALL_TABLE_KB;
}

/* Does a run find in memory what earlier runs have read? */
static bool
stays_in_memory(const SsdparTablePrice *table)
{
	return table->runs > 1.0 &&
		table->root->total_table_pages <= effective_cache_size;
}

/*
 * The whole table, averaged over the level's runs.  If it does not fit into
 * memory, a cyclic scan finds none of its pages in the cache.
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
											 rel->pages, table->resident);
	SsdparPrice price;

	/* invert core's formula (cost_seqscan): the rest is computing */
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

/* Table pages that one of this number of runs reads on average. */
static double
bitmap_pages(const SsdparTablePrice *table, BitmapHeapPath *path, double runs)
{
	Cost		index_cost;
	double		tuples;

	return compute_bitmap_pages(table->root, table->rel, path->bitmapqual,
								runs, &index_cost, &tuples);
}

/* Cost of reading this number of pages in block order. */
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
		/* nearly all of these pages are read by the first runs */
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

/*
 * The leaves that a query of this table alone reads until its LIMIT is
 * reached. For a few leaves, sampling their order would take as long as
 * reading them.
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
 * A scan waits for the first leaves, and for those that do not follow the
 * previous one in the file, because the kernel reads ahead only in file order.
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

/* The pages of the index that a scan does not wait for. */
static Cost
leaves_hidden(const SsdparTablePrice *table, const SsdparEstimatedScan *scan,
			  Oid tablespace)
{
	const SsdparIndexEstimate *estimate = scan->estimate;
	double		leaves = estimate->pages - FIRST_LEAVES;

	if (leaves <= 0)
		return 0;
	return Min(leaves * (estimate->page_cost -
						 leaf_in_file_order(table, scan, tablespace)),
			   estimate->total - estimate->startup);
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
	 * Below a nested loop, this process may be one of several that share the
	 * device, and core divides the join's cost by their number.  However, a
	 * single scan that reads ahead keeps the device busy, so they gain
	 * little. Therefore, a page costs at least this process's part of the
	 * time that all of them need for it.
	 */
	if (workers == 0 && table->rel->consider_parallel)
	{
		int			most = max_parallel_workers_per_gather;
		Cost		shared = ssdpar_any_page_cost(table, depth, most) *
			ssdpar_parallel_divisor(most);

		cost = Max(cost, shared);
	}

	/*
	 * the same price for both, because core would interpolate as for a disk
	 * (model.c)
	 */
	costs.random_page = costs.sequential_page = cost;
	return costs;
}
