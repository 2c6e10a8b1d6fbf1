/*
 * path.c
 *		Path and plan of SsdparIndexJoin.
 *
 * The node builds its own rows (join_plan.h): all columns of the outer plan,
 * followed by those columns of the inner table that are used.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"

#include "base/planner_compat.h"
#include "base/rows_wanted.h"
#include "custom_scan/names.h"
#include "custom_scan/path_copy.h"
#include "index_join/exec/node.h"
#include "index_join/join_plan.h"
#include "index_join/plan/batches.h"
#include "index_join/plan/path.h"
#include "star/early.h"

typedef struct JoinPathOfOurs
{
	CustomPath	custom;			/* must be first */
	SsdparJoinCandidate candidate;
} JoinPathOfOurs;

static Plan *plan_join_path(PlannerInfo *root, RelOptInfo *rel,
							CustomPath *best_path, List *tlist,
							List *clauses, List *custom_plans);

static const SsdparPathMethods path_methods = {
	.core.CustomName = SSDPAR_INDEX_JOIN,
	.core.PlanCustomPath = plan_join_path,
	.size = sizeof(JoinPathOfOurs),
};

static const CustomScanMethods scan_methods = {
	.CustomName = SSDPAR_INDEX_JOIN,
	.CreateCustomScanState = ssdpar_create_index_join_state,
};

void
ssdpar_register_index_join(void)
{
	RegisterCustomScanMethods(&scan_methods);
}

Path *
ssdpar_make_index_join_path(const SsdparJoinCandidate *candidate,
							Path *outer, double rows,
							const SsdparJoinCost *cost)
{
	JoinPathOfOurs *join =
		(JoinPathOfOurs *) newNode(sizeof(JoinPathOfOurs), T_CustomPath);
	Path	   *path = &join->custom.path;
	RelOptInfo *joinrel = candidate->joinrel;

	Assert(outer->param_info == NULL);
	join->candidate = *candidate;
	join->custom.flags = CUSTOMPATH_SUPPORT_PROJECTION;
	join->custom.methods = &path_methods.core;
	join->custom.custom_paths = list_make1(outer);
	join->custom.custom_private =
		list_concat_copy(candidate->restrictlist,
						 candidate->inner->baserestrictinfo);
	path->pathtype = T_CustomScan;
	path->parent = joinrel;
	path->pathtarget = joinrel->reltarget;
	path->pathkeys = build_join_pathkeys(candidate->root, joinrel,
										 candidate->type, outer->pathkeys);
	path->rows = rows;
	path->startup_cost = cost->startup;
	path->total_cost = cost->total;
	path->parallel_safe = joinrel->consider_parallel &&
		candidate->inner->consider_parallel && outer->parallel_safe;
	ssdpar_copy_disabled_nodes(path, outer);
	path->parallel_workers = outer->parallel_workers;
	path->parallel_aware = outer->parallel_workers > 0; /* for counters */
	return path;
}

/*
 * Columns.
 *
 * If the join may set the inner side to NULL, a Var of it differs since
 * version 16 between the conditions below the join and the target list above
 * it.  The node has only one, so we replace all of them by the one used above,
 * if there is any.
 */

static List *
columns_in(Node *expr)
{
	return pull_var_clause(expr, PVC_RECURSE_AGGREGATES |
						   PVC_RECURSE_WINDOWFUNCS |
						   PVC_RECURSE_PLACEHOLDERS);
}

static Var *
find_column(List *columns, const Var *wanted)
{
	ListCell   *lc;

	foreach(lc, columns)
	{
		Var		   *column = lfirst_node(Var, lc);

		if (column->varno == wanted->varno &&
			column->varattno == wanted->varattno &&
			column->varlevelsup == wanted->varlevelsup)
			return column;
	}
	return NULL;
}

static Node *
unify_columns(Node *expr, void *columns)
{
	if (expr == NULL)
		return NULL;
	if (IsA(expr, Var))
	{
		Var		   *column = copyObject((Var *) expr);
		const Var  *from = find_column(columns, column);

		if (from != NULL)
			ssdpar_copy_null_extension(column, from);
		return (Node *) column;
	}
	return expression_tree_mutator(expr, unify_columns, columns);
}

