/*
 * index_join.c
 *		What an index join from a dimension to the fact would read.
 *
 * Core has made the parameterised index paths already; this only finds the
 * one that belongs to a dimension and counts its pages.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/pathnode.h"

#include "base/planner_compat.h"
#include "rowcount/known_rows.h"
#include "split/index_join.h"

/* The index scan in a path of the fact: itself, or below a bitmap scan. */
static IndexPath *
index_scan_in(Path *path)
{
	if (IsA(path, BitmapHeapPath))
		path = ((BitmapHeapPath *) path)->bitmapqual;
	return IsA(path, IndexPath) ? (IndexPath *) path : NULL;
}

/*
 * By the Mackert-Lohman formula, as cost_index() counts them: pages come back
 * from memory as far as they fit there.  Leaf pages are read once a lookup at
 * least.
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
 * Rows of the fact that so many lookups find.  With several columns core takes
 * each for independent of the others, which keys of several columns are not:
 * where the join was not measured, a lookup finds a row at least.
 */
static double
rows_found(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *dimension,
		   const IndexPath *scan)
{
	Relids		both = bms_union(fact->relids, dimension->relids);
	const SsdparKnownRows *known = ssdpar_known_rows(root, both);
	double		rows = scan->indexselectivity * fact->tuples;

	bms_free(both);
	if (list_length(scan->indexclauses) > 1)
		rows = Max(rows, 1.0);
	rows *= dimension->rows;
	return known != NULL ? Max(rows, known->rows) : rows;
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

		/* whose keys come from this dimension and no other relation */
		if (scan == NULL || ssdpar_is_disabled_path(path) ||
			!bms_equal(PATH_REQ_OUTER(path), dimension->relids))
			continue;
		if (join->dimension == NULL || cost < join->unsplit_cost)
			join->unsplit_cost = cost;
		rows = rows_found(root, fact, dimension, scan);
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
