/*
 * core_paths.c
 *		Rebuilds or reprices core's paths for one table under different page
 *		costs.
 *
 * Core's functions are called between ssdpar_core_costs_use() and
 * ssdpar_core_costs_restore().  After an error in between, the end of the
 * statement restores the settings (ssdpar_core_costs_end()).  Where possible,
 * we reprice a path that core has considered before, because that saves the
 * search for its clauses.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "cost/page_cost_override.h"
#include "cost/core_paths.h"
#include "cost/pages_again.h"

#ifdef USE_ASSERT_CHECKING
static bool
are_index_paths(List *paths, const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		const Path *path = lfirst(lc);

		if (path->parent != rel ||
			(!IsA(path, IndexPath) && !IsA(path, BitmapHeapPath)))
			return false;
	}
	return true;
}
#endif

/*
 * create_index_paths() is meant to be called once for a relation.  A second
 * call is safe as long as nothing uses the paths of the first: the lists are
 * empty, so it compares its paths only with each other and frees none of the
 * saved ones, no cheapest path has been chosen, and no join has been searched.
 */
void
ssdpar_create_index_paths(PlannerInfo *root, RelOptInfo *rel,
						  const SsdparCoreCosts *costs)
{
	Assert(rel->pathlist == NIL && rel->partial_pathlist == NIL);
	Assert(rel->cheapest_total_path == NULL && root->join_rel_list == NIL);
	ssdpar_core_costs_use(rel, costs);
	create_index_paths(root, rel);
	ssdpar_core_costs_restore(rel);
	Assert(are_index_paths(rel->pathlist, rel));
	Assert(are_index_paths(rel->partial_pathlist, rel));
}

/* The index scan below a bitmap scan, with the costs that core would set. */
static Path *
bitmap_index_path(PlannerInfo *root, const SsdparCoreCosts *costs,
				  SsdparSeenPath *seen)
{
	const SsdparIndexEstimate *estimate = &seen->estimate;

	/*
	 * cost_bitmap_heap_scan() reads these two fields, not the path's total
	 * cost
	 */
	seen->path.indextotalcost = estimate->total +
		ssdpar_pages_again_cost(root, costs, &seen->path,
								seen->loop_count * costs->runs, true,
								estimate);
	seen->path.indexselectivity = estimate->selectivity;
	return &seen->path.path;
}

List *
ssdpar_create_bitmap_paths(PlannerInfo *root, RelOptInfo *rel,
						   const SsdparCoreCosts *costs, List *seen)
{
	List	   *paths = NIL;
	ListCell   *lc;

	ssdpar_core_costs_use(rel, costs);
	foreach(lc, seen)
	{
		SsdparSeenPath *one = lfirst(lc);
		Path	   *index_path = bitmap_index_path(root, costs, one);

		paths = lappend(paths,
						create_bitmap_heap_path(root, rel, index_path,
												PATH_REQ_OUTER(index_path),
												one->loop_count * costs->runs,
												0));
	}
	ssdpar_core_costs_restore(rel);
	return paths;
}

/* Like core, frees the path if it does not get any workers. */
static void
add_partial_index_path(PlannerInfo *root, RelOptInfo *rel,
					   SsdparSeenPath *seen)
{
	IndexPath  *path;

	if (!seen->path.indexinfo->amcanparallel)
		return;
	path = palloc_object(IndexPath);

	/* a copy, because core keeps it, and the original may be repriced again */
	*path = seen->path;
	cost_index(path, root, seen->loop_count, true);
	if (path->path.parallel_workers > 0)
		add_partial_path(rel, &path->path);
	else
		pfree(path);
}

void
ssdpar_create_partial_paths(PlannerInfo *root, RelOptInfo *rel,
							const SsdparCoreCosts *costs, List *seen)
{
	ListCell   *lc;

	ssdpar_core_costs_use(rel, costs);
	foreach(lc, seen)
	{
		SsdparSeenPath *one = lfirst(lc);

		if (costs->index_scans)
			add_partial_index_path(root, rel, one);
		else
			create_partial_bitmap_paths(root, rel,
										bitmap_index_path(root, costs, one));
	}
	ssdpar_core_costs_restore(rel);
}

void
ssdpar_price_partial_path(PlannerInfo *root, RelOptInfo *rel,
						  const SsdparCoreCosts *costs, Path *path)
{
	ssdpar_core_costs_use(rel, costs);
	if (IsA(path, IndexPath))
		cost_index((IndexPath *) path, root, 1.0, true);
	else
		cost_bitmap_heap_scan(path, root, rel, NULL,
							  ((BitmapHeapPath *) path)->bitmapqual, 1.0);
	ssdpar_core_costs_restore(rel);
}
