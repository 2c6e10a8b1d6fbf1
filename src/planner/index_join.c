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

#include "planner/index_join.h"

/* The index scan in a path of the fact: itself, or below a bitmap scan. */
static IndexPath *
index_scan_in(Path *path)
{
	if (IsA(path, BitmapHeapPath))
		path = ((BitmapHeapPath *) path)->bitmapqual;
	return IsA(path, IndexPath) ? (IndexPath *) path : NULL;
}

/* Leaf pages are read once a lookup at least. */
static double
pages_read(PlannerInfo *root, RelOptInfo *fact, IndexOptInfo *index,
		   double lookups, double rows)
{
	double		rows_a_leaf = Max(index->tuples / Max(index->pages, 1), 1);

	return lookups + rows / rows_a_leaf +
		index_pages_fetched(rows, fact->pages, index->pages, root);
}

bool
ssdpar_find_index_join(PlannerInfo *root, RelOptInfo *fact,
					   RelOptInfo *dimension, SsdparIndexJoin *join)
{
	ListCell   *lc;

	join->dimension = NULL;
	foreach(lc, fact->pathlist)
	{
		Path	   *path = lfirst(lc);
		IndexPath  *scan = index_scan_in(path);
		double		rows;

		if (scan == NULL ||
			!bms_equal(PATH_REQ_OUTER(path), dimension->relids))
			continue;
		rows = dimension->rows * scan->indexselectivity * fact->tuples;
		if (join->dimension && join->rows <= rows)
			continue;
		join->dimension = dimension;
		join->rows = rows;
		join->pages = pages_read(root, fact, scan->indexinfo,
								 dimension->rows, rows);
	}
	return join->dimension != NULL;
}
