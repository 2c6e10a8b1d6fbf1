/*
 * path.c
 *		Path and plan of SsdparStarScan, the scan of a fact that is reduced
 *		by its dimensions.
 *
 * starscan/plan/search.c decides which paths are created; starscan/exec/
 * executes the plan.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "optimizer/cost.h"
#include "optimizer/planmain.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "custom_scan/names.h"
#include "custom_scan/path_copy.h"
#include "custom_scan/whole_tuples.h"
#include "star/repeatable.h"
#include "starscan/exec/node.h"
#include "starscan/plan/break_even.h"
#include "starscan/plan/kernel_ahead.h"
#include "starscan/plan/path.h"

static Plan *plan_star_path(PlannerInfo *root, RelOptInfo *rel,
							CustomPath *best_path, List *tlist,
							List *clauses, List *custom_plans);

static const SsdparPathMethods path_methods = {
	.core.CustomName = SSDPAR_STAR_SCAN,
	.core.PlanCustomPath = plan_star_path,
	.size = sizeof(SsdparStarPath),
};

static const CustomScanMethods scan_methods = {
	.CustomName = SSDPAR_STAR_SCAN,
	.CreateCustomScanState = ssdpar_create_star_state,
};

void
ssdpar_register_star_scan(void)
{
	RegisterCustomScanMethods(&scan_methods);
}

/*
 * Sets the index of a reducer of the fact.  One whose use is not planned is
 * included if the executor has prices for the choice and collects the keys
 * anyway.
 */
void
ssdpar_give_index(const SsdparStarPlan *plan, SsdparReducer *reducer,
				  const SsdparEstimate *estimate, const IndexOptInfo *index,
				  bool planned)
{
	bool		collected = reducer->key.ncolumns == 1 &&
		estimate->tested_first;

	if (plan->access != SSDPAR_STAR_BITMAP || index == NULL ||
		(!planned && (plan->page_cost <= 0 || !collected)))
		return;
	reducer->index = index->indexoid;
	reducer->index_column = estimate->index_column;
	reducer->index_planned = planned;
	reducer->keys_wanted = true;
	reducer->leaf_cost = estimate->index_cost / Max(estimate->leaves, 1.0);
	reducer->ordered = estimate->ordered;
	reducer->together = estimate->together;
}

SsdparStarPlan *
ssdpar_assemble_star_plan(const SsdparStarTable *table,
						  const SsdparCandidate *candidate)
{
	SsdparStarPlan *plan = palloc0_object(SsdparStarPlan);

	plan->access = candidate->access;
	plan->fact = table->rel->relid;
	plan->pages = candidate->pages;
	plan->kept = candidate->kept;
	plan->early_pages = candidate->early_pages;
	plan->kernel_ahead = ssdpar_kernel_reads_ahead(table, candidate);
	ssdpar_break_even(table, candidate, &plan->page_cost, &plan->most_pages);
	plan->left_out = candidate->left_out;
	plan->nleft_out = candidate->nleft_out;
	plan->reducers = palloc_array(SsdparReducer, SSDPAR_MAX_REDUCERS);
	for (int i = 0; i < table->ndimensions; i++)
	{
		const SsdparEstimate *estimate = &candidate->estimates[i];
		int			before = plan->nreducers;
		SsdparReducer *own;

		if ((candidate->dimensions & SSDPAR_DIMENSION_BIT(i)) == 0)
			continue;
		Assert(before + estimate->nreducers <= SSDPAR_MAX_REDUCERS);
		for (int j = 0; j < estimate->nreducers; j++)
		{
			SsdparReducer *reducer = &plan->reducers[plan->nreducers++];

			*reducer = estimate->reducers[j];
			if (reducer->target != SSDPAR_TARGET_FACT)
				reducer->target += before;
		}
		own = &plan->reducers[plan->nreducers - 1];
		own->looked_at = estimate->dimension->looked_at;
		ssdpar_give_index(plan, own, estimate, estimate->index,
						  (candidate->indexes & SSDPAR_DIMENSION_BIT(i)) != 0);
	}
	return plan;
}

