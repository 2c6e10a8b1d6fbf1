/*
 * keys_path.c
 *		Path and plan of SsdparStarKeys, which is above the star scans of a
 *		fact's partitions and provides the keys to them.
 *
 * Below it is core's Append, with all of its features: it distributes
 * partitions among processes and prunes them when parameters are known.
 */
#include "postgres.h"

#include "nodes/extensible.h"
#include "optimizer/cost.h"

#include "base/compat.h"
#include "base/planner_compat.h"
#include "custom_scan/names.h"
#include "custom_scan/path_copy.h"
#include "starscan/exec/keys_node.h"
#include "starscan/plan/keys_path.h"
#include "starscan/plan/path.h"

static Plan *plan_keys_path(PlannerInfo *root, RelOptInfo *rel,
							CustomPath *best_path, List *tlist,
							List *clauses, List *custom_plans);

static const SsdparPathMethods path_methods = {
	.core.CustomName = SSDPAR_STAR_KEYS,
	.core.PlanCustomPath = plan_keys_path,
	.size = sizeof(SsdparStarPath),
};

static const CustomScanMethods scan_methods = {
	.CustomName = SSDPAR_STAR_KEYS,
	.CreateCustomScanState = ssdpar_create_keys_state,
};

void
ssdpar_register_star_keys(void)
{
	RegisterCustomScanMethods(&scan_methods);
}

SsdparStarPath *
ssdpar_keys_path(Path *path)
{
	return IsA(path, CustomPath) &&
		((CustomPath *) path)->methods == &path_methods.core ?
		(SsdparStarPath *) path : NULL;
}

Path *
ssdpar_make_keys_path(RelOptInfo *rel, const SsdparStarPlan *plan,
					  List *dimensions, List *children, Cost cost, Path *rows)
{
	SsdparStarPath *keys =
		(SsdparStarPath *) newNode(sizeof(SsdparStarPath), T_CustomPath);
	Path	   *path = &keys->custom.path;
	ListCell   *lc;

	keys->custom.methods = &path_methods.core;
	keys->custom.custom_paths = list_make1(rows);
	keys->plan = plan;
	keys->children = children;
	keys->dimensions = dimensions;
	path->pathtype = T_CustomScan;
	path->parent = rel;
	path->pathtarget = rows->pathtarget;
	path->rows = rows->rows;
	path->startup_cost = rows->startup_cost + cost;
	path->total_cost = rows->total_cost + cost;
	ssdpar_add_disabled_nodes(path, rows);
	path->parallel_workers = rows->parallel_workers;
	path->parallel_aware = rows->parallel_workers > 0;
	path->parallel_safe = rows->parallel_safe;
	foreach(lc, children)
		path->parallel_safe &= ((Path *) lfirst(lc))->parallel_safe;
	return path;
}

/*
 * The rows consist of the Append's columns and, for a path of a join relation,
 * the joined columns.  The fact's conditions are in the scans of its
 * partitions.
 */
static Plan *
plan_keys_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *best_path,
			   List *tlist, List *clauses, List *custom_plans)
{
	SsdparStarPath *keys = (SsdparStarPath *) best_path;
	const Plan *rows = linitial(custom_plans);
	CustomScan *scan = makeNode(CustomScan);

	scan->scan.plan.targetlist = tlist;
	scan->custom_scan_tlist =
		ssdpar_add_joined_columns(root, copyObject(rows->targetlist),
								  keys->joined_columns);
	scan->custom_plans =
		list_concat(ssdpar_plan_children(root, keys->children), custom_plans);
	scan->custom_private = ssdpar_star_plan_to_list(keys->plan);
	scan->methods = &scan_methods;
	return &scan->scan.plan;
}
