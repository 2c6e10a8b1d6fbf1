/*
 * distinct_columns.c
 *		Columns whose distinct values are worth measuring, and what was found.
 *
 * Which columns a query groups or joins by is for others to say.  Here it is
 * told of one whether its number may be wrong, and afterwards whether it was by
 * so much that core is to plan with another.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "utils/selfuncs.h"

#include "base/compat.h"
#include "base/plain_table.h"
#include "cost/large_table.h"
#include "join_search/distinct_columns.h"
#include "join_search/passes.h"
#include "join_search/report.h"
#include "rowcount/known_distinct.h"
#include "star/access.h"
#include "sample/distinct_values.h"

/*
 * Rows of a value, as core assumes: values with more are in the sample of
 * ANALYZE often enough, and long to count.
 */
#define MOST_ROWS_OF_VALUE 1000.0

double
ssdpar_assumed_distinct(PlannerInfo *root, Var *var)
{
	VariableStatData stats;
	double		distinct = 0.0;
	bool		is_default;

	examine_variable(root, (Node *) var, 0, &stats);
	if (HeapTupleIsValid(stats.statsTuple) && !stats.isunique &&
		((Form_pg_statistic) GETSTRUCT(stats.statsTuple))->stadistinct != -1.0)
		distinct = get_variable_numdistinct(&stats, &is_default);
	ReleaseVariableStats(stats);
	return distinct;
}

RelOptInfo *
ssdpar_large_table_of(PlannerInfo *root, const Var *var)
{
	RelOptInfo *rel;

	if (!IsA(var, Var) || var->varlevelsup > 0 || var->varattno <= 0 ||
		var->varno <= 0 || var->varno >= root->simple_rel_array_size)
		return NULL;
	rel = root->simple_rel_array[var->varno];
	return rel != NULL && rel->reloptkind == RELOPT_BASEREL &&
		ssdpar_is_plain_table(root, rel) &&
		ssdpar_is_large_table(rel->reltablespace, rel->pages) &&
		ssdpar_sample_allowed(root, rel) ? rel : NULL;
}

bool
ssdpar_has_few_rows_of_value(const RelOptInfo *rel, double distinct)
{
	return distinct * MOST_ROWS_OF_VALUE >= rel->tuples;
}

static Oid
table_of(PlannerInfo *root, const SsdparDistinctColumn *column)
{
	return root->simple_rte_array[column->rel->relid]->relid;
}

/* A table that is joined with itself is asked once. */
static bool
is_asked(PlannerInfo *root, List *columns, const SsdparDistinctColumn *one)
{
	Oid			table = table_of(root, one);
	ListCell   *lc;

	foreach(lc, columns)
	{
		const SsdparDistinctColumn *column = lfirst(lc);

		if (table_of(root, column) == table &&
			column->var->varattno == one->var->varattno)
			return true;
	}
	return ssdpar_is_distinct_measured(table, one->var->varattno);
}

List *
ssdpar_add_distinct_column(PlannerInfo *root, List *columns, Node *expr,
						   Oid equal, double least_rows)
{
	SsdparDistinctColumn *column = palloc0_object(SsdparDistinctColumn);

	while (IsA(expr, RelabelType))
		expr = (Node *) ((RelabelType *) expr)->arg;
	column->var = (Var *) expr;
	column->rel = ssdpar_large_table_of(root, column->var);
	column->equal = equal;
	if (column->rel == NULL || column->rel->rows < least_rows ||
		is_asked(root, columns, column))
		return columns;
	column->assumed = ssdpar_assumed_distinct(root, column->var);
	if (!ssdpar_has_few_rows_of_value(column->rel, column->assumed))
		return columns;
	return lappend(columns, column);
}

bool
ssdpar_distinct_matters(double distinct, double error, double assumed)
{
	return fabs(distinct - assumed) > SSDPAR_DISTINCT_ERRORS * error &&
		(distinct > assumed * SSDPAR_DISTINCT_FACTOR ||
		 distinct * SSDPAR_DISTINCT_FACTOR < assumed);
}

static bool
matters(const SsdparDistinctColumn *column)
{
	return ssdpar_distinct_matters(column->distinct, column->error,
								   column->assumed);
}

/* True if any of them is to be planned with. */
static bool
keep_columns(PlannerInfo *root, List *columns)
{
	bool		any = false;
	ListCell   *lc;

	foreach(lc, columns)
	{
		const SsdparDistinctColumn *column = lfirst(lc);

		if (column->distinct <= 0.0)
			continue;
		ssdpar_report_distinct(root, list_make1(column->var),
							   column->distinct, column->assumed);
		any |= matters(column);
		ssdpar_know_distinct(table_of(root, column), column->var->varattno,
							 matters(column) ? column->distinct : 0.0);
	}
	return any;
}

bool
ssdpar_keep_distinct(PlannerInfo *root, List *columns)
{
	List	   *unsure = NIL;
	ListCell   *lc;

	foreach(lc, columns)
	{
		SsdparDistinctColumn *column = lfirst(lc);

		if (is_asked(root, unsure, column))
			continue;
		column->assumed = ssdpar_assumed_distinct(root, column->var);
		if (column->assumed > 0.0)
			unsure = lappend(unsure, column);
	}
	return keep_columns(root, unsure);
}

double
ssdpar_measure_columns(PlannerInfo *root, List *columns,
					   double budget_seconds)
{
	SsdparMeasured measured;
	bool		asked;

	if (columns == NIL)
		return 0.0;
	asked = ssdpar_measure_distinct(root, columns, budget_seconds, &measured);
	ssdpar_passes_asked(&measured);
	if (!asked)
		return 0.0;
	ssdpar_report_measured(&measured);
	ssdpar_passes_measured(keep_columns(root, columns));
	return measured.milliseconds / 1000.0;
}
