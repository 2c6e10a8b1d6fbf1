/*
 * level_runs.c
 *		Estimates how often a query level is executed within one statement.
 *
 * A correlated subquery is executed once for each row of the table that
 * provides its values.  However, core plans it before that table: a subquery
 * in an expression when only the query of the outer level is known, and one in
 * FROM while the outer level's tables get their sizes.  So we look up the
 * table here, in a separate PlannerInfo, and let core estimate the comparisons
 * of its columns with constants.  We do not use build_simple_rel(), because it
 * passes tables to hooks of other extensions, which may rely on earlier
 * planning steps or change the query.
 *
 * The result is an upper bound, because joins and other conditions of the
 * outer level are ignored.  It determines how many runs share pages, where the
 * difference between ten runs and a thousand matters, but not that between one
 * and two thousand.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/plancat.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "cost/level_runs.h"

/* For relations other than tables: core's own guess for a function. */
#define UNKNOWN_ROWS 1000.0

/* For the statement being planned. */
static PlannerInfo *counted_level = NULL;
static double counted_runs;

typedef struct TableFilters
{
	int			table;
	List	   *found;
} TableFilters;

static bool
is_constant(const Node *node)
{
	ListCell   *lc;

	if (IsA(node, ArrayExpr))
	{
		foreach(lc, ((const ArrayExpr *) node)->elements)
			if (!is_constant(lfirst(lc)))
				return false;
		return true;
	}
	return IsA(node, Const) ||
		(IsA(node, Param) && ((const Param *) node)->paramkind == PARAM_EXTERN);
}

static bool
is_column(const Node *node, int table)
{
	while (IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	return IsA(node, Var) && ((const Var *) node)->varno == table &&
		((const Var *) node)->varlevelsup == 0;
}

/* Core's estimators of these operators only compare values. */
static bool
is_comparison(Oid operator)
{
	switch (get_oprrest(operator))
	{
		case F_EQSEL:
		case F_SCALARLTSEL:
		case F_SCALARLESEL:
		case F_SCALARGTSEL:
		case F_SCALARGESEL:
			return true;
		default:
			return false;
	}
}

/*
 * Accepts nothing that would have to be evaluated, because the query has not
 * been simplified yet, and core may find that evaluation is unnecessary.
 */
static bool
compares_with_constant(const Node *clause, int table)
{
	const List *args;
	Oid			operator;

	if (IsA(clause, OpExpr))
	{
		args = ((const OpExpr *) clause)->args;
		operator = ((const OpExpr *) clause)->opno;
	}
	else if (IsA(clause, ScalarArrayOpExpr))
	{
		args = ((const ScalarArrayOpExpr *) clause)->args;
		operator = ((const ScalarArrayOpExpr *) clause)->opno;
	}
	else
		return false;
	if (list_length(args) != 2 || !is_comparison(operator))
		return false;
	return (is_column(linitial(args), table) && is_constant(lsecond(args))) ||
		(is_column(lsecond(args), table) && is_constant(linitial(args)));
}

/*
 * Conditions of a level are a list if core has simplified them, else a tree.
 */
static void
add_filters(Node *clauses, TableFilters *filters)
{
	List	   *parts = NIL;
	ListCell   *lc;

	if (clauses == NULL)
		return;
	if (IsA(clauses, List))
		parts = (List *) clauses;
	else if (is_andclause(clauses))
		parts = ((BoolExpr *) clauses)->args;
	else if (compares_with_constant(clauses, filters->table))
		filters->found = lappend(filters->found, clauses);
	foreach(lc, parts)
		add_filters(lfirst(lc), filters);
}

/* Conditions of an outer join do not remove rows of its outer side. */
static void
find_filters(Node *jointree, TableFilters *filters)
{
	ListCell   *lc;

	if (IsA(jointree, FromExpr))
	{
		FromExpr   *from = (FromExpr *) jointree;

		add_filters(from->quals, filters);
		foreach(lc, from->fromlist)
			find_filters(lfirst(lc), filters);
	}
	else if (IsA(jointree, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) jointree;

		if (join->jointype == JOIN_FULL || join->jointype == JOIN_RIGHT)
			return;
		find_filters(join->larg, filters);
		if (join->jointype != JOIN_INNER)
			return;
		find_filters(join->rarg, filters);
		add_filters(join->quals, filters);
	}
}

/* Rows of a parent at the last ANALYZE, because it has no file to measure. */
static double
analyzed_rows(Oid table)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	double		rows = UNKNOWN_ROWS;

	if (!HeapTupleIsValid(tuple))
		return rows;
	if (((Form_pg_class) GETSTRUCT(tuple))->reltuples >= 0.0)
		rows = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	return rows;
}

/*
 * Rows as core estimates them for its plans.  The table is already locked.  On
 * a standby, unlogged tables have no pages; core will raise the error.
 */
static double
stored_rows(Oid table)
{
	Relation	rel = table_open(table, NoLock);
	BlockNumber pages;
	double		rows = UNKNOWN_ROWS;
	double		all_visible;

	if (RelationIsPermanent(rel) || !RecoveryInProgress())
		estimate_rel_size(rel, NULL, &pages, &rows, &all_visible);
	table_close(rel, NoLock);
	return rows;
}