/* Each column once, in the form that comes first. */
static List *
distinct_columns(List *columns)
{
	List	   *distinct = NIL;
	ListCell   *lc;

	foreach(lc, columns)
		if (find_column(distinct, lfirst(lc)) == NULL)
			distinct = lappend(distinct, lfirst(lc));
	return distinct;
}

static void
add_entry(List **tlist, Expr *expr)
{
	*tlist = lappend(*tlist, makeTargetEntry(expr, list_length(*tlist) + 1,
											 NULL, false));
}

/*
 * Builds custom_scan_tlist: all columns of the outer plan; then *nunread
 * columns of the inner table that are only in the index condition; then the
 * inner columns in columns.
 */
static List *
node_columns(const SsdparJoinCandidate *candidate, const Plan *outer,
			 List *columns, int *nunread)
{
	List	   *tlist = NIL;
	List	   *searched = NIL;
	ListCell   *lc;

	foreach(lc, outer->targetlist)
		add_entry(&tlist, (Expr *)
				  unify_columns((Node *) lfirst_node(TargetEntry, lc)->expr,
								columns));
	for (int i = 0; i < candidate->nkeys; i++)
	{
		Var		   *inner = candidate->keys[i].inner;

		if (find_column(columns, inner) == NULL)
			searched = lappend(searched, inner);
	}
	*nunread = list_length(searched);
	foreach(lc, searched)
		add_entry(&tlist, copyObject(lfirst(lc)));
	foreach(lc, columns)
	{
		if (lfirst_node(Var, lc)->varno == (int) candidate->inner->relid)
			add_entry(&tlist, copyObject(lfirst(lc)));
	}
	return tlist;
}

/* Resno of the column in the outer plan. */
static int
outer_column(const Plan *outer, const Var *column)
{
	ListCell   *lc;

	foreach(lc, outer->targetlist)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);

		if (IsA(entry->expr, Var) &&
			find_column(list_make1(entry->expr), column) != NULL)
			return entry->resno;
	}
	elog(ERROR, "outer plan of an index join lacks a column");
}

/*
 * Sets the positions of the keys, and returns the keys that are not columns.
 */
static List *
plan_keys(const SsdparJoinCandidate *candidate, const Plan *outer,
		  SsdparIndexJoinPlan *plan)
{
	List	   *constants = NIL;

	plan->nkeys = candidate->nkeys;
	for (int i = 0; i < candidate->nkeys; i++)
	{
		const SsdparSearchedColumn *key = &candidate->keys[i];

		plan->key_columns[i] = 0;
		if (key->outer != NULL)
			plan->key_columns[i] = outer_column(outer, key->outer);
		else
			constants = lappend(constants, copyObject(key->constant));
	}
	return constants;
}

/*
 * The plan.
 */

/* Would core's index scan use this clause as well, on a later column? */
static bool
is_index_condition(const SsdparJoinCandidate *candidate,
				   const RestrictInfo *clause)
{
	IndexOptInfo *index = candidate->index;
	const OpExpr *comparison = (const OpExpr *) clause->clause;

	if (clause->mergeopfamilies == NIL || !IsA(comparison, OpExpr) ||
		list_length(comparison->args) != 2)
		return false;
	for (int i = 1; i < index->nkeycolumns; i++)
	{
		if (list_member_oid(clause->mergeopfamilies, index->opfamily[i]) &&
			(match_index_to_operand(linitial(comparison->args), i, index) ||
			 match_index_to_operand(lsecond(comparison->args), i, index)))
			return true;
	}
	return false;
}

static Cost
cost_of(PlannerInfo *root, RestrictInfo *clause)
{
	QualCost	cost;

	cost_qual_eval_node(&cost, (Node *) clause, root);
	return cost.per_tuple;
}

/*
 * Like core's order_qual_clauses(): a cheap condition may be the one that
 * keeps an expensive one from raising an error.  The sort is stable.
 */
static List *
order_by_cost(PlannerInfo *root, List *clauses)
{
	List	   *ordered = NIL;
	ListCell   *lc;

	foreach(lc, clauses)
	{
		Cost		cost = cost_of(root, lfirst(lc));
		int			place = list_length(ordered);

		while (place > 0 &&
			   cost_of(root, list_nth(ordered, place - 1)) > cost)
			place--;
		ordered = list_insert_nth(ordered, place, lfirst(lc));
	}
	return extract_actual_clauses(ordered, false);
}

