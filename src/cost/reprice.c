/*
 * reprice.c
 *		Core's scans of a table, priced by the device profile.
 *
 * What core's pricing has dropped cannot be priced again, so all paths are
 * made anew: index scans and bitmap scans apart, because one waits for each
 * page and the other reads ahead, and parallel ones apart from those, because
 * processes keep more requests outstanding than one.  How core's functions are
 * made to take other page costs is core_costs.c's business.
 *
 * A path's cost is its predicted time in planner units.  Joins and aggregates
 * above are core's.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/spccache.h"

#include "compat.h"
#include "cost/context.h"
#include "cost/core_costs.h"
#include "cost/reprice.h"
#include "cost/residency.h"
#include "planner/planning.h"
#include "planner/workers.h"
#include "settings.h"

/* Shares of a table's pages from which on a scan in block order reads all. */
#define KERNEL_READS_ALL 0.45
#define NEARLY_ALL 0.95

/* Below, index scans and bitmap scans are priced alike. */
#define SMALL_TABLE_KB (2 * 1024.0)

/* A table whose scans are being priced. */
typedef struct Pricing
{
	PlannerInfo *root;
	RelOptInfo *rel;
	SsdparModel model;
	SsdparResidency resident;
	int			workers;		/* of core's parallel scans; 0: there are none */
} Pricing;

/* Is a table in the query that is worth the trouble? */
static bool
is_worth_pricing(PlannerInfo *root)
{
	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];

		if (rel != NULL && rel->rtekind == RTE_RELATION &&
			root->simple_rte_array[rti]->relid >= FirstNormalObjectId &&
			rel->pages * (BLCKSZ / 1024.0) >= ssdpar_cost_model_min_size)
			return true;
	}
	return false;
}

static bool
is_core_scan(const Path *path)
{
	return path->pathtype == T_SeqScan || IsA(path, IndexPath) ||
		IsA(path, BitmapHeapPath);
}

/*
 * TID scans are left out as well: core may have made one because nothing else
 * will do (CURRENT OF), and what they cost does not matter.
 */
static bool
are_core_scans(RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->pathlist)
		if (!is_core_scan(lfirst(lc)))
			return false;
	foreach(lc, rel->partial_pathlist)
		if (!is_core_scan(lfirst(lc)))
			return false;
	return rel->pathlist != NIL;
}

static bool
is_plain_table(RelOptInfo *rel, RangeTblEntry *rte)
{
	return (rel->reloptkind == RELOPT_BASEREL ||
			rel->reloptkind == RELOPT_OTHER_MEMBER_REL) &&
		rte->rtekind == RTE_RELATION && !rte->inh &&
		(rte->relkind == RELKIND_RELATION ||
		 rte->relkind == RELKIND_MATVIEW) &&
		rte->tablesample == NULL && rte->relid >= FirstNormalObjectId;
}

/* The most workers of the parallel scans that core has made. */
static int
most_workers(RelOptInfo *rel)
{
	int			most = 0;
	ListCell   *lc;

	foreach(lc, rel->partial_pathlist)
		most = Max(most, ((Path *) lfirst(lc))->parallel_workers);
	return most;
}

static Cost
to_cost(const Pricing *pricing, double seconds)
{
	return ssdpar_model_units(pricing->model.machine, seconds);
}

/* One page out of many reads of that kind. */
static Cost
page_cost(const Pricing *pricing, SsdparReads reads, int workers)
{
	SsdparPrice price = ssdpar_model_price_one(&pricing->model, &reads, 0.0,
											   ssdpar_parallel_divisor(workers));

	return to_cost(pricing, price.total - price.startup) / reads.pages;
}

/*
 * A sequential scan and the time it takes.  What core's costs are without its
 * pages is each process's computing.
 */
static Path *
make_seqscan(const Pricing *pricing, int workers)
{
	Path	   *path = ssdpar_create_free_seqscan(pricing->root, pricing->rel,
												  workers);
	double		processes = ssdpar_parallel_divisor(workers);
	double		cpu_seconds = (path->total_cost - path->startup_cost) *
		pricing->model.machine->seconds_per_cost_unit;
	SsdparReads reads = ssdpar_model_seqscan(&pricing->model,
											 pricing->rel->reltablespace,
											 pricing->rel->pages,
											 workers > 0,
											 pricing->resident);
	SsdparPrice price = ssdpar_model_price_one(&pricing->model, &reads,
											   cpu_seconds * processes,
											   processes);

	path->startup_cost += to_cost(pricing, price.startup);
	path->total_cost = path->startup_cost +
		to_cost(pricing, price.total - price.startup);
	return path;
}

