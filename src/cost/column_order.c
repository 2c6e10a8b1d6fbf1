/*
 * column_order.c
 *		Determines how well the order of a table's rows follows a column.
 */
#include "postgres.h"

#include "catalog/pg_statistic.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "cost/column_order.h"

double
ssdpar_column_order(Oid table, AttrNumber column)
{
	HeapTuple	tuple = SearchSysCache3(STATRELATTINH,
										ObjectIdGetDatum(table),
										Int16GetDatum(column),
										BoolGetDatum(false));
	AttStatsSlot slot;
	double		correlation = 0;

	if (!HeapTupleIsValid(tuple))
		return 0;
	if (get_attstatsslot(&slot, tuple, STATISTIC_KIND_CORRELATION, InvalidOid,
						 ATTSTATSSLOT_NUMBERS))
	{
		if (slot.nnumbers == 1)
			correlation = slot.numbers[0];
		free_attstatsslot(&slot);
	}
	ReleaseSysCache(tuple);
	return correlation * correlation;
}

/* The table column that an expression consists of, or NULL. */
static const Var *
column_of(PlannerInfo *root, const Node *expr)
{
	const Var  *column;

	while (expr != NULL && IsA(expr, RelabelType))
		expr = (const Node *) ((const RelabelType *) expr)->arg;
	if (expr == NULL || !IsA(expr, Var))
		return NULL;
	column = (const Var *) expr;
	return column->varlevelsup == 0 &&
		root->simple_rte_array[column->varno]->rtekind == RTE_RELATION ?
		column : NULL;
}

double
ssdpar_expression_order(PlannerInfo *root, const Node *expr)
{
	const Var  *column = column_of(root, expr);

	return column == NULL ? 0 :
		ssdpar_column_order(root->simple_rte_array[column->varno]->relid,
							column->varattno);
}

bool
ssdpar_is_column_of_twin(PlannerInfo *root, const Node *expr,
						 const RelOptInfo *rel, AttrNumber column)
{
	const Var  *twin = column_of(root, expr);

	return twin != NULL && twin->varno != (int) rel->relid &&
		twin->varattno == column &&
		root->simple_rte_array[twin->varno]->relid ==
		root->simple_rte_array[rel->relid]->relid;
}
