/*
 * scan_price.c
 *		What the scans of one table cost under the model.
 *
 * In planner units, a page or a whole path.  Which paths there are is
 * for reprice.c to say.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/spccache.h"

#include "cost/residency.h"
#include "cost/scan_price.h"
#include "cost/parallel.h"

/* Shares of a table's pages from which on a scan in block order reads all. */
#define KERNEL_READS_ALL 0.45
#define NEARLY_ALL 0.95

/* Below, index scans and bitmap scans are priced alike. */
#define SMALL_TABLE_KB (2 * 1024.0)

bool
ssdpar_table_is_small(const SsdparTablePrice *table)
{
	return table->rel->pages * (BLCKSZ / 1024.0) < SMALL_TABLE_KB;
}

static Cost
to_cost(const SsdparTablePrice *table, double seconds)
{
	return ssdpar_model_units(table->model.machine, seconds);
}

/* One page out of many reads of that kind. */
static Cost
page_cost(const SsdparTablePrice *table, SsdparReads reads, int workers)
{
	double		processes = ssdpar_parallel_divisor(workers);
	SsdparPrice price = ssdpar_model_price_one(&table->model, &reads, 0.0,
											   processes);

	return to_cost(table, price.total - price.startup) / reads.pages;
}

void
ssdpar_price_seqscan(const SsdparTablePrice *table, Path *path)
{
	const SsdparModel *model = &table->model;
	RelOptInfo *rel = table->rel;
	int			workers = path->parallel_workers;
	double		processes = ssdpar_parallel_divisor(workers);
	double		sequential_page;
	double		cpu_seconds;
	SsdparReads reads = ssdpar_model_seqscan(model, rel->reltablespace,
											 rel->pages, workers > 0,
											 table->resident);
	SsdparPrice price;

	/* core's own formula backwards (cost_seqscan): what is left is computing */
	get_tablespace_page_costs(rel->reltablespace, NULL, &sequential_page);
	cpu_seconds = (path->total_cost - path->startup_cost -
				   sequential_page * rel->pages) *
		model->machine->seconds_per_cost_unit;
	price = ssdpar_model_price_one(model, &reads, cpu_seconds * processes,
								   processes);
	path->startup_cost += to_cost(table, price.startup);
	path->total_cost = path->startup_cost +
		to_cost(table, price.total - price.startup);
}

/* What a bitmap scan reads of the table if order did not matter. */
static SsdparReads
bitmap_reads(const SsdparTablePrice *table, double pages)
{
	int			depth = table->bitmap_depth;

	/* one page ahead is hardly under way when it is needed */
	return ssdpar_model_random(pages, Max(depth, 1), depth > 1,
							   table->resident);
}

/*
 * The same in block order.  Where the scan itself reads nothing ahead, or
 * wants nearly every page, the kernel takes it for sequential and reads all of
 * the table (measured: from 0.46 of the pages on, not at 0.29; with
 * effective_io_concurrency at 1, at 1.0, not at 0.75).  A scan that was made
 * deeper leaves those to the kernel as well (bitmap/density.c).
 */
static SsdparReads
ordered_bitmap_reads(const SsdparTablePrice *table, double pages)
{
	double		area = table->rel->pages;
	int			depth = table->bitmap_depth;
	int			cores =
		get_tablespace_io_concurrency(table->rel->reltablespace);

	if (cores <= 1 &&
		pages >= area * (cores == 0 ? KERNEL_READS_ALL : NEARLY_ALL))
		return ssdpar_model_read_ahead(area, table->model.read_ahead_kb,
									   table->resident);
	return ssdpar_model_block_order(pages, area, false, Max(depth, 1),
									depth > 1, table->resident);
}

void
ssdpar_price_block_order(const SsdparTablePrice *table, BitmapHeapPath *path)
{
	Path	   *scan = &path->path;
	double		processes = ssdpar_parallel_divisor(scan->parallel_workers);
	Cost		index_cost;
	double		tuples;
	double		pages;
	SsdparCoreCosts costs;
	SsdparReads ordered;
	Cost		apart;
	Cost		saved;

	if (scan->param_info != NULL)
		return;
	pages = compute_bitmap_pages(table->root, table->rel,
								 path->bitmapqual, 1.0, &index_cost, &tuples);
	costs = ssdpar_bitmap_scan_costs(table, scan->parallel_workers);
	apart = pages * costs.random_page;
	ordered = ordered_bitmap_reads(table, pages);
	saved = apart -
		to_cost(table, ssdpar_model_price_one(&table->model, &ordered, 0.0,
											  processes).total);
	if (saved > 0)
		scan->total_cost = Max(scan->startup_cost, scan->total_cost - saved);
}

Cost
ssdpar_price_index(const void *priced, const IndexOptInfo *index,
				   Oid tablespace, int workers)
{
	const SsdparTablePrice *table = priced;
	SsdparTablePrice own = *table;

	/* without a profile of its own it is priced as the table */
	if (tablespace != table->tablespace)
		(void) ssdpar_model_get(tablespace, &own.model);
	return page_cost(&own,
					 ssdpar_model_random(1.0, 1.0, false,
										 ssdpar_residency_of(index->indexoid,
															 index->pages)),
					 workers);
}

/* Coming back to a page of the table, in any order. */
static Cost
page_again_cost(const SsdparTablePrice *table)
{
	return to_cost(table, ssdpar_model_page_again(&table->model,
												  table->rel->pages));
}

SsdparCoreCosts
ssdpar_index_scan_costs(const SsdparTablePrice *table, int workers)
{
	SsdparReads run = ssdpar_model_read_ahead(1.0,
											  table->model.read_ahead_kb,
											  table->resident);
	SsdparCoreCosts costs = {
		.random_page =
			page_cost(table, ssdpar_model_random(1.0, 1.0, false,
												 table->resident),
					  workers),
		.sequential_page = page_cost(table, run, workers),
		.page_again = page_again_cost(table),
		.index_workers = workers,
		.index_scans = true,
	};

	return costs;
}

SsdparCoreCosts
ssdpar_bitmap_scan_costs(const SsdparTablePrice *table, int workers)
{
	SsdparReads reads = bitmap_reads(table, 1.0);
	Cost		cost = page_cost(table, reads, workers);
	SsdparCoreCosts costs = {
		.page_again = page_again_cost(table),
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
		Cost		shared = page_cost(table, reads, most) *
			ssdpar_parallel_divisor(most);

		cost = Max(cost, shared);
	}

	/* one price for both: core would mix them, as on a disk (model.c) */
	costs.random_page = costs.sequential_page = cost;
	return costs;
}