/* What a bitmap scan reads of the table if order did not matter. */
static SsdparReads
bitmap_reads(const Pricing *pricing, double pages)
{
	int			depth =
		get_tablespace_io_concurrency(pricing->rel->reltablespace);

	/* one page ahead is hardly under way when it is needed */
	return ssdpar_model_random(pages, Max(depth, 1), depth > 1,
							   pricing->resident);
}

/*
 * The same in block order.  Where the scan itself reads nothing ahead, or
 * wants nearly every page, the kernel takes it for sequential and reads all of
 * the table (measured: from 0.46 of the pages on, not at 0.29; with
 * effective_io_concurrency at 1, at 1.0, not at 0.75).
 */
static SsdparReads
ordered_bitmap_reads(const Pricing *pricing, double pages)
{
	double		area = pricing->rel->pages;
	int			depth =
		get_tablespace_io_concurrency(pricing->rel->reltablespace);

	if (depth <= 1 &&
		pages >= area * (depth == 0 ? KERNEL_READS_ALL : NEARLY_ALL))
		return ssdpar_model_read_ahead(area, pricing->model.read_ahead_kb,
									   pricing->resident);
	return ssdpar_model_block_order(pages, area, false, Max(depth, 1),
									depth > 1, pricing->resident);
}

/*
 * An unparameterized bitmap scan that reads a good part of the table is
 * cheaper than its pages one by one, at which core's formula has been given
 * them.
 */
static void
price_block_order(const Pricing *pricing, BitmapHeapPath *path)
{
	Path	   *scan = &path->path;
	double		processes = ssdpar_parallel_divisor(scan->parallel_workers);
	Cost		index_cost;
	double		tuples;
	double		pages;
	SsdparReads apart;
	SsdparReads ordered;
	double		saved;

	if (scan->param_info != NULL)
		return;
	pages = compute_bitmap_pages(pricing->root, pricing->rel,
								 path->bitmapqual, 1.0, &index_cost, &tuples);
	apart = bitmap_reads(pricing, pages);
	ordered = ordered_bitmap_reads(pricing, pages);
	saved = ssdpar_model_price_one(&pricing->model, &apart, 0.0,
								   processes).total -
		ssdpar_model_price_one(&pricing->model, &ordered, 0.0,
							   processes).total;
	if (saved > 0)
		scan->total_cost = Max(scan->startup_cost,
							   scan->total_cost - to_cost(pricing, saved));
}

/* The prices of one page of each index, in that many processes. */
static double *
price_indexes(const Pricing *pricing, int workers)
{
	List	   *indexes = pricing->rel->indexlist;
	double	   *costs = palloc_array(double, list_length(indexes));
	int			place = 0;
	ListCell   *lc;

	foreach(lc, indexes)
	{
		IndexOptInfo *index = lfirst(lc);
		Pricing		own = *pricing;

		/* without a profile of its own it is priced as the table */
		if (index->reltablespace != pricing->rel->reltablespace)
			(void) ssdpar_model_get(index->reltablespace, &own.model);
		costs[place++] =
			page_cost(&own,
					  ssdpar_model_random(1.0, 1.0, false,
										  ssdpar_residency_of(index->indexoid,
															  index->pages)),
					  workers);
	}
	return costs;
}

/* Coming back to a page of the table, in any order. */
static Cost
page_again_cost(const Pricing *pricing)
{
	return to_cost(pricing, ssdpar_model_page_again(&pricing->model,
													pricing->rel->pages));
}

static SsdparCoreCosts
index_scan_costs(const Pricing *pricing, int workers)
{
	SsdparReads run = ssdpar_model_read_ahead(1.0,
											  pricing->model.read_ahead_kb,
											  pricing->resident);
	SsdparCoreCosts costs = {
		.random_page =
			page_cost(pricing, ssdpar_model_random(1.0, 1.0, false,
												   pricing->resident),
					  workers),
		.sequential_page = page_cost(pricing, run, workers),
		.page_again = page_again_cost(pricing),
		.index_scans = true,
	};

	return costs;
}

static SsdparCoreCosts
bitmap_scan_costs(const Pricing *pricing, int workers)
{
	Cost		cost = page_cost(pricing, bitmap_reads(pricing, 1.0), workers);
	SsdparCoreCosts costs = {
		.random_page = cost,
		.sequential_page = cost,
		.page_again = page_again_cost(pricing),
		.bitmap_scans = true,
	};

	return costs;
}

