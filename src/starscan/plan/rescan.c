/*
 * rescan.c
 *		Materializes the rows of a star scan that a nested loop reads
 *		repeatedly.
 *
 * If core expects one row on the outer side, it uses a nested loop without
 * considering a second row.  The inner side is then the star scan itself, and
 * each further row reads the whole fact again.  A Material costs next to
 * nothing if there is only one row, so no estimate needs to be right.
 *
 * It is inserted after the joins were created and chosen, at no cost, because
 * the choice should not change.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/pathnode.h"

#include "base/planner_compat.h"
#include "starscan/plan/keys_path.h"
#include "starscan/plan/path.h"
#include "starscan/plan/rescan.h"

/* Includes those in several processes or of partitions. */
static bool
is_star_scan(Path *path)
{
	List	   *scans;
	ListCell   *lc;

	if (IsA(path, GatherPath))
		return is_star_scan(((GatherPath *) path)->subpath);
	if (ssdpar_keys_path(path) != NULL)
		scans = ((CustomPath *) path)->custom_paths;
	else if (IsA(path, AppendPath))
		scans = ((AppendPath *) path)->subpaths;
	else
		return ssdpar_star_path(path) != NULL;
	foreach(lc, scans)
		if (is_star_scan(lfirst(lc)))
			return true;
	return false;
}

static void
keep_inner_rows(List *paths)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		JoinPath   *join = lfirst(lc);
		Path	   *inner;
		Path	   *kept;

		if (!IsA(join, NestPath))
			continue;
		inner = join->innerjoinpath;
		if (inner->param_info != NULL || !is_star_scan(inner))
			continue;
		kept = (Path *) ssdpar_create_material_path(inner->parent, inner,
													true);
		kept->startup_cost = inner->startup_cost;
		kept->total_cost = inner->total_cost;

		/*
		 * The join has been compared with others and will not be compared
		 * again, so none of the properties used for that may change.
		 */
		Assert(kept->param_info == NULL && kept->rows == inner->rows &&
			   kept->pathkeys == inner->pathkeys &&
			   kept->parallel_safe == inner->parallel_safe &&
			   compare_path_costs(kept, inner, TOTAL_COST) == 0);
		join->innerjoinpath = kept;
	}
}

void
ssdpar_keep_inner_star_scans(PlannerInfo *root)
{
	ListCell   *lc;

	if (!enable_material)
		return;
	foreach(lc, root->join_rel_list)
	{
		RelOptInfo *rel = lfirst(lc);

		keep_inner_rows(rel->pathlist);
		keep_inner_rows(rel->partial_pathlist);
	}
}
