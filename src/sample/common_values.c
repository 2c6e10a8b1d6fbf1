/*
 * common_values.c
 *		A column's most common values, by its statistics.
 *
 * The statistics have the most common value first.  The rows of one are its
 * frequency, which is that of the last ANALYZE, by the rows that the table has
 * now.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "sample/common_values.h"

static int
compare_values(const void *a, const void *b, void *order)
{
	return ssdpar_compare_key_values(order,
									 &((const SsdparCommonValue *) a)->key,
									 &((const SsdparCommonValue *) b)->key);
}

static void
take_values(const SsdparSampleTable *table, AttrNumber column,
			const AttStatsSlot *slot, int most, SsdparCommonValues *common)
{
	Form_pg_attribute attribute =
		TupleDescAttr(RelationGetDescr(table->heap), column - 1);
	SsdparIntegerType type = common->order.type;

	common->values = palloc_array(SsdparCommonValue, Max(slot->nvalues, 1));
	common->nvalues = Min(Min(slot->nvalues, slot->nnumbers), most);
	for (int i = 0; i < common->nvalues; i++)
	{
		SsdparCommonValue *value = &common->values[i];

		value->key.value = datumCopy(slot->values[i], attribute->attbyval,
									 attribute->attlen);
		value->key.integer = type == SSDPAR_NOT_INTEGER ? 0 :
			ssdpar_integer_value(type, slot->values[i]);
		value->rows = slot->numbers[i] * table->tuples;
		value->chosen = false;
	}
	qsort_arg(common->values, common->nvalues, sizeof(SsdparCommonValue),
			  compare_values, &common->order);
}

void
ssdpar_common_values(const SsdparSampleTable *table, AttrNumber column,
					 const SsdparKeyOrder *order, int most,
					 SsdparCommonValues *common)
{
	HeapTuple	tuple =
		SearchSysCache3(STATRELATTINH,
						ObjectIdGetDatum(RelationGetRelid(table->heap)),
						Int16GetDatum(column), BoolGetDatum(false));
	AttStatsSlot slot;

	common->order = *order;
	common->nvalues = 0;
	common->values = NULL;
	if (!HeapTupleIsValid(tuple))
		return;
	if (get_attstatsslot(&slot, tuple, STATISTIC_KIND_MCV, InvalidOid,
						 ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
	{
		take_values(table, column, &slot, most, common);
		free_attstatsslot(&slot);
	}
	ReleaseSysCache(tuple);
}
