/*
 * measure_groups.c
 *		Measures the distinct values of what a query level groups by.
 *
 * They make the number of groups, and by it the size of hash tables, whether
 * these fit into memory, and the rows of what is joined with the groups.  One
 * look takes milliseconds, so what it may take goes by the time that the level
 * is predicted to take, however wrong that may be.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"

#include "base/compat.h"
#include "base/notes.h"
#include "base/plain_table.h"
#include "base/settings.h"
#include "join_search/fetched_cost.h"
#include "join_search/measure_groups.h"
#include "join_search/passes.h"
#include "join_search/report.h"
#include "rowcount/known_distinct.h"
#include "sample/access.h"
#include "sample/distinct_values.h"

/* Columns of a level, the first ones. */
#define MOST_COLUMNS 4

/* So few rows make few groups, whatever is in them. */
#define LEAST_ROWS 1000.0

/*
 * Rows of a value, as core assumes: values with more are in the sample of
 * ANALYZE often enough, and long to count.
 */
#define MOST_ROWS_OF_VALUE 1000.0

/* Core's number stays unless it is off by so much, and that is sure. */
#define MIN_FACTOR 1.5
#define MIN_ERRORS 2.0

static double
predict_seconds(const PlannerInfo *root, const RelOptInfo *final)
{
	Cost		cost = disable_cost;
	ListCell   *lc;

	foreach(lc, final->pathlist)
		cost = Min(cost, ssdpar_fetched_cost(root, lfirst(lc)));
	return cost < disable_cost ? cost * ssdpar_notes()->seconds_per_unit : 0.0;
}

/* What core takes for the number; 0: it knows none, or one that is sure. */
static double
assumed_distinct(PlannerInfo *root, Var *var)
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

/* The large table whose column this is, NULL if it is none. */
static RelOptInfo *
find_table(PlannerInfo *root, const Var *var)
{
	RelOptInfo *rel;

	if (!IsA(var, Var) || var->varlevelsup > 0 || var->varattno <= 0 ||
		var->varno <= 0 || var->varno >= root->simple_rel_array_size)
		return NULL;
	rel = root->simple_rel_array[var->varno];
	return rel != NULL && rel->reloptkind == RELOPT_BASEREL &&
		ssdpar_is_plain_table(root, rel) && rel->rows >= LEAST_ROWS &&
		rel->pages * (BLCKSZ / 1024.0) >= ssdpar_cost_model_min_size &&
		ssdpar_sample_allowed(root, rel) ? rel : NULL;
}

static bool
has_column(List *columns, const Var *var)
{
	ListCell   *lc;

	foreach(lc, columns)
	{
		const SsdparDistinctColumn *column = lfirst(lc);

		if (column->var->varno == var->varno &&
			column->var->varattno == var->varattno)
			return true;
	}
	return false;
}

/* What the clause groups by, if it is a column worth a look. */
static List *
add_column(PlannerInfo *root, List *columns, const SortGroupClause * clause)
{
	Node	   *node = get_sortgroupclause_expr((SortGroupClause *) clause,
												root->processed_tlist);
	SsdparDistinctColumn *column;

	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	column = palloc0_object(SsdparDistinctColumn);
	column->var = (Var *) node;
	column->rel = find_table(root, column->var);
	column->equal = clause->eqop;
	if (column->rel == NULL || has_column(columns, column->var))
		return columns;
	column->assumed = assumed_distinct(root, column->var);
	if (column->assumed * MOST_ROWS_OF_VALUE < column->rel->tuples)
		return columns;
	return lappend(columns, column);
}

static List *
find_columns(PlannerInfo *root)
{
	List	   *clauses = list_concat_copy(root->parse->groupClause,
										   root->parse->distinctClause);
	List	   *columns = NIL;
	ListCell   *lc;

	foreach(lc, clauses)
	{
		if (list_length(columns) < MOST_COLUMNS)
			columns = add_column(root, columns, lfirst(lc));
	}
	return columns;
}

static bool
matters(const SsdparDistinctColumn *column)
{
	double		distinct = column->distinct;
	double		assumed = column->assumed;

	return fabs(distinct - assumed) > MIN_ERRORS * column->error &&
		(distinct > assumed * MIN_FACTOR || distinct * MIN_FACTOR < assumed);
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
		ssdpar_report_distinct(root, column);
		if (!matters(column))
			continue;
		any = true;
		ssdpar_know_distinct(root->simple_rte_array[column->rel->relid]->relid,
							 column->var->varattno, column->distinct);
	}
	return any;
}

void
ssdpar_measure_groups(PlannerInfo *root, RelOptInfo *final)
{
	SsdparMeasured measured;
	double		predicted;
	double		budget;
	List	   *columns;

	if (root->parse->groupClause == NIL && root->parse->distinctClause == NIL)
		return;
	predicted = predict_seconds(root, final);
	budget = ssdpar_measuring_budget(predicted, predicted);
	if (budget <= 0.0 || !ssdpar_sample_possible(root))
		return;
	columns = find_columns(root);
	if (columns == NIL ||
		!ssdpar_measure_distinct(root, columns, budget, &measured))
		return;
	ssdpar_report_measured(&measured);
	ssdpar_passes_measured(measured.milliseconds / 1000.0,
						   keep_columns(root, columns));
}