/*
 * Uses a separate PlannerInfo, because the level's own gets its tables later
 * and must not find any.
 */
static double
estimated_rows(PlannerInfo *level, int table)
{
	const RangeTblEntry *rte = rt_fetch(table, level->parse->rtable);
	TableFilters filters = {.table = table};
	PlannerInfo *apart = makeNode(PlannerInfo);
	RelOptInfo *rel = makeNode(RelOptInfo);

	apart->parse = level->parse;
	apart->glob = level->glob;
	apart->query_level = level->query_level;
	apart->parent_root = level->parent_root;
	apart->planner_cxt = level->planner_cxt;
	setup_simple_rel_arrays(apart);
	apart->simple_rel_array[table] = rel;
	rel->reloptkind = RELOPT_BASEREL;
	rel->relid = table;
	rel->relids = bms_make_singleton(table);
	rel->rtekind = RTE_RELATION;
	rel->tuples = rte->inh ? analyzed_rows(rte->relid) :
		stored_rows(rte->relid);
	find_filters((Node *) level->parse->jointree, &filters);
	return rel->tuples * clauselist_selectivity(apart, filters.found, 0,
												JOIN_INNER, NULL);
}

/* Does it return one row of aggregates? */
static bool
is_single_row(const Query *query)
{
	return query->hasAggs && query->groupClause == NIL &&
		query->groupingSets == NIL && !query->hasTargetSRFs;
}

/* Rows of a table of a level that is being planned. */
static double
rows_of_table(PlannerInfo *level, int table)
{
	const RangeTblEntry *rte = rt_fetch(table, level->parse->rtable);
	const RelOptInfo *rel = table < level->simple_rel_array_size ?
		level->simple_rel_array[table] : NULL;

	if (rel != NULL && rel->rows > 0.0)
		return rel->rows;
	switch (rte->rtekind)
	{
		case RTE_RELATION:

			/*
			 * not the excluded row of ON CONFLICT, nor a view with a trigger
			 */
			return RELKIND_HAS_TABLE_AM(rte->relkind) || rte->inh ?
				estimated_rows(level, table) : UNKNOWN_ROWS;
		case RTE_VALUES:
			return list_length(rte->values_lists);
		case RTE_SUBQUERY:
			return is_single_row(rte->subquery) ? 1.0 : UNKNOWN_ROWS;
		default:
			return UNKNOWN_ROWS;
	}
}

/*
 * Rows of a level for which a subquery with these parameters is executed:
 * those of the largest table.
 */
static double
rows_of_params(PlannerInfo *level)
{
	double		rows = 1.0;
	ListCell   *lc;

	foreach(lc, level->plan_params)
	{
		Node	   *item = ((PlannerParamItem *) lfirst(lc))->item;
		Relids		tables;
		int			table = -1;

		if (IsA(item, Aggref) && is_single_row(level->parse))
			continue;
		tables = pull_varnos(level, item);
		while ((table = bms_next_member(tables, table)) >= 0)
			if (rt_fetch(table, level->parse->rtable)->rtekind != RTE_JOIN)
				rows = Max(rows, rows_of_table(level, table));
	}
	return rows;
}

/* An expression_tree_walker that searches for one of these parameters. */
static bool
has_param(Node *node, List *plan_params)
{
	ListCell   *lc;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, has_param, plan_params, 0);
	if (!IsA(node, Param))
		return expression_tree_walker(node, has_param, plan_params);
	foreach(lc, plan_params)
		if (((Param *) node)->paramkind == PARAM_EXEC &&
			((Param *) node)->paramid ==
			((PlannerParamItem *) lfirst(lc))->paramId)
			return true;
	return false;
}

/*
 * While a level is planned, the outer level's plan_params has only the values
 * passed to this level.  However, the plan_params of levels further out
 * include those of all subqueries in the level between, so we search the query
 * for them. A subquery in FROM is executed with the level that contains it.  A
 * subquery in an expression that needs no values of that level is executed
 * once and cached.
 */
static double
count_runs(PlannerInfo *root)
{
	PlannerInfo *outer = root->parent_root;

	if (outer->plan_params != NIL)
		return rows_of_params(outer) * ssdpar_level_runs(outer);
	if (outer->simple_rel_array != NULL)
		return ssdpar_level_runs(outer);
	while ((outer = outer->parent_root) != NULL)
		if (has_param((Node *) root->parse, outer->plan_params))
			return rows_of_params(outer) * ssdpar_level_runs(outer);
	return 1.0;
}

/*
 * Caches the last level, because it is requested for each table, and there may
 * be thousands of partitions.
 */
double
ssdpar_level_runs(PlannerInfo *root)
{
	if (root->parent_root == NULL)
		return 1.0;
	if (root != counted_level)
	{
		double		runs = count_runs(root);

		counted_level = root;
		counted_runs = runs;
	}
	return counted_runs;
}

void
ssdpar_level_runs_forget(void)
{
	counted_level = NULL;
}
