/*
 * column_order.c
 *		How far a table's rows lie in the order of a column.
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

double
ssdpar_expression_order(PlannerInfo *root, const Node *expr)
{
	const RangeTblEntry *rte;
	const Var  *column = (const Var *) expr;

	while (expr != NULL && IsA(expr, RelabelType))
	{
		expr = (const Node *) ((const RelabelType *) expr)->arg;
		column = (const Var *) expr;
	}
	if (expr == NULL || !IsA(expr, Var) || column->varlevelsup > 0)
		return 0;
	rte = root->simple_rte_array[column->varno];
	return rte->rtekind == RTE_RELATION ?
		ssdpar_column_order(rte->relid, column->varattno) : 0;
}
