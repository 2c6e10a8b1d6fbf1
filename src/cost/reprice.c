/*
 * reprice.c
 *		Reprices core's scans of a table with the device profile.
 *
 * We cannot reprice paths that core has already freed, so core uses our page
 * costs from the start, after we have repriced its sequential scans
 * (page_cost_override.c).  Bitmap scans have other costs than index scans,
 * because they read ahead while index scans wait for each page.  Parallel
 * scans do too, because several processes keep more requests outstanding.  So
 * both are rebuilt when core has finished.
 *
 * scan_price.c computes the costs: predicted times in planner units.  Joins
 * and aggregates above are core's.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_am.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "base/compat.h"
#include "base/core_scan.h"
#include "base/notes.h"
#include "base/plain_table.h"
#include "base/settings.h"
#include "base/without.h"
#include "cost/page_cost_override.h"
#include "cost/parallel.h"
#include "cost/core_paths.h"
#include "cost/known_prices.h"
#include "cost/large_table.h"
#include "cost/level_runs.h"
#include "cost/limited_scans.h"
#include "cost/ordered_lookups.h"
#include "cost/reprice.h"
#include "cost/residency.h"
#include "cost/scan_price.h"

/* A table whose index paths core has made. */
typedef struct Pricing
{
	SsdparTablePrice table;		/* must be first; passed to
								 * page_cost_override.c */
	List	   *seen;			/* all SsdparSeenPaths */
	bool		small;			/* ssdpar_table_is_small() */
	bool		simple;			/* are_bitmaps_simple() */
	List	   *bitmaps;		/* if simple: paths to make bitmap scans of */
} Pricing;

/*
 * Pages of the largest table of a query level, optionally weighted.
 * Partitions and children of all tables are added up, as if they belonged to
 * one.
 */
static double
largest_pages(PlannerInfo *root, bool weighed)
{
	double		largest = 0;
	double		members = 0;

	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];
		double		pages;

		if (rel == NULL || rel->rtekind != RTE_RELATION ||
			root->simple_rte_array[rti]->relid < FirstNormalObjectId)
			continue;
		/* -1 in the catalog: a partitioned table that Citus hides */
		if (rel->pages == InvalidBlockNumber)
			continue;
		pages = weighed ?
			ssdpar_weighed_pages(rel->reltablespace, rel->pages) : rel->pages;
		if (rel->reloptkind == RELOPT_OTHER_MEMBER_REL)
			members += pages;
		largest = Max(largest, pages);
	}
	return Max(largest, members);
}

/*
 * Is there a table for which repricing is worthwhile?  One is enough, because
 * all costs that a plan compares have to be in the same unit.  Called for each
 * of possibly thousands of partitions, when all sizes are known.
 */
static bool
is_worth_pricing(PlannerInfo *root)
{
	double		pages = ssdpar_noted_level_pages(root);

	if (pages < 0)
	{
		pages = largest_pages(root, false);
		if (!ssdpar_are_large(pages) && pages >= ssdpar_fewest_large_pages())
			pages = largest_pages(root, true);
		ssdpar_note_level_pages(root, pages);
	}
	return ssdpar_are_large(pages);
}

/*
 * Is there a sequential scan, and no other paths of core but TID scans?  If
 * there are only TID scans, nothing else is possible (CURRENT OF).
 */
static bool
has_sequential_scan(const List *paths)
{
	bool		found = false;
	ListCell   *lc;

	foreach(lc, paths)
	{
		NodeTag		type = ((const Path *) lfirst(lc))->pathtype;

		if (type != T_SeqScan && type != T_TidScan && type != T_TidRangeScan)
			return false;
		found = found || type == T_SeqScan;
	}
	return found;
}

static bool
are_sequential_scans(const RelOptInfo *rel)
{
	return has_sequential_scan(rel->pathlist) &&
		(rel->partial_pathlist == NIL ||
		 has_sequential_scan(rel->partial_pathlist));
}

