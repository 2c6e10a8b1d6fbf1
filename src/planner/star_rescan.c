/*
 * star_rescan.c
 *		Keeps the rows of a star scan that a nested loop reads again.
 *
 * Where core expects one row on the outer side it puts a nested loop without
 * thinking of a second: the inner side then is the star scan itself, and each
 * further row reads the fact once more (measured: one row expected, seven
 * found, 0.84 s in place of 0.22).  A Material costs next to nothing where
 * there is only one row, so no estimate has to be right.
 *
 * It is put in when the joins are made and chosen, with no price: a different
 * choice is not what this is for.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/pathnode.h"

#include "planner/star_path.h"
#include "planner/star_rescan.h"

static bool has_star_scans(Path *path);

static bool
any_has_star_scans(List *paths)
{
	bool		found = false;
	ListCell   *lc;

	foreach(lc, paths)
		found |= has_star_scans(lfirst(lc));
	return found;
}

/*
 * Is path a star scan, one in several processes, or has one of a partition?
 * These then hand up narrow rows.
 */
static bool
has_star_scans(Path *path)
{
	if (IsA(path, GatherPath))
		return has_star_scans(((GatherPath *) path)->subpath);
	if (IsA(path, AppendPath))
		return any_has_star_scans(((AppendPath *) path)->subpaths);
	return ssdpar_star_path_narrow(path);
}

static void
keep_inner_rows(List *paths)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		JoinPath   *join = lfirst(lc);
		Path	   *inner;

		if (!IsA(join, NestPath))
			continue;
		inner = join->innerjoinpath;
		if (inner->param_info != NULL || !has_star_scans(inner))
			continue;
		join->innerjoinpath = (Path *)
			create_material_path(inner->parent, inner);
		join->innerjoinpath->startup_cost = inner->startup_cost;
		join->innerjoinpath->total_cost = inner->total_cost;
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
