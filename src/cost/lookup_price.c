/*
 * lookup_price.c
 *		Prices index lookups by outer rows for the actual number of these.
 *
 * Core prices the inner side of a nested loop long before it knows what it
 * will be joined with.  It assumes as many runs as the smallest table that
 * provides values has rows (get_loop_count() in indxpath.c), although other
 * joins may leave only a fraction of these.  With more runs, more of them
 * share the pages that they read.  For example, if the parts of a supplier are
 * on 80 pages, 30,000 suppliers read a page or two each, because each page of
 * the table is read once for all of them.  However, the 1,200 suppliers of one
 * nation read nearly 40 each.
 *
 * We keep core's price if the join has more rows than core assumed, because
 * rows with a repeated key find its pages in memory.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"

#include "base/compat.h"
#include "cost/lookup_price.h"
#include "cost/page_cost_override.h"
#include "cost/scan_price.h"

/* If the number of runs is off by less, the effect on pages is too small. */
#define LEAST_FACTOR 1.2

/*
 * The number of runs that core assumed, which depends only on the parameters.
 */
static double
priced_runs(List *seen, const ParamPathInfo * parameters)
{
	ListCell   *lc;

	foreach(lc, seen)
	{
		const SsdparSeenPath *one = lfirst(lc);

		if (one->path.path.param_info == parameters)
			return one->loop_count;
	}
	return 0.0;
}

/* The only index that the scan reads, or NULL if there are several. */
static const IndexPath *
index_of(const Path *scan)
{
	if (IsA(scan, BitmapHeapPath))
		scan = ((const BitmapHeapPath *) scan)->bitmapqual;
	return IsA(scan, IndexPath) ? (const IndexPath *) scan : NULL;
}

/*
 * Can the index return single rows?  Some access methods only support bitmaps
 * (GIN, BRIN), and some can look up an array of values only in bitmap scans.
 */
static bool
has_plain_scan(const IndexPath *index)
{
	ListCell   *lc;

	if (!index->indexinfo->amhasgettuple)
		return false;
	if (index->indexinfo->amsearcharray)
		return true;
	foreach(lc, index->indexclauses)
	{
		IndexClause *clause = lfirst_node(IndexClause, lc);

		if (IsA(clause->rinfo->clause, ScalarArrayOpExpr))
			return false;
	}
	return true;
}

/* The path's price under the costs in use, as one of this number of runs. */
static IndexPath *
price_index_path(PlannerInfo *root, const IndexPath *index, NodeTag kind,
				 double runs)
{
	IndexPath  *path = palloc_object(IndexPath);

	*path = *index;
	path->path.pathtype = kind;
	cost_index(path, root, runs, false);
	return path;
}

static Path *
index_scan(const SsdparTablePrice *table, const IndexPath *index, double runs)
{
	RelOptInfo *rel = table->rel;
	SsdparCoreCosts costs = ssdpar_index_scan_costs(table, 0);
	IndexPath  *path;

	ssdpar_core_costs_use(rel, &costs);
	path = price_index_path(table->root, index, index->path.pathtype, runs);
	ssdpar_core_costs_restore(rel);
	return &path->path;
}

static Path *
bitmap_scan(const SsdparTablePrice *table, const IndexPath *index, double runs)
{
	RelOptInfo *rel = table->rel;
	SsdparCoreCosts costs = ssdpar_bitmap_scan_costs(table, 0);
	IndexPath  *path;
	Path	   *scan;

	ssdpar_core_costs_use(rel, &costs);
	path = price_index_path(table->root, index, T_IndexScan, runs);
	scan = (Path *) create_bitmap_heap_path(table->root, rel, &path->path,
											PATH_REQ_OUTER(&index->path),
											runs * costs.runs, 0);
	ssdpar_core_costs_restore(rel);
	return scan;
}

/* Excess if each run reads all of its pages, although core assumes none. */
static Cost
most_excess(const SsdparTablePrice *table, const IndexPath *index, double runs)
{
	double		share = index->indexselectivity;
	double		pages = clamp_row_est(share * table->rel->tuples) +
		ceil(share * index->indexinfo->pages);

	return runs * pages * ssdpar_index_scan_costs(table, 0).random_page;
}

/* The prices of its table, if it runs less often than core assumed. */
static const SsdparTablePrice *
find_table(const IndexPath *index, const Path *scan, double runs)
{
	const SsdparTablePrice *table;
	List	   *seen;

	if (index == NULL || scan->param_info == NULL)
		return NULL;
	table = ssdpar_core_costs_of(scan->parent, &seen);
	if (table == NULL || ssdpar_table_is_small(table) ||
		priced_runs(seen, scan->param_info) <= runs * LEAST_FACTOR)
		return NULL;
	return table;
}

Path *
ssdpar_price_lookup(PlannerInfo *root, Path *scan, double runs,
					Cost least_excess)
{
	const IndexPath *index = index_of(scan);
	const SsdparTablePrice *table = find_table(index, scan, runs);

	if (table == NULL || most_excess(table, index, runs) < least_excess)
		return NULL;
	Assert(table->root == root);
	return IsA(scan, BitmapHeapPath) ? bitmap_scan(table, index, runs) :
		index_scan(table, index, runs);
}

List *
ssdpar_price_lookups(PlannerInfo *root, Path *scan, double runs)
{
	const IndexPath *index = index_of(scan);
	const SsdparTablePrice *table = find_table(index, scan, runs);
	List	   *scans = NIL;

	if (table == NULL)
		return NIL;
	Assert(table->root == root);
	if (has_plain_scan(index))
		scans = lappend(scans, index_scan(table, index, runs));
	if (index->indexinfo->amhasgetbitmap)
		scans = lappend(scans, bitmap_scan(table, index, runs));
	return scans;
}
