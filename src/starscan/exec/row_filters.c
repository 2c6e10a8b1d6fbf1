/*
 * row_filters.c
 *		The tests that the fact's rows must pass, in the cheapest order.
 *
 * A filter extracts its key columns from the row and looks up their code in
 * the reducer's key set.  Tests that can be applied to all rows of a page at
 * once are in page_filters.c.  The others are here: keys of other types, of
 * several columns, or after columns of variable length, which are extracted
 * from a slot.
 */
#include "postgres.h"

#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "keys/key_code.h"
#include "starscan/exec/filter_order.h"
#include "starscan/exec/row_filters.h"

typedef struct SlotFilter
{
	SsdparFilter filter;		/* must be first */
	SsdparKeyCoder *coder;
	SsdparIntegerType integer;	/* of the only column, if it is int4 or int8
								 * and therefore extracted here; else not
								 * integer */
	const SsdparKeySet *set;
} SlotFilter;

/* The filter of each reducer is in one of the two, or omitted. */
struct SsdparRowFilters
{
	SsdparPageFilters *page;
	SsdparFilterOrder order;	/* of the filters below */
	SlotFilter *filters;
};

/*
 * Most keys are int4 or int8, for which the call to the coder can be avoided.
 * The compared type matters here: an int4 may be compared as an oid.
 */
static SsdparIntegerType
simple_integer(const SsdparJoinKey *key)
{
	SsdparIntegerType sides[2];

	if (!ssdpar_key_code_is_exact(key))
		return SSDPAR_NOT_INTEGER;
	(void) ssdpar_integer_strategy(key->operators[0], sides);
	return sides[0] == SSDPAR_INT32 || sides[0] == SSDPAR_INT64 ? sides[0]
		: SSDPAR_NOT_INTEGER;
}

static void
add_slot_filter(SsdparRowFilters *filters, const SsdparReducer *reducer,
				const SsdparKeySet *set, SsdparFilterCount *count)
{
	SlotFilter *slot_filter = &filters->filters[filters->order.nall];
	SsdparFilter *filter = &slot_filter->filter;
	const SsdparJoinKey *key = &reducer->key;

	for (int i = 0; i < key->ncolumns; i++)
		filter->last_column = Max(filter->last_column,
								  key->target_columns[i]);
	slot_filter->integer = simple_integer(key);
	slot_filter->coder = ssdpar_key_coder(key, SSDPAR_SIDE_TARGET);
	slot_filter->set = set;
	filter->cost = ssdpar_set_cost(set);
	if (!ssdpar_key_code_is_exact(key))
		filter->cost += SSDPAR_COST_HASHED_CODE;
	filter->kept = reducer->selectivity;
	filter->count = count;
	ssdpar_filter_order_add(&filters->order, filter);
}

/* Ranges that the page filters do not support are left to the node's qual. */
static void
add_ranges(SsdparRowFilters *filters, List *ranges)
{
	ListCell   *lc;

	foreach(lc, ranges)
		(void) ssdpar_page_filters_add_range(filters->page, lfirst(lc));
}

SsdparRowFilters *
ssdpar_row_filters_create(const SsdparStarPlan *plan,
						  const SsdparStarData *data, ScanState *ss,
						  List *ranges, bool skip_exact,
						  SsdparFilterCount *counts)
{
	SsdparRowFilters *filters = palloc0_object(SsdparRowFilters);
	int			n = plan->nreducers;

	filters->page =
		ssdpar_page_filters_create(RelationGetDescr(ss->ss_currentRelation),
								   ss, n + list_length(ranges));
	filters->filters = palloc0(n * sizeof(SlotFilter));
	ssdpar_filter_order_init(&filters->order, n);
	for (int i = 0; i < n; i++)
	{
		const SsdparReducerResult *result = &data->result->reducers[i];

		if (plan->reducers[i].target != SSDPAR_TARGET_FACT ||
			data->sets[i] == NULL ||
			(skip_exact && result->by_index && result->exact))
			continue;
		if (!ssdpar_page_filters_add_keys(filters->page, &plan->reducers[i],
										  data->sets[i], &counts[i]))
			add_slot_filter(filters, &plan->reducers[i], data->sets[i],
							&counts[i]);
	}
	add_ranges(filters, ranges);
	return filters;
}

SsdparPageFilters *
ssdpar_row_filters_of_page(SsdparRowFilters *filters)
{
	return filters->page;
}

void
ssdpar_row_filters_flush(SsdparRowFilters *filters)
{
	ssdpar_page_filters_flush(filters->page);
	ssdpar_filter_order_flush(&filters->order);
}

/* Computes the code of the row's key; false if it is NULL. */
static inline bool
code_slot(const SlotFilter *filter, TupleTableSlot *slot, uint64 *code)
{
	int			i = filter->filter.last_column - 1;

	if (filter->integer == SSDPAR_NOT_INTEGER)
		return ssdpar_key_code(filter->coder, slot, code);
	slot_getsomeattrs(slot, filter->filter.last_column);
	if (slot->tts_isnull[i])
		return false;
	*code = (uint64) ssdpar_integer_value(filter->integer,
										  slot->tts_values[i]);
	return true;
}

/* The node's qual may already have extracted some of the columns. */
bool
ssdpar_row_filters_pass(SsdparRowFilters *filters, TupleTableSlot *slot)
{
	SsdparFilterOrder *order = &filters->order;

	if (order->nall == 0)
		return true;
	if (order->rows_left-- <= 0)
		ssdpar_filter_order_begin_round(order, slot->tts_nvalid);
	for (int i = 0; i < order->nfilters; i++)
	{
		SlotFilter *filter = (SlotFilter *) order->filters[i];
		uint64		code;

		filter->filter.rows++;
		if (!code_slot(filter, slot, &code) ||
			!ssdpar_key_set_has(filter->set, code))
		{
			filter->filter.dropped++;
			return false;
		}
	}
	return true;
}
