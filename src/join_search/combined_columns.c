/*
 * combined_columns.c
 *		Columns of one table that a query level groups by, whose combinations
 *		are worth counting, and what was found.
 *
 * Core multiplies the distinct values of the columns, and takes no more than a
 * tenth of the table's rows for the result: too few where nearly each row is a
 * group of its own, too many where one column tells of another.
 */
#include "postgres.h"

#include "catalog/pg_statistic_ext.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"

#include "base/compat.h"
#include "base/grouping.h"
#include "join_search/combined_columns.h"
#include "join_search/distinct_columns.h"
#include "join_search/passes.h"
#include "join_search/report.h"
#include "rowcount/known_distinct.h"
#include "sample/combinations.h"

/* Whoever asks of one has all compared with each other; few group by more. */
#define MOST_EXPRESSIONS 32

static Node *
strip(Node *expr)
{
	while (IsA(expr, RelabelType))
		expr = (Node *) ((RelabelType *) expr)->arg;
	return expr;
}

static Node *
grouped_expr(const PlannerInfo *root, SortGroupClause * clause)
{
	return strip(get_sortgroupclause_expr(clause, root->processed_tlist));
}

static Oid
table_of(const PlannerInfo *root, const RelOptInfo *rel)
{
	return root->simple_rte_array[rel->relid]->relid;
}

/* Does an equality tell the values of one by those of others? */
static bool
are_told(const EquivalenceClass * equal, List *exprs)
{
	int			members = 0;
	ListCell   *lc;

	foreach(lc, equal->ec_members)
	{
		const		EquivalenceMember *member = lfirst(lc);

		members += list_member(exprs, strip((Node *) member->em_expr));
	}
	return members > 1 || (members == 1 && equal->ec_has_const);
}

/* Of what is known to be equal core counts one alone. */
static bool
is_any_told(const PlannerInfo *root, List *exprs)
{
	ListCell   *lc;

	foreach(lc, root->eq_classes)
	{
		if (are_told(lfirst(lc), exprs))
			return true;
	}
	return false;
}

static bool
is_column_of(const Node *expr, int relid)
{
	const Var  *var = (const Var *) expr;

	return IsA(expr, Var) && var->varno == relid && var->varlevelsup == 0 &&
		var->varattno > 0;
}

Bitmapset *
ssdpar_combined_columns(PlannerInfo *root, Index relid)
{
	List	   *clauses = ssdpar_grouping_clauses(root);
	List	   *exprs = NIL;
	Bitmapset  *columns = NULL;
	ListCell   *lc;

	if (list_length(clauses) > MOST_EXPRESSIONS)
		return NULL;
	foreach(lc, clauses)
	{
		Node	   *expr = grouped_expr(root, lfirst(lc));

		exprs = list_append_unique(exprs, expr);
		if (is_column_of(expr, relid))
			columns = bms_add_member(columns, ((Var *) expr)->varattno);
	}
	return bms_membership(columns) == BMS_MULTIPLE &&
		!is_any_told(root, exprs) ? columns : NULL;
}

/* Then core knows, of some of them at least: the user has asked for that. */
static bool
has_statistics(const RelOptInfo *rel, const Bitmapset * columns)
{
	ListCell   *lc;

	foreach(lc, rel->statlist)
	{
		const		StatisticExtInfo *statistics = lfirst(lc);

		if (statistics->kind == STATS_EXT_NDISTINCT &&
			bms_membership(bms_intersect(statistics->keys, columns)) ==
			BMS_MULTIPLE)
			return true;
	}
	return false;
}

/* The groups by all rows of the table, as core counts them. */
static double
assumed_combinations(PlannerInfo *root, SsdparCombination *combination)
{
	RelOptInfo *rel = combination->rel;
	double		filtered = rel->rows;
	double		assumed;

	rel->rows = rel->tuples;
	assumed = estimate_num_groups(root, combination->vars, rel->tuples, NULL,
								  NULL);
	rel->rows = filtered;
	return assumed;
}

