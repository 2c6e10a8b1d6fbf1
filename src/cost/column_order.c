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
