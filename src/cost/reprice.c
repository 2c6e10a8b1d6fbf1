/*
 * reprice.c
 *		Core's scans of a table, priced by the device profile.
 *
 * What core's pricing has dropped cannot be priced again, so core is made to
 * price index scans by our page costs in the first place, after its sequential
 * scans have been given theirs.  Bitmap scans cost something else, because an
 * index scan waits for each page and they read ahead, and so do parallel scans,
 * because processes keep more requests outstanding than one: these are made
 * anew, once it has finished.  How core's functions are made to take other page
 * costs is core_costs.c's business.
 *
 * A path's cost is its predicted time in planner units.  Joins and aggregates
 * above are core's.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_am.h"
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
	double	   *index_pages;	/* cost of a page of each, in one process */

	/* When core has made its index paths. */
	List	   *seen;			/* SsdparSeenPath, all */
	bool		simple;			/* not small, and are_bitmaps_simple() */
	List	   *bitmaps;		/* then: those to make a bitmap scan of, each */
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

/*
 * Nothing but core's sequential scans: what it makes first.  Where a TID scan
 * comes before, nothing else may do (CURRENT OF).
 */
static bool
are_sequential_scans(RelOptInfo *rel)
{
	return list_length(rel->pathlist) == 1 &&
		((Path *) linitial(rel->pathlist))->pathtype == T_SeqScan &&
		(rel->partial_pathlist == NIL ||
		 (list_length(rel->partial_pathlist) == 1 &&
		  ((Path *) linitial(rel->partial_pathlist))->pathtype == T_SeqScan));
}

static bool
is_plain_table(PlannerInfo *root, RelOptInfo *rel)
{
	RangeTblEntry *rte = root->simple_rte_array[rel->relid];

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
 * Give core's sequential scan the time it takes.  What core's costs are without
 * the pages is each process's computing.
 */
static void
price_seqscan(const Pricing *pricing, Path *path)
{
	const SsdparModel *model = &pricing->model;
	RelOptInfo *rel = pricing->rel;
	int			workers = path->parallel_workers;
	double		processes = ssdpar_parallel_divisor(workers);
	double		page_cost;
	double		cpu_seconds;
	SsdparReads reads = ssdpar_model_seqscan(model, rel->reltablespace,
											 rel->pages, workers > 0,
											 pricing->resident);
	SsdparPrice price;

	get_tablespace_page_costs(rel->reltablespace, NULL, &page_cost);
	cpu_seconds = (path->total_cost - path->startup_cost -
				   page_cost * rel->pages) *
		model->machine->seconds_per_cost_unit;
	price = ssdpar_model_price_one(model, &reads, cpu_seconds * processes,
								   processes);
	path->startup_cost += to_cost(pricing, price.startup);
	path->total_cost = path->startup_cost +
		to_cost(pricing, price.total - price.startup);
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

static bool
has_or_clause(List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
		if (lfirst_node(RestrictInfo, lc)->orclause != NULL)
			return true;
	return false;
}

/*
 * Is each bitmap scan that core could make of these index paths, of btrees, one
 * of a single index, with nothing to be combined by AND or OR?  In *alone those
 * that it would make one of.
 */
static bool
are_bitmaps_simple(RelOptInfo *rel, List *seen, List **alone)
{
	ListCell   *lc;
	ListCell   *other;

	*alone = NIL;
	foreach(lc, rel->indexlist)
		if (((IndexOptInfo *) lfirst(lc))->relam != BTREE_AM_OID)
			return false;
	if (!bms_is_empty(rel->lateral_relids) ||
		has_or_clause(rel->baserestrictinfo) || has_or_clause(rel->joininfo))
		return false;
	foreach(lc, seen)
	{
		SsdparSeenPath *one = lfirst(lc);
		Relids		outer = PATH_REQ_OUTER(&one->path.path);

		/* made for its order only */
		if (one->path.path.pathkeys != NIL &&
			one->path.indexselectivity >= 1.0)
			continue;
		foreach(other, *alone)
		{
			Relids		others =
				PATH_REQ_OUTER(&((SsdparSeenPath *) lfirst(other))->path.path);

			if (bms_is_subset(outer, others) || bms_is_subset(others, outer))
				return false;
		}
		*alone = lappend(*alone, one);
	}
	return true;
}

/* The bitmap scans of one process, of a table that is not small. */
static List *
make_bitmap_paths(const Pricing *pricing)
{
	SsdparCoreCosts costs = bitmap_scan_costs(pricing, 0);

	costs.index_pages = pricing->index_pages;
	if (!pricing->simple)
		return make_paths(pricing, costs, 0);
	if (pricing->bitmaps == NIL)
		return NIL;
	return ssdpar_create_bitmap_paths(pricing->root, pricing->rel, &costs,
									  pricing->bitmaps);
}

/* Of SsdparSeenPath. */
static List *
without_parameters(List *seen)
{
	List	   *plain = NIL;
	ListCell   *lc;

	foreach(lc, seen)
	{
		SsdparSeenPath *one = lfirst(lc);

		if (one->path.path.param_info == NULL)
			plain = lappend(plain, one);
	}
	return plain;
}

/*
 * A parallel bitmap scan's index is read by one process while the others wait.
 * A small table's is read at the prices of index scans.
 */
static SsdparCoreCosts
partial_costs(const Pricing *pricing, bool bitmap, int workers)
{
	SsdparCoreCosts costs;

	if (bitmap && !is_small(pricing))
	{
		costs = bitmap_scan_costs(pricing, workers);
		costs.index_pages = pricing->index_pages;
		return costs;
	}
	costs = index_scan_costs(pricing, workers);
	costs.index_pages = price_indexes(pricing, workers);
	costs.bitmap_scans = is_small(pricing);
	return costs;
}

/* All partial index paths, or bitmap paths: of a small table both. */
static List *
make_partial_paths(const Pricing *pricing, bool bitmap, int workers)
{
	RelOptInfo *rel = pricing->rel;
	SsdparCoreCosts costs = partial_costs(pricing, bitmap, workers);
	List	   *paths;
	ListCell   *lc;

	if (pricing->simple)
	{
		rel->partial_pathlist = NIL;
		ssdpar_create_partial_paths(pricing->root, rel, &costs,
									without_parameters(bitmap ?
													   pricing->bitmaps :
													   pricing->seen));
		paths = rel->partial_pathlist;
	}
	else
		paths = make_paths(pricing, costs, workers);

	/* Each has as many workers as its own pages are worth. */
	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		if (path->parallel_workers == workers)
			continue;
		costs = partial_costs(pricing, IsA(path, BitmapHeapPath),
							  path->parallel_workers);
		ssdpar_price_partial_path(pricing->root, rel, &costs, path);
	}
	return paths;
}

static List *
make_all_partial_paths(const Pricing *pricing, int workers)
{
	List	   *paths = make_partial_paths(pricing, false, workers);

	return is_small(pricing) ? paths :
		list_concat(paths, make_partial_paths(pricing, true, workers));
}

/* Add paths of one kind to those of the table. */
static void
add_paths(const Pricing *pricing, List *paths, bool partial)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		if (IsA(path, BitmapHeapPath))
			price_block_order(pricing, (BitmapHeapPath *) path);
		if (partial)
			add_partial_path(pricing->rel, path);
		else
			add_path(pricing->rel, path);
	}
}

