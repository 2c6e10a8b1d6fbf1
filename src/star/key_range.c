/*
 * key_range.c
 *		Estimates how many rows of a target a dimension keeps if its keys
 *		cover a wider range than the target's.
 *
 * Suppose that a calendar has 200 years and the fact has five.  If a filter
 * selects one year, core assumes that it is one of 200 and expects a half
 * percent of the fact's rows, although it is one of five.  Queries usually ask
 * for existing data.  So we assume that the keys selected by the filter lie in
 * the range of the target's values.  The target's statistics give that range,
 * and the dimension's histogram gives the number of its keys in the range.
 *
 * This applies only to types that are stored as integers, such as dates, which
 * is sufficient for calendars.  Comparisons of these types are leakproof, so
 * we may use the statistics of columns that the user cannot read, as core
 * does.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "keys/key_code.h"
#include "star/key_range.h"

/*
 * If more than this share of the keys is in the range, the difference is
 * within the error of the statistics.
 */
#define MOST_KEYS 0.8

typedef struct KeyRange
{
	int64		low;
	int64		high;			/* less than low: unknown */
} KeyRange;

/* Extends the range to the values that the statistics have of one kind.  */
static void
widen_range(const VariableStatData *variable, int kind, KeyRange *range)
{
	SsdparIntegerType type = ssdpar_integer_type(variable->vartype);
	AttStatsSlot slot;

	if (!get_attstatsslot(&slot, variable->statsTuple, kind, InvalidOid,
						  ATTSTATSSLOT_VALUES))
		return;
	for (int i = 0; i < slot.nvalues; i++)
	{
		int64		value = ssdpar_integer_value(type, slot.values[i]);

		range->low = Min(range->low, value);
		range->high = Max(range->high, value);
	}
	free_attstatsslot(&slot);
}

/* Returns how many of the histogram's n bins are below value.  */
static double
bins_below(SsdparIntegerType type, const Datum *bounds, int n, double value)
{
	for (int i = 0; i < n; i++)
	{
		double		low = ssdpar_integer_value(type, bounds[i]);
		double		high = ssdpar_integer_value(type, bounds[i + 1]);

		if (value <= low)
			return i;
		if (value < high)
			return i + (value - low) / (high - low);
	}
	return n;
}

/*
 * Returns the share of the column's values in range according to its
 * histogram; 1 if it has none.
 */
static double
share_in_range(const VariableStatData *variable, const KeyRange *range)
{
	SsdparIntegerType type = ssdpar_integer_type(variable->vartype);
	AttStatsSlot slot;
	double		share = 1.0;

	if (!get_attstatsslot(&slot, variable->statsTuple,
						  STATISTIC_KIND_HISTOGRAM, InvalidOid,
						  ATTSTATSSLOT_VALUES))
		return share;
	if (slot.nvalues > 1)
	{
		int			bins = slot.nvalues - 1;

		share = (bins_below(type, slot.values, bins, range->high + 1.0) -
				 bins_below(type, slot.values, bins, range->low)) / bins;
	}
	free_attstatsslot(&slot);
	return share;
}

static double
share_of_target(VariableStatData *target, VariableStatData *key, double keys)
{
	KeyRange	range = {.low = PG_INT64_MAX, .high = PG_INT64_MIN};
	double		target_keys;
	double		in_range;
	double		share;
	double		nulls;
	bool		guessed;

	widen_range(target, STATISTIC_KIND_HISTOGRAM, &range);
	widen_range(target, STATISTIC_KIND_MCV, &range);
	if (range.low > range.high)
		return 0.0;
	share = share_in_range(key, &range);
	in_range = share * get_variable_numdistinct(key, &guessed);
	if (guessed || share > MOST_KEYS || in_range < 1.0)
		return 0.0;
	target_keys = get_variable_numdistinct(target, &guessed);
	nulls = ((Form_pg_statistic) GETSTRUCT(target->statsTuple))->stanullfrac;
	return (1.0 - nulls) * Min(keys, in_range) / Max(target_keys, in_range);
}

double
ssdpar_share_in_key_range(PlannerInfo *root, Var *target, Var *key,
						  Oid operator, double keys)
{
	const SsdparJoinKey columns = {.ncolumns = 1, .operators = {operator}};
	VariableStatData target_variable;
	VariableStatData key_variable;
	double		share = 0.0;

	if (!ssdpar_key_code_is_exact(&columns))
		return 0.0;
	examine_variable(root, (Node *) target, 0, &target_variable);
	examine_variable(root, (Node *) key, 0, &key_variable);
	if (HeapTupleIsValid(target_variable.statsTuple) &&
		HeapTupleIsValid(key_variable.statsTuple) &&
		ssdpar_integer_type(target_variable.vartype) != SSDPAR_NOT_INTEGER &&
		ssdpar_integer_type(key_variable.vartype) != SSDPAR_NOT_INTEGER)
		share = share_of_target(&target_variable, &key_variable, keys);
	ReleaseVariableStats(target_variable);
	ReleaseVariableStats(key_variable);
	return share;
}
