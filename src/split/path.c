/*
 * path.c
 *		Path and plan of SsdparPartition, the partial scan of the partitioned
 *		table of a split star query.
 *
 * Its cost is that of core's parallel sequential scan with as many workers,
 * from which it differs only in how the table is distributed.  split/scan.c
 * executes it.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "optimizer/pathnode.h"
#include "optimizer/restrictinfo.h"

#include "custom_scan/names.h"
#include "custom_scan/path_copy.h"
#include "custom_scan/whole_tuples.h"
#include "split/path.h"

static Plan *plan_partition_path(PlannerInfo *root, RelOptInfo *rel,
								 CustomPath *best_path, List *tlist,
								 List *clauses, List *custom_plans);

static const SsdparPathMethods path_methods = {
	.core.CustomName = SSDPAR_PARTITION_SCAN,
	.core.PlanCustomPath = plan_partition_path,
	.size = sizeof(CustomPath),
};

static const CustomScanMethods scan_methods = {
	.CustomName = SSDPAR_PARTITION_SCAN,
	.CreateCustomScanState = ssdpar_create_partition_state,
};

void
ssdpar_register_partition_scan(void)
{
	RegisterCustomScanMethods(&scan_methods);
}

bool
ssdpar_can_partition(RelOptInfo *rel, SsdparPartitionKind kind)
{
	if (!rel->consider_parallel || !bms_is_empty(rel->lateral_relids))
		return false;
	return kind == SSDPAR_PARTITION_BLOCKS ||
		(rel->amflags & AMFLAG_HAS_TID_RANGE) != 0;
}

Path *
ssdpar_add_partition_path(PlannerInfo *root, RelOptInfo *rel,
						  SsdparPartitionKind kind,
						  int subqueries, int workers)
{
	Path	   *seqscan = create_seqscan_path(root, rel, NULL, workers);
	CustomPath *path = makeNode(CustomPath);

	path->path = *seqscan;
	path->path.type = T_CustomPath;
	path->path.pathtype = T_CustomScan;
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->methods = &path_methods.core;
	path->custom_private = list_make2(makeInteger(kind),
									  makeInteger(subqueries));
	add_partial_path(rel, &path->path);
	return &path->path;
}

static Plan *
plan_partition_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *best_path,
					List *tlist, List *clauses, List *custom_plans)
{
	CustomScan *scan = makeNode(CustomScan);
	bool		is_fact = intVal(list_nth(best_path->custom_private,
										  SSDPAR_PRIVATE_KIND)) ==
		SSDPAR_PARTITION_BLOCKS;

	scan->scan.plan.targetlist = is_fact ?
		ssdpar_whole_tuples(root, &best_path->path, tlist) : tlist;
	scan->scan.plan.qual = extract_actual_clauses(clauses, false);
	scan->scan.scanrelid = rel->relid;
	scan->flags = best_path->flags;
	scan->custom_private = best_path->custom_private;
	scan->methods = &scan_methods;
	return &scan->scan.plan;
}