/*
 * Lets core make the relation's index or bitmap paths at these costs, and
 * returns those that were requested: partial ones if there are workers.
 */
static List *
make_paths(const Pricing *pricing, SsdparCoreCosts costs, int workers)
{
	RelOptInfo *rel = pricing->table.rel;
	List	   *wanted = NIL;
	ListCell   *lc;

	/*
	 * Empty the lists, because these paths have prices for one kind of scan
	 * only, so others must not be compared with them and freed.
	 */
	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	ssdpar_create_index_paths(pricing->table.root, rel, &costs);
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
 * Would each bitmap scan that core makes of these index paths use a single
 * btree, without AND or OR?  Sets *alone to the paths for which it would make
 * one.
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
			one->estimate.selectivity >= 1.0)
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

/* Returns the SsdparSeenPaths without parameters. */
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
 * The most workers of parallel scans of the table, sequential or by one of
 * these plain paths; prices are first computed for that number.  Core bases
 * the number on the table's pages, and gives other scans no more, except
 * index-only scans.
 */
static int
most_workers(RelOptInfo *rel, List *plain)
{
	int			allowed = max_parallel_workers_per_gather;
	int			most = 0;
	ListCell   *lc;

	if (!rel->consider_parallel)
		return 0;
	foreach(lc, rel->partial_pathlist)
		most = Max(most, ((Path *) lfirst(lc))->parallel_workers);
	foreach(lc, plain)
	{
		const SsdparSeenPath *one = lfirst(lc);

		if (one->path.path.pathtype == T_IndexOnlyScan &&
			one->path.indexinfo->amcanparallel)
			most = Max(most,
					   compute_parallel_worker(rel, -1, one->estimate.pages,
											   allowed));
	}
	return most;
}

/*
 * If both kinds of partial paths have the same prices and only core can make
 * them, it is called once.
 */
static bool
is_made_at_once(const Pricing *pricing)
{
	return pricing->small && !pricing->simple;
}

/*
 * The index of a parallel bitmap scan is read by one process while the others
 * wait.  For a small table, use the prices of index scans.
 */
static SsdparCoreCosts
partial_costs(const Pricing *pricing, bool bitmap, int workers)
{
	SsdparCoreCosts costs;

	if (bitmap && !pricing->small)
		return ssdpar_bitmap_scan_costs(&pricing->table, workers);
	costs = ssdpar_index_scan_costs(&pricing->table, workers);
	costs.index_scans = !bitmap;
	costs.bitmap_scans = bitmap || is_made_at_once(pricing);
	return costs;
}

/*
 * Makes all partial index paths, or bitmap paths, or both (is_made_at_once()).
 */
static List *
make_partial_paths(const Pricing *pricing, List *plain, bool bitmap,
				   int workers)
{
	RelOptInfo *rel = pricing->table.rel;
	SsdparCoreCosts costs;
	List	   *paths;
	ListCell   *lc;

	if (pricing->simple && plain == NIL)
		return NIL;
	costs = partial_costs(pricing, bitmap, workers);
	if (pricing->simple)
	{
		rel->partial_pathlist = NIL;
		ssdpar_create_partial_paths(pricing->table.root, rel, &costs, plain);
		paths = rel->partial_pathlist;
	}
	else
		paths = make_paths(pricing, costs, workers);

	/* The number of workers depends on the pages of each path. */
	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		if (path->parallel_workers == workers)
			continue;
		costs = partial_costs(pricing, IsA(path, BitmapHeapPath),
							  path->parallel_workers);
		ssdpar_price_partial_path(pricing->table.root, rel, &costs, path);
	}
	return paths;
}