/*
 * Let core make the relation's index or bitmap paths at these costs, and give
 * back those that were asked for: partial ones if there are workers.
 */
static List *
make_paths(const Pricing *pricing, SsdparCoreCosts costs, int workers)
{
	RelOptInfo *rel = pricing->rel;
	List	   *wanted = NIL;
	ListCell   *lc;

	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	ssdpar_create_index_paths(pricing->root, rel, &costs);
	foreach(lc, workers > 0 ? rel->partial_pathlist : rel->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (IsA(path, BitmapHeapPath) && !costs.bitmap_scans)
			continue;
		if (!IsA(path, BitmapHeapPath) && !costs.index_scans)
			continue;
		if (IsA(path, BitmapHeapPath))
			price_block_order(pricing, (BitmapHeapPath *) path);
		wanted = lappend(wanted, path);
	}
	return wanted;
}

/*
 * Making paths takes as long as core takes for it.  In a table of a few reads
 * a bitmap scan's depth and order matter little, so there one call makes both
 * kinds, a page of a bitmap scan at the prices of an index scan's.
 */
static bool
is_small(const Pricing *pricing)
{
	return pricing->rel->pages * (BLCKSZ / 1024.0) < SMALL_TABLE_KB;
}

/*
 * All index and bitmap paths, priced for that many workers.  A parallel bitmap
 * scan's index is read by one process while the others wait.
 */
static List *
make_all_paths(const Pricing *pricing, int workers)
{
	SsdparCoreCosts costs;
	List	   *paths;

	if (pricing->rel->indexlist == NIL)
		return NIL;
	costs = index_scan_costs(pricing, workers);
	costs.index_pages = price_indexes(pricing, workers);
	costs.bitmap_scans = is_small(pricing);
	paths = make_paths(pricing, costs, workers);
	if (is_small(pricing))
		return paths;
	costs = bitmap_scan_costs(pricing, workers);
	costs.index_pages = price_indexes(pricing, 0);
	return list_concat(paths, make_paths(pricing, costs, workers));
}

/*
 * The workers of a parallel sequential scan are core's for the table's size;
 * core drops one of its parallel paths only for another that is cheaper.
 */
static int
seqscan_workers(const Pricing *pricing)
{
	RelOptInfo *rel = pricing->rel;

	if (!rel->consider_parallel || !bms_is_empty(rel->lateral_relids))
		return 0;
	return compute_parallel_worker(rel, rel->pages, -1,
								   max_parallel_workers_per_gather);
}

/*
 * Partial index paths take no parameters: without a filter they read all of an
 * index, and are not made anew unless core itself has found one worth keeping.
 */
static bool
may_be_partial(const Pricing *pricing)
{
	ListCell   *lc;

	if (pricing->rel->baserestrictinfo != NIL)
		return true;
	foreach(lc, pricing->rel->partial_pathlist)
		if (((Path *) lfirst(lc))->pathtype != T_SeqScan)
			return true;
	return false;
}

static void
replace_paths(const Pricing *pricing)
{
	RelOptInfo *rel = pricing->rel;
	int			workers = seqscan_workers(pricing);
	bool		parallel = pricing->workers > 0 && may_be_partial(pricing);
	List	   *plain = make_all_paths(pricing, 0);
	List	   *partial = NIL;
	ListCell   *lc;

	if (parallel)
		partial = make_all_paths(pricing, pricing->workers);
	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	add_path(rel, make_seqscan(pricing, 0));
	if (workers > 0)
		add_partial_path(rel, make_seqscan(pricing, workers));
	foreach(lc, plain)
		add_path(rel, lfirst(lc));
	foreach(lc, partial)
		add_partial_path(rel, lfirst(lc));
}

void
ssdpar_reprice_scans(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte)
{
	Pricing		pricing = {.root = root,.rel = rel};

	if (!is_plain_table(rel, rte) || !are_core_scans(rel) ||
		!is_worth_pricing(root) ||
		!ssdpar_model_get(rel->reltablespace, &pricing.model))
		return;
	pricing.resident = ssdpar_residency_of(rte->relid, rel->pages);
	pricing.workers = most_workers(rel);
	replace_paths(&pricing);
	ssdpar_note_priced(pricing.model.machine->seconds_per_cost_unit);
}