/*
 * Returns the conditions on pairs of rows, and in *above those on rows of the
 * join.  Their order is core's: first the conditions that an index scan would
 * search by, then its filter, that is all other conditions on the inner table,
 * then the rest.
 */
static List *
join_filter(const SsdparJoinCandidate *candidate, List **above)
{
	PlannerInfo *root = candidate->root;
	List	   *keys = ssdpar_searched_clauses(candidate);
	List	   *searched = NIL;
	List	   *scanned =
		list_difference_ptr(candidate->inner->baserestrictinfo, keys);
	List	   *others = NIL;
	List	   *pushed_down = NIL;
	ListCell   *lc;

	foreach(lc, candidate->restrictlist)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);

		if (list_member_ptr(keys, clause))
			continue;
		if (IS_OUTER_JOIN(candidate->type) &&
			RINFO_IS_PUSHED_DOWN(clause, candidate->joinrel->relids))
			pushed_down = lappend(pushed_down, clause);
		else if (is_index_condition(candidate, clause))
			searched = lappend(searched, clause);
		else if (bms_overlap(clause->clause_relids, candidate->inner->relids))
			scanned = lappend(scanned, clause);
		else
			others = lappend(others, clause);
	}
	*above = order_by_cost(root, pushed_down);
	return list_concat(order_by_cost(root, searched),
					   list_concat(order_by_cost(root, scanned),
								   order_by_cost(root, others)));
}

/*
 * The index condition as core shows it, with the index's columns on the left.
 */
static List *
index_condition(const SsdparJoinCandidate *candidate)
{
	List	   *conditions = NIL;

	for (int i = 0; i < candidate->nkeys; i++)
	{
		OpExpr	   *condition =
			copyObject((OpExpr *) candidate->keys[i].clause->clause);

		if (!match_index_to_operand(linitial(condition->args), i,
									candidate->index))
			CommuteOpExpr(condition);
		conditions = lappend(conditions, condition);
	}
	return conditions;
}

static Plan *
plan_join_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *best_path,
			   List *tlist, List *clauses, List *custom_plans)
{
	const JoinPathOfOurs *path = (JoinPathOfOurs *) best_path;
	const SsdparJoinCandidate *candidate = &path->candidate;
	const Plan *outer = linitial(custom_plans);
	CustomScan *scan = makeNode(CustomScan);
	SsdparIndexJoinPlan plan = {
		.type = candidate->type,
		.single_match = candidate->single_match,
		.index = candidate->index->indexoid,
		.index_only = candidate->index_only,
		.first_batch = (int)
			ssdpar_join_first_batch(candidate,
									linitial(best_path->custom_paths)),
		.outer_columns = list_length(outer->targetlist),
		.streams = root->parent_root == NULL &&
			!ssdpar_level_takes_all(root) &&
			bms_is_subset(root->all_baserels, rel->relids),
	};
	List	   *constants = plan_keys(candidate, outer, &plan);
	List	   *above;
	List	   *filter = join_filter(candidate, &above);
	List	   *tested = list_concat_copy(filter, above);
	List	   *columns;

	plan.any_order = ssdpar_early_problem(root, (Node *) tested) ==
		SSDPAR_ACCEPTED;

	/* do not use tlist, because core may replace it (projections) */
	columns = columns_in((Node *) rel->reltarget->exprs);
	columns = list_concat(columns, columns_in((Node *) above));
	columns = list_concat(columns, columns_in((Node *) filter));
	columns = distinct_columns(columns);
	scan->scan.plan.targetlist = tlist;
	scan->scan.plan.qual = (List *) unify_columns((Node *) above, columns);
	scan->scan.scanrelid = 0;
	scan->flags = best_path->flags;
	scan->custom_plans = custom_plans;
	scan->custom_scan_tlist = node_columns(candidate, outer, columns,
										   &plan.nunread);
	scan->custom_exprs =
		list_make3(unify_columns((Node *) index_condition(candidate), columns),
				   unify_columns((Node *) filter, columns), constants);
	scan->custom_private = ssdpar_join_plan_to_list(&plan);
	scan->methods = &scan_methods;
	return &scan->scan.plan;
}