/* Adds paths of one kind to those of the table. */
static void
add_paths(const Pricing *pricing, List *paths, bool partial)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		/* paths made by core are priced as one run */
		if (IsA(path, BitmapHeapPath))
			ssdpar_price_block_order(&pricing->table, (BitmapHeapPath *) path,
									 !pricing->small && pricing->simple &&
									 !partial ? pricing->table.runs : 1.0);
		if (partial)
			add_partial_path(pricing->table.rel, path);
		else
			add_path(pricing->table.rel, path);
	}
}

/*
 * Removes core's paths that do not have their final prices; returns the
 * removed bitmap paths.  The remaining ones are sorted and have been compared.
 */
static List *
keep_paths(RelOptInfo *rel, bool bitmaps)
{
	List	   *left_out = NIL;
	ListCell   *lc;

	if (!bitmaps)
	{
		foreach(lc, rel->pathlist)
		{
			if (!IsA(lfirst(lc), BitmapHeapPath))
				continue;
			left_out = lappend(left_out, lfirst(lc));
			rel->pathlist = foreach_delete_current(rel->pathlist, lc);
		}
	}
	foreach(lc, rel->partial_pathlist)
		if (((Path *) lfirst(lc))->pathtype != T_SeqScan)
			rel->partial_pathlist =
				foreach_delete_current(rel->partial_pathlist, lc);
	return left_out;
}

static bool
has_path_without(RelOptInfo *rel, Relids parameters)
{
	ListCell   *lc;

	foreach(lc, rel->pathlist)
		if (bms_is_subset(PATH_REQ_OUTER((Path *) lfirst(lc)), parameters))
			return true;
	return false;
}

/*
 * If sequential and index scans are disabled too, a removed bitmap path may
 * have been the only path, and its replacement may have lost.
 */
static void
restore_paths(RelOptInfo *rel, List *left_out)
{
	ListCell   *lc;

	foreach(lc, left_out)
		if (!has_path_without(rel, PATH_REQ_OUTER((Path *) lfirst(lc))))
			add_path(rel, lfirst(lc));
}

static bool
has_bitmap_paths(RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->pathlist)
		if (IsA(lfirst(lc), BitmapHeapPath))
			return true;
	return false;
}

/*
 * Completes the paths after core has made index paths at our prices.  New
 * paths are made with empty lists in the relation and added when all have
 * their final prices, because add_path() frees those that lose against a path
 * that is too cheap.
 */
static void
complete_paths(const Pricing *pricing)
{
	RelOptInfo *rel = pricing->table.rel;
	bool		small = pricing->small;

	/* partial paths have no parameters */
	List	   *plain = without_parameters(pricing->seen);
	int			workers = most_workers(rel, plain);
	bool		parallel = workers > 0 && plain != NIL;
	List	   *left_out;
	List	   *paths;
	List	   *partial;
	List	   *more = NIL;
	List	   *more_partial = NIL;

	/* for large tables, the first call has disabled bitmap scans */
	left_out = keep_paths(rel, small);
	paths = rel->pathlist;
	partial = rel->partial_pathlist;
	if (!small && (!pricing->simple || pricing->bitmaps != NIL))
	{
		SsdparCoreCosts costs = ssdpar_bitmap_scan_costs(&pricing->table, 0);

		/* only core can make combinations by AND or OR */
		more = pricing->simple ?
			ssdpar_create_bitmap_paths(pricing->table.root, rel, &costs,
									   pricing->bitmaps) :
			make_paths(pricing, costs, 0);
	}
	else if (small && has_bitmap_paths(rel))
	{
		/* reading in block order is cheaper, so compare all of them again */
		more = paths;
		paths = NIL;
	}
	if (parallel)
		more_partial = make_partial_paths(pricing, plain, false, workers);
	if (parallel && !is_made_at_once(pricing))
		more_partial =
			list_concat(more_partial,
						make_partial_paths(pricing,
										   without_parameters(pricing->bitmaps),
										   true, workers));

	/* make_paths() and core have replaced the lists */
	rel->pathlist = paths;
	rel->partial_pathlist = partial;
	add_paths(pricing, more, false);
	restore_paths(rel, left_out);
	add_paths(pricing, more_partial, true);
}