/* Creates a path without children or dimensions. */
static SsdparStarPath *
make_path(RelOptInfo *rel, const SsdparCandidate *candidate,
		  const SsdparStarPlan *plan)
{
	SsdparStarPath *star =
		(SsdparStarPath *) newNode(sizeof(SsdparStarPath), T_CustomPath);
	Path	   *path = &star->custom.path;

	star->custom.flags = CUSTOMPATH_SUPPORT_PROJECTION;
	star->custom.methods = &path_methods.core;
	star->plan = plan;
	path->pathtype = T_CustomScan;
	path->parent = rel;
	path->pathtarget = rel->reltarget;
	path->rows = candidate->rows_each;
	path->startup_cost = candidate->startup;
	path->total_cost = candidate->total;
	path->parallel_workers = candidate->workers;
	path->parallel_aware = candidate->workers > 0;

	/*
	 * One scan is shared by all processes, or it is not below a Gather.
	 * Otherwise core would let each process of a parallel hash join read the
	 * whole fact as the inner side, and would price that like one process.
	 */
	path->parallel_safe = rel->consider_parallel && candidate->workers > 0;
	return star;
}

Path *
ssdpar_make_star_path(const SsdparStarTable *table,
					  const SsdparCandidate *candidate)
{
	SsdparStarPath *star =
		make_path(table->rel, candidate,
				  ssdpar_assemble_star_plan(table, candidate));
	Path	   *path = &star->custom.path;
	ListCell   *lc;

	star->children = ssdpar_candidate_children(table, candidate);
	star->dimensions = ssdpar_candidate_dimensions(table, candidate);
	foreach(lc, star->children)
		path->parallel_safe &= ((Path *) lfirst(lc))->parallel_safe;
	return path;
}

Path *
ssdpar_make_star_part_path(RelOptInfo *rel,
						   const SsdparCandidate *candidate,
						   const SsdparStarPlan *part)
{
	SsdparStarPath *star = make_path(rel, candidate, part);

	star->part = true;
	return &star->custom.path;
}

List *
ssdpar_candidate_dimensions(const SsdparStarTable *table,
							const SsdparCandidate *candidate)
{
	List	   *dimensions = NIL;

	for (int i = 0; i < table->ndimensions; i++)
	{
		const SsdparEstimate *estimate = &candidate->estimates[i];

		if ((candidate->dimensions & SSDPAR_DIMENSION_BIT(i)) != 0)
			dimensions = lappend(dimensions,
								 unconstify(SsdparDimension *,
											estimate->dimension));
	}
	return dimensions;
}

List *
ssdpar_candidate_children(const SsdparStarTable *table,
						  const SsdparCandidate *candidate)
{
	List	   *children = NIL;

	for (int i = 0; i < table->ndimensions; i++)
	{
		if ((candidate->dimensions & SSDPAR_DIMENSION_BIT(i)) != 0)
			children = list_concat(children,
								   candidate->estimates[i].children);
	}
	return children;
}

SsdparStarPath *
ssdpar_star_path(Path *path)
{
	return IsA(path, CustomPath) &&
		((CustomPath *) path)->methods == &path_methods.core ?
		(SsdparStarPath *) path : NULL;
}

/*
 * Creates the plan of a child.  With core's method, custom_paths, the columns
 * of a dimension would be replaced by parameters if the star scan is on the
 * inner side of a nested loop and the dimension also on the outer side.
 * Therefore each child is planned as a separate query, and the fields of root
 * that create_plan() would use are set aside: the outer sides of joins, and
 * what it attaches only to the topmost plan node.
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

	/*
	 * A parameter required by the child would never be set, and an InitPlan
	 * attached to it would be missing from the topmost node.
	 */
	Assert(root->plan_params == NIL && root->curOuterParams == NIL &&
		   plan->initPlan == NIL);
	root->curOuterRels = outer_rels;
	root->curOuterParams = outer_params;
	root->plan_params = plan_params;
	root->processed_tlist = tlist;
	root->init_plans = init_plans;
	Assert(!ssdpar_plan_is_volatile(plan));
	return plan;
}