static void
add_columns(PlannerInfo *root, SsdparCombination *combination)
{
	ListCell   *lc;

	foreach(lc, ssdpar_grouping_clauses(root))
	{
		SortGroupClause *clause = lfirst(lc);
		Node	   *expr = grouped_expr(root, clause);

		if (!is_column_of(expr, combination->rel->relid) ||
			list_member(combination->vars, expr))
			continue;
		combination->vars = lappend(combination->vars, expr);
		combination->equals = lappend_oid(combination->equals, clause->eqop);
	}
}

/*
 * As with one column (distinct_columns.c): not where core is sure of one of
 * them, knows nothing, or expects so few combinations that it has seen them.
 */
static bool
may_be_wrong(PlannerInfo *root, const SsdparCombination *combination)
{
	double		most = 1.0;
	ListCell   *lc;

	foreach(lc, combination->vars)
		most *= ssdpar_assumed_distinct(root, lfirst(lc));
	return most > 0.0 &&
		ssdpar_has_few_rows_of_value(combination->rel, most);
}

static SsdparCombination *
find_combination(PlannerInfo *root, RelOptInfo *rel, double least_rows)
{
	Bitmapset  *columns = ssdpar_combined_columns(root, rel->relid);
	SsdparCombination *combination = palloc0_object(SsdparCombination);

	combination->rel = rel;
	if (columns == NULL || rel->rows < least_rows)
		return NULL;
	add_columns(root, combination);
	if (ssdpar_large_table_of(root, linitial(combination->vars)) == NULL ||
		ssdpar_are_combinations_measured(table_of(root, rel), columns) ||
		has_statistics(rel, columns) || !may_be_wrong(root, combination))
		return NULL;
	combination->assumed = assumed_combinations(root, combination);
	return combination;
}

static List *
find_combinations(PlannerInfo *root, double least_rows)
{
	List	   *combinations = NIL;

	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];
		SsdparCombination *combination = rel == NULL ? NULL :
			find_combination(root, rel, least_rows);

		if (combination != NULL)
			combinations = lappend(combinations, combination);
	}
	return combinations;
}

static AttrNumber
find_most(PlannerInfo *root, List *vars)
{
	AttrNumber	column = InvalidAttrNumber;
	double		most = 0.0;
	ListCell   *lc;

	foreach(lc, vars)
	{
		Var		   *var = lfirst(lc);
		double		distinct = ssdpar_assumed_distinct(root, var);

		if (distinct <= most)
			continue;
		most = distinct;
		column = var->varattno;
	}
	return column;
}

/* True if it is to be planned with. */
static bool
keep_combination(PlannerInfo *root, const SsdparCombination *combination)
{
	RelOptInfo *rel = combination->rel;
	bool		matters;

	if (combination->distinct <= 0.0)
		return false;
	ssdpar_report_distinct(root, combination->vars, combination->distinct,
						   combination->assumed);
	matters = ssdpar_distinct_matters(combination->distinct,
									  combination->error,
									  combination->assumed);
	ssdpar_know_combinations(table_of(root, rel),
							 ssdpar_combined_columns(root, rel->relid),
							 find_most(root, combination->vars),
							 matters ? combination->distinct : 0.0);
	return matters;
}

double
ssdpar_measure_combined(PlannerInfo *root, double least_rows,
						double budget_seconds)
{
	List	   *combinations = find_combinations(root, least_rows);
	SsdparMeasured measured;
	bool		any = false;
	bool		asked;
	ListCell   *lc;

	if (combinations == NIL)
		return 0.0;
	asked = ssdpar_measure_combinations(root, combinations, budget_seconds,
										&measured);
	ssdpar_passes_asked(&measured);
	if (!asked)
		return 0.0;
	ssdpar_report_measured(&measured);
	foreach(lc, combinations)
		any |= keep_combination(root, lfirst(lc));
	ssdpar_passes_measured(any);
	return measured.milliseconds / 1000.0;
}