/* See SsdparPricer. */
static void *
price_table(PlannerInfo *root, RelOptInfo *rel, SsdparCoreCosts *costs)
{
	const SsdparTablespacePrices *prices;
	Pricing    *pricing;

	if (!are_sequential_scans(rel) || !is_worth_pricing(root))
		return NULL;
	/* last, because it reads a profile */
	prices = ssdpar_tablespace_prices(rel->reltablespace);
	if (prices == NULL)
		return NULL;
	pricing = palloc0_object(Pricing);
	pricing->table.root = root;
	pricing->table.rel = rel;
	/* page_cost_override.c replaces it while paths are made */
	pricing->table.tablespace = rel->reltablespace;
	/* copy now, because planning other statements invalidates them */
	pricing->table.model = prices->model;
	pricing->table.resident =
		ssdpar_residency_of(root->simple_rte_array[rel->relid]->relid,
							rel->pages);
	pricing->table.runs = ssdpar_level_runs(root);
	ssdpar_price_seqscans(&pricing->table);
	*costs = ssdpar_index_scan_costs(&pricing->table, 0);
	pricing->small = ssdpar_table_is_small(&pricing->table);
	costs->bitmap_scans = pricing->small;
	return pricing;
}

static const SsdparPricer pricer = {
	.price_table = price_table,
	.price_index = ssdpar_price_index,
	.price_leaves = ssdpar_price_leaves,
	.price_page = ssdpar_lookup_page_cost,
};

/* If there are other tables, one of them may turn out to be large. */
static bool
is_alone_and_small(const PlannerInfo *root, const RelOptInfo *rel)
{
	return list_length(root->parse->rtable) == 1 &&
		!ssdpar_is_large_table(rel->reltablespace, rel->pages);
}

void
ssdpar_watch_table(PlannerInfo *root, RelOptInfo *rel)
{
	if (ssdpar_cost_model && ssdpar_is_plain_table(root, rel) &&
		!is_alone_and_small(root, rel) && !ssdpar_without(SSDPAR_SCAN_PRICES))
		ssdpar_core_costs_watch(rel, &pricer);
}

/* Tells other pricing code that there is a profile. */
static void
note_priced(PlannerInfo *root, const RelOptInfo *rel)
{
	const SsdparTablespacePrices *prices = ssdpar_cost_model &&
		is_worth_pricing(root) ?
		ssdpar_tablespace_prices(rel->reltablespace) : NULL;

	if (prices != NULL)
		ssdpar_note_priced(rel->reltablespace,
						   prices->model.machine->seconds_per_cost_unit);
}

void
ssdpar_reprice_scans(PlannerInfo *root, RelOptInfo *rel)
{
	SsdparCoreCosts costs;
	List	   *seen;
	Pricing    *pricing = ssdpar_core_costs_leave(rel, &seen);

	/* another extension may have made it a parent, or replaced its paths */
	if (!ssdpar_is_plain_table(root, rel) || !ssdpar_has_core_scan(rel))
		return;
	if (ssdpar_without(SSDPAR_SCAN_PRICES))
	{
		note_priced(root, rel);
		return;
	}
	if (pricing != NULL)
	{
		pricing->seen = seen;
		pricing->simple = are_bitmaps_simple(rel, seen, &pricing->bitmaps);
		complete_paths(pricing);
		ssdpar_price_limited_scans(&pricing->table, seen);
	}
	else if (ssdpar_enabled)
		/* no index path has requested the prices */
		pricing = price_table(root, rel, &costs);

	if (pricing == NULL)
		return;
	ssdpar_tuple_cost_use();
	/* lets EXPLAIN convert the plan's cost to a time */
	ssdpar_note_priced(pricing->table.tablespace,
					   pricing->table.model.machine->seconds_per_cost_unit);
}
