/*
 * star_path.c
 *		Path and plan of SsdparStarScan, the scan of a fact that its dimensions
 *		reduce.
 *
 * The children are projected to the columns that are compared, so that the
 * columns' numbers are known when the path is made.  What is worth making a path
 * of is decided in star_choose.c, how the plan runs is in starscan/.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/planmain.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"

#include "compat.h"
#include "planner/star_dimension.h"
#include "planner/star_path.h"
#include "planner/star_reducers.h"
#include "planner/whole_tuples.h"

/* A path of ours: core's way to plan children would not do (plan_child). */
typedef struct StarPath
{
	CustomPath	custom;			/* must be first */
	const SsdparStarPlan *plan; /* what becomes the plan's custom_private */
	List	   *children;
	bool		narrow;			/* no column that is not asked for */
} StarPath;

static Plan *plan_star_path(PlannerInfo *root, RelOptInfo *rel,
							CustomPath *best_path, List *tlist,
							List *clauses, List *custom_plans);

static const CustomPathMethods path_methods = {
	.CustomName = "SsdparStarScan",
	.PlanCustomPath = plan_star_path,
};

static const CustomScanMethods scan_methods = {
	.CustomName = "SsdparStarScan",
	.CreateCustomScanState = ssdpar_create_star_state,
};

void
ssdpar_register_star_scan(void)
{
	RegisterCustomScanMethods(&scan_methods);
}

/* What is being put together: the reducers in the order of the plan. */
typedef struct Assembly
{
	PlannerInfo *root;
	RelOptInfo *fact;
	RelOptInfo *rel;
	bool		parallel_safe;
	SsdparStarParts *parts;
} Assembly;

static int
count_dimensions(List *dimensions)
{
	int			count = 0;
	ListCell   *lc;

	foreach(lc, dimensions)
		count += 1 +
			count_dimensions(((SsdparDimension *) lfirst(lc))->reducers);
	return count;
}

/* The number of column var in the columns of a child, where it is added. */
static AttrNumber
child_column(List **columns, Var *var)
{
	ListCell   *lc;

	foreach(lc, *columns)
	{
		if (equal(lfirst(lc), var))
			return foreach_current_index(lc) + 1;
	}
	*columns = lappend(*columns, var);
	return list_length(*columns);
}

/* The column of a fact's partition, level by level. */
static AttrNumber
partition_column(PlannerInfo *root, Index relid, Index fact,
				 AttrNumber column)
{
	AppendRelInfo *appended;

	if (relid == fact)
		return column;
	appended = root->append_rel_array[relid];
	column = partition_column(root, appended->parent_relid, fact, column);
	return castNode(Var, list_nth(appended->translated_vars,
								  column - 1))->varattno;
}

/* A scan of the dimension that puts out these columns and nothing else. */
static Path *
make_child(Assembly *assembly, RelOptInfo *dimension, List *columns)
{
	Path	   *path = ssdpar_dimension_path(dimension,
											 assembly->parallel_safe);
	PathTarget *target = create_empty_pathtarget();
	ListCell   *lc;

	if (path == NULL)
		return NULL;
	foreach(lc, columns)
		add_column_to_pathtarget(target, lfirst(lc), 0);
	set_pathtarget_cost_width(assembly->root, target);
	path = (Path *) create_projection_path(assembly->root, dimension, path,
										   target);
	return path->parallel_safe || !assembly->parallel_safe ? path : NULL;
}

static void
fill_reducer(SsdparReducer *reducer, const SsdparDimension *dimension,
			 List **columns)
{
	reducer->target = SSDPAR_TARGET_FACT;
	reducer->ncolumns = list_length(dimension->key_vars);
	for (int i = 0; i < reducer->ncolumns; i++)
	{
		reducer->key_columns[i] =
			child_column(columns, list_nth(dimension->key_vars, i));
		reducer->operators[i] = list_nth_oid(dimension->operators, i);
		reducer->collations[i] = list_nth_oid(dimension->collations, i);
	}
	reducer->dimension = dimension->rel->relid;
	reducer->keys = dimension->keys;
	reducer->selectivity = dimension->selectivity;
}

/*
 * Add the reducers of these dimensions, those below them first, and remember
 * their numbers in *numbers.  False if one cannot be read.
 */
static bool
add_reducers(Assembly *assembly, List *dimensions, List **numbers)
{
	SsdparStarParts *parts = assembly->parts;
	ListCell   *lc;
	ListCell   *below;

	foreach(lc, dimensions)
	{
		SsdparDimension *dimension = lfirst(lc);
		List	   *columns = NIL;
		List	   *below_numbers = NIL;
		SsdparReducer *reducer;
		Path	   *child;

		if (!add_reducers(assembly, dimension->reducers, &below_numbers))
			return false;
		reducer = &parts->plan.reducers[parts->plan.nreducers];
		fill_reducer(reducer, dimension, &columns);
		foreach(below, dimension->reducers)
		{
			SsdparDimension *lower = lfirst(below);
			SsdparReducer *lower_reducer =
				&parts->plan.reducers[list_nth_int(below_numbers,
												   foreach_current_index(below))];

			lower_reducer->target = parts->plan.nreducers;
			for (int i = 0; i < lower_reducer->ncolumns; i++)
				lower_reducer->target_columns[i] =
					child_column(&columns, list_nth(lower->target_vars, i));
		}
		child = make_child(assembly, dimension->rel, columns);
		if (child == NULL)
			return false;
		parts->children = lappend(parts->children, child);
		*numbers = lappend_int(*numbers, parts->plan.nreducers++);
	}
	return true;
}