List *
ssdpar_plan_children(PlannerInfo *root, List *children)
{
	List	   *plans = NIL;
	ListCell   *lc;

	foreach(lc, children)
		plans = lappend(plans, plan_child(root, lfirst(lc)));
	return plans;
}

static TargetEntry *
column_entry(PlannerInfo *root, Var *var, AttrNumber number)
{
	Oid			table = root->simple_rte_array[var->varno]->relid;

	return makeTargetEntry((Expr *) var, number,
						   get_attname(table, var->varattno, false), false);
}

List *
ssdpar_add_joined_columns(PlannerInfo *root, List *tlist, List *joined_columns)
{
	ListCell   *lc;

	foreach(lc, joined_columns)
		tlist = lappend(tlist, column_entry(root, copyObject(lfirst(lc)),
											list_length(tlist) + 1));
	return tlist;
}

/*
 * The target list of a scan with joined reducers: each column of the fact at
 * its attribute number, so that quals can be computed for a row of the fact
 * alone, then the joined columns.  A dropped column keeps its position.
 */
static List *
wide_rows(PlannerInfo *root, const SsdparStarPath *star)
{
	Index		fact = star->fact->relid;
	Relation	rel = table_open(root->simple_rte_array[fact]->relid, NoLock);
	TupleDesc	row = RelationGetDescr(rel);
	List	   *tlist = NIL;

	for (int i = 1; i <= row->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(row, i - 1);

		if (column->attisdropped)
			tlist = lappend(tlist,
							makeTargetEntry((Expr *)
											makeNullConst(INT4OID, -1,
														  InvalidOid),
											i, NULL, false));
		else
			tlist = lappend(tlist,
							column_entry(root,
										 makeVar(fact, i, column->atttypid,
												 column->atttypmod,
												 column->attcollation, 0),
										 i));
	}
	table_close(rel, NoLock);
	return ssdpar_add_joined_columns(root, tlist, star->joined_columns);
}

/*
 * The fact's quals in the order in which core would compute them: the cheap
 * ones first.  Core sorts only those of the path's relation, which is a join
 * relation here.  There are no security levels to consider (covered_join.c).
 */
static List *
ordered_quals(PlannerInfo *root, RelOptInfo *fact)
{
	List	   *ordered = NIL;
	ListCell   *lc;

	foreach(lc, fact->baserestrictinfo)
	{
		QualCost	cost;
		int			place = list_length(ordered);

		cost_qual_eval_node(&cost, lfirst(lc), root);
		for (; place > 0; place--)
		{
			QualCost	before;

			cost_qual_eval_node(&before, list_nth(ordered, place - 1), root);
			if (cost.per_tuple >= before.per_tuple)
				break;
		}
		ordered = list_insert_nth(ordered, place, lfirst(lc));
	}
	return ordered;
}

static Plan *
plan_star_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *best_path,
			   List *tlist, List *clauses, List *custom_plans)
{
	CustomScan *scan = makeNode(CustomScan);
	SsdparStarPath *star = (SsdparStarPath *) best_path;

	scan->scan.plan.targetlist = tlist;
	scan->scan.scanrelid = star->plan->fact;
	if (star->fact != NULL)
	{
		clauses = ordered_quals(root, star->fact);
		scan->custom_scan_tlist = wide_rows(root, star);
	}
	else if (star->plan->access == SSDPAR_STAR_SEQUENTIAL)
		scan->scan.plan.targetlist =
			ssdpar_whole_tuples(root, &best_path->path, tlist);
	scan->scan.plan.qual = extract_actual_clauses(clauses, false);
	scan->flags = best_path->flags;
	scan->custom_plans = ssdpar_plan_children(root, star->children);
	scan->custom_private = star->part ? ssdpar_star_part_to_list(star->plan) :
		ssdpar_star_plan_to_list(star->plan);
	scan->methods = &scan_methods;
	return &scan->scan.plan;
}