/* Of core's paths, those that have their prices. */
static List *
keep_paths(const Pricing *pricing, List *paths, bool partial)
{
	List	   *kept = NIL;
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		/* bitmap scans are disabled in the first call of a large table */
		if (partial ? path->pathtype == T_SeqScan :
			is_small(pricing) || !IsA(path, BitmapHeapPath))
			kept = lappend(kept, path);
	}
	return kept;
}

/* Core has made index paths at our prices: the rest. */
static void
complete_paths(const Pricing *pricing)
{
	RelOptInfo *rel = pricing->rel;
	int			workers = most_workers(rel);
	bool		parallel = workers > 0 && may_be_partial(pricing);
	List	   *paths = keep_paths(pricing, rel->pathlist, false);
	List	   *partial = keep_paths(pricing, rel->partial_pathlist, true);

	if (!is_small(pricing))
		paths = list_concat(paths, make_bitmap_paths(pricing));
	if (parallel)
		partial = list_concat(partial,
							  make_all_partial_paths(pricing, workers));
	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	add_paths(pricing, paths, false);
	add_paths(pricing, partial, true);
}

/* An SsdparPriceTable. */
static void *
price_table(PlannerInfo *root, RelOptInfo *rel, SsdparCoreCosts *costs)
{
	Pricing    *pricing;
	SsdparModel model;
	ListCell   *lc;

	if (!are_sequential_scans(rel) || !is_worth_pricing(root) ||
		!ssdpar_model_get(rel->reltablespace, &model))
		return NULL;
	pricing = palloc0_object(Pricing);
	pricing->root = root;
	pricing->rel = rel;
	pricing->model = model;
	pricing->resident =
		ssdpar_residency_of(root->simple_rte_array[rel->relid]->relid,
							rel->pages);
	pricing->index_pages = price_indexes(pricing, 0);
	foreach(lc, rel->pathlist)
		price_seqscan(pricing, lfirst(lc));
	foreach(lc, rel->partial_pathlist)
		price_seqscan(pricing, lfirst(lc));
	*costs = index_scan_costs(pricing, 0);
	costs->index_pages = pricing->index_pages;
	costs->bitmap_scans = is_small(pricing);
	return pricing;
}

void
ssdpar_watch_table(PlannerInfo *root, RelOptInfo *rel)
{
	if (ssdpar_cost_model && is_plain_table(root, rel))
		ssdpar_core_costs_watch(rel, price_table);
}

void
ssdpar_reprice_scans(PlannerInfo *root, RelOptInfo *rel)
{
	SsdparCoreCosts costs;
	List	   *seen;
	Pricing    *pricing = ssdpar_core_costs_leave(rel, &seen);

	if (pricing != NULL)
	{
		pricing->seen = seen;
		pricing->simple = !is_small(pricing) &&
			are_bitmaps_simple(rel, seen, &pricing->bitmaps);
		complete_paths(pricing);
	}
	else if (ssdpar_enabled && is_plain_table(root, rel))
		pricing = price_table(root, rel, &costs);	/* no index path */
	if (pricing != NULL)
		ssdpar_note_priced(pricing->model.machine->seconds_per_cost_unit);
}