SsdparStarParts *
ssdpar_star_parts(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
				  SsdparDimension *dimension, bool parallel_safe)
{
	SsdparStarParts *parts = palloc0_object(SsdparStarParts);
	Assembly	assembly = {root, fact, rel, parallel_safe, parts};
	List	   *alone = list_make1(dimension);
	List	   *numbers = NIL;
	SsdparReducer *reducer;

	parts->plan.reducers = palloc0(count_dimensions(alone) *
								   sizeof(SsdparReducer));
	if (!add_reducers(&assembly, alone, &numbers))
		return NULL;
	reducer = &parts->plan.reducers[linitial_int(numbers)];
	for (int i = 0; i < reducer->ncolumns; i++)
	{
		Var		   *var = list_nth(dimension->target_vars, i);

		reducer->target_columns[i] =
			partition_column(root, rel->relid, fact->relid, var->varattno);
	}
	return parts;
}

void
ssdpar_star_append(SsdparStarParts *parts, const SsdparStarParts *more)
{
	SsdparStarPlan *plan = &parts->plan;
	int			before = plan->nreducers;

	Assert(before + more->plan.nreducers <= SSDPAR_MAX_REDUCERS);
	for (int i = 0; i < more->plan.nreducers; i++)
	{
		SsdparReducer *reducer = &plan->reducers[plan->nreducers++];

		*reducer = more->plan.reducers[i];
		if (reducer->target != SSDPAR_TARGET_FACT)
			reducer->target += before;
	}
	parts->children = list_concat(parts->children, more->children);
}

CustomPath *
ssdpar_star_path(PlannerInfo *root, RelOptInfo *rel,
				 const SsdparStarParts *parts, int workers)
{
	StarPath   *star = (StarPath *) newNode(sizeof(StarPath), T_CustomPath);
	CustomPath *path = &star->custom;
	ListCell   *lc;

	star->plan = &parts->plan;
	star->children = parts->children;
	path->path.pathtype = T_CustomScan;
	path->path.parent = rel;
	path->path.pathtarget = rel->reltarget;
	path->path.parallel_aware = workers > 0;
	/* one for all processes, or not below a Gather: see star_path.h */
	path->path.parallel_safe = rel->consider_parallel && workers > 0;
	foreach(lc, parts->children)
		path->path.parallel_safe &= ((Path *) lfirst(lc))->parallel_safe;
	path->path.parallel_workers = workers;
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->methods = &path_methods;
	return path;
}

bool
ssdpar_star_path_narrow(Path *path)
{
	if (!IsA(path, CustomPath) ||
		((CustomPath *) path)->methods != &path_methods)
		return false;
	((StarPath *) path)->narrow = true;
	return true;
}

/*
 * The plan of a child.  Core's way, custom_paths, takes the columns of a
 * dimension for parameters where the star scan is on the inner side of a
 * nested loop and the dimension also on the outer side.  So each child is
 * planned as what it is, a query of its own, and what create_plan() takes
 * for that from root is put aside: the outer sides of joins, and what it gives
 * to the topmost plan node alone.
 */
static Plan *
plan_child(PlannerInfo *root, Path *path)
{
	Relids		outer_rels = root->curOuterRels;
	List	   *outer_params = root->curOuterParams;
	List	   *plan_params = root->plan_params;
	List	   *tlist = root->processed_tlist;
	List	   *init_plans = root->init_plans;
	Plan	   *plan;

	root->plan_params = NIL;
	root->processed_tlist = make_tlist_from_pathtarget(path->pathtarget);
	root->init_plans = NIL;
	plan = create_plan(root, path);
	root->curOuterRels = outer_rels;
	root->curOuterParams = outer_params;
	root->plan_params = plan_params;
	root->processed_tlist = tlist;
	root->init_plans = init_plans;
	return plan;
}

static Plan *
plan_star_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *best_path,
			   List *tlist, List *clauses, List *custom_plans)
{
	CustomScan *scan = makeNode(CustomScan);
	StarPath   *star = (StarPath *) best_path;
	ListCell   *lc;

	scan->scan.plan.targetlist =
		star->plan->access == SSDPAR_STAR_SEQUENTIAL && !star->narrow ?
		ssdpar_whole_tuples(root, rel, tlist) : tlist;
	scan->scan.plan.qual = extract_actual_clauses(clauses, false);
	scan->scan.scanrelid = rel->relid;
	scan->flags = best_path->flags;
	foreach(lc, star->children)
		scan->custom_plans = lappend(scan->custom_plans,
									 plan_child(root, lfirst(lc)));
	scan->custom_private = ssdpar_star_plan_to_list(star->plan);
	scan->methods = &scan_methods;
	return &scan->scan.plan;
}
