/*
 * index_join.c
 *		Estimates what an index join from a dimension to the fact would read.
 *
 * Core has already created the parameterized index paths.  This file finds
 * those that belong to a dimension and counts their pages.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/pathnode.h"

#include "base/planner_compat.h"
#include "split/index_join.h"

/*
 * Returns the index scan in a path of the fact: the path itself, or below a
 * bitmap scan.
 */
static IndexPath *
index_scan_in(Path *path)
{
	if (IsA(path, BitmapHeapPath))
		path = ((BitmapHeapPath *) path)->bitmapqual;
	return IsA(path, IndexPath) ? (IndexPath *) path : NULL;
}

/*
 * Uses the Mackert-Lohman formula, as cost_index() does, which takes pages
 * that stay in the cache into account.  Each lookup reads at least one leaf
 * page.
 */
static void
count_pages(PlannerInfo *root, RelOptInfo *fact, SsdparIndexJoin *join)
{
	IndexOptInfo *index = join->index;
	BlockNumber pages = Max(index->pages, 1);
	double		rows_a_leaf = Max(index->tuples / pages, 1);

	join->index_pages =
		index_pages_fetched(join->lookups + join->rows / rows_a_leaf, pages,
							pages, root);
	join->fact_pages = index_pages_fetched(join->rows, fact->pages, pages,
										   root);
}

/*
 * Returns the fact's rows that the lookups find.  Core assumes that the
 * columns of a key are independent, which those of a composite key are not,
 * so we assume that each lookup finds at least one row.
 */
static double
rows_found(const RelOptInfo *fact, const RelOptInfo *dimension,
		   const IndexPath *scan)
{
	double		rows = scan->indexselectivity * fact->tuples;

	if (list_length(scan->indexclauses) > 1)
		rows = Max(rows, 1.0);
	return rows * dimension->rows;
}

bool
ssdpar_find_index_join(PlannerInfo *root, RelOptInfo *fact,
					   RelOptInfo *dimension, SsdparIndexJoin *join)
{
	ListCell   *lc;

	memset(join, 0, sizeof(*join));
	foreach(lc, fact->pathlist)
	{
		Path	   *path = lfirst(lc);
		IndexPath  *scan = index_scan_in(path);
		Cost		cost = path->total_cost * dimension->rows;
		double		rows;

		/* its keys must come only from this dimension */
		if (scan == NULL || ssdpar_is_disabled_path(path) ||
			!bms_equal(PATH_REQ_OUTER(path), dimension->relids))
			continue;
		if (join->dimension == NULL || cost < join->unsplit_cost)
			join->unsplit_cost = cost;
		rows = rows_found(fact, dimension, scan);
		if (join->dimension != NULL && join->rows <= rows)
			continue;
		join->dimension = dimension;
		join->index = scan->indexinfo;
		join->lookups = dimension->rows;
		join->rows = rows;
	}
	if (join->dimension != NULL)
		count_pages(root, fact, join);
	return join->dimension != NULL;
}
