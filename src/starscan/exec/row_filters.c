/*
 * row_filters.c
 *		The tests that the fact's rows must pass, in the cheapest order.
 *
 * A filter takes its key columns out of the row and looks their code up in the
 * reducer's key set.  What is best tested first depends on the data: the
 * fraction dropped is measured over ROUND rows at a time, and after each round
 * the filters are ordered anew by cost per row dropped.  Columns lie in the
 * row one after another, so what a filter costs depends on how far the ones
 * before have come.
 *
 * Best of all are integers that lie at the same place in every row without
 * NULLs.  Such a filter looks at the row as the page holds it (raw), before a
 * tuple is made of it for the executor and before the node's own filter.  That
 * the node's filter has not been asked yet gives nothing away to a user who
 * may not see the row: nothing but our own code reads the key, and it neither
 * fails nor tells.
 *
 * A filter that drops next to nothing is put off for PUT_OFF rounds, then
 * tried again.  The joins above drop what it would have.
 */
#include "postgres.h"

#include "access/tupmacs.h"
#include "utils/lsyscache.h"

#include "base/compat.h"
#include "keys/key_code.h"
#include "starscan/exec/row_filters.h"

/*
 * Rows after which the order is considered: some tens of pages, so that
 * considering it does not count.
 */
#define ROUND 4096

/* Rows that a filter must have tested for its fraction to be believed. */
#define ENOUGH_ROWS (ROUND / 16)

/*
 * A filter that drops less than this is not worth its time: it takes about a
 * tenth of the instructions that a join takes to find no match.
 */
#define USEFUL_FRACTION 0.1

/* Rounds until it is tried again. */
#define PUT_OFF 32

/* Costs, the unit being to take one column out of a row (about 2 ns). */
#define COST_BIT_MAP 2.0
#define COST_HASH 5.0			/* a hash table or a Bloom filter */
#define COST_HASHED_CODE 8.0	/* to compute a code that is not a value */

typedef struct Filter
{
	SsdparKeyCoder *coder;
	SsdparIntegerType integer;	/* of the one column, if int4 or int8 and so
								 * taken out here; else not integer */
	const SsdparKeySet *set;
	AttrNumber	last_column;	/* how far it needs the row */
	bool		raw;			/* looks at rows as the page holds them ... */
	int			offset;			/* ... here if they have no NULLs */
	double		cost;			/* without taking out columns */
	double		kept;			/* fraction, estimated, later measured */
	SsdparFilterCount *count;	/* for EXPLAIN */
	uint32		rows;			/* since it was measured last */
	uint32		dropped;
	int			put_off;		/* rounds left without it */
	bool		ordered;		/* has its place; for arrange() */
} Filter;

/* Filters that are run, the best first. */
typedef struct Order
{
	int			nfilters;
	Filter	  **filters;
} Order;

/*
 * Invariant: each filter stands in at most one of the orders, in neither while
 * it is put off; in raw only if every row is shown there first (raw_first),
 * for no other place tests it then.
 */
struct SsdparRowFilters
{
	TupleDesc	row;			/* of the fact */
	bool		raw_first;		/* every row is shown raw before */
	Order		raw;			/* of rows as the page holds them */
	Order		slots;			/* of rows taken apart in a slot */
	int			nfilters;
	Filter	   *filters;
	uint32		rows_left;		/* of this round */
	AttrNumber	node_column;	/* how far the node's filter took rows apart */
};

/*
 * Most keys are int4 or int8; the coder's function call can be saved.  It is
 * the type that is compared that counts: an int4 may be compared as an oid.
 */
static SsdparIntegerType
simple_integer(const SsdparJoinKey *key)
{
	SsdparIntegerType type;
	Oid			target_type;
	Oid			key_type;

	if (!ssdpar_key_code_is_exact(key))
		return SSDPAR_NOT_INTEGER;
	op_input_types(key->operators[0], &target_type, &key_type);
	type = ssdpar_integer_type(target_type);
	return type == SSDPAR_INT32 || type == SSDPAR_INT64 ? type
		: SSDPAR_NOT_INTEGER;
}

/*
 * Where the column lies in rows without NULLs; -1 if that differs, as behind a
 * column of variable length.  The same sum as in heap_deform_tuple().
 */
static int
fixed_offset(TupleDesc row, AttrNumber column)
{
	int			offset = 0;

	for (int i = 0; i < column; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(row, i);

		if (attribute->attlen <= 0)
			return -1;
		offset = att_align_nominal(offset, attribute->attalign);
		if (i < column - 1)
			offset += attribute->attlen;
	}
	return offset;
}

static void
init_filter(Filter *filter, const SsdparReducer *reducer,
			const SsdparKeySet *set, TupleDesc row, bool raw,
			SsdparFilterCount *count)
{
	const SsdparJoinKey *key = &reducer->key;

	for (int i = 0; i < key->ncolumns; i++)
		filter->last_column = Max(filter->last_column,
								  key->target_columns[i]);
	filter->integer = simple_integer(key);
	filter->coder = ssdpar_key_coder(key, SSDPAR_SIDE_TARGET);
	filter->set = set;
	filter->offset = fixed_offset(row, filter->last_column);
	filter->raw = raw && filter->offset >= 0 &&
		filter->integer != SSDPAR_NOT_INTEGER;
	filter->cost = set->kind == SSDPAR_KEYS_BIT_MAP ? COST_BIT_MAP : COST_HASH;
	if (!ssdpar_key_code_is_exact(key))
		filter->cost += COST_HASHED_CODE;
	filter->kept = reducer->selectivity;
	filter->count = count;
}

/* Cost per row dropped, if rows are taken apart up to column already. */
static double
price(const Filter *filter, AttrNumber column)
{
	double		dropped = Max(1.0 - filter->kept, 1e-6);

	if (filter->raw)
		return (filter->cost + 1.0) / dropped;
	return (filter->cost + Max(filter->last_column - column, 0)) / dropped;
}

/* Raw filters, or the others: always the cheapest of those left goes next. */
static void
arrange_some(SsdparRowFilters *filters, bool raw, Order *order)
{
	AttrNumber	column = filters->node_column;

	order->nfilters = 0;
	for (;;)
	{
		Filter	   *best = NULL;

		for (int i = 0; i < filters->nfilters; i++)
		{
			Filter	   *filter = &filters->filters[i];

			if (filter->raw == raw && !filter->ordered &&
				filter->put_off == 0 &&
				(best == NULL || price(filter, column) < price(best, column)))
				best = filter;
		}
		if (best == NULL)
			break;
		best->ordered = true;
		order->filters[order->nfilters++] = best;
		column = Max(column, best->last_column);
	}
}

static void
arrange(SsdparRowFilters *filters)
{
	for (int i = 0; i < filters->nfilters; i++)
		filters->filters[i].ordered = false;
	arrange_some(filters, true, &filters->raw);
	arrange_some(filters, false, &filters->slots);
	Assert(filters->raw.nfilters == 0 || filters->raw_first);
	filters->rows_left = ROUND;
}

SsdparRowFilters *
ssdpar_row_filters_create(const SsdparStarPlan *plan,
						  const SsdparStarData *data, TupleDesc row, bool raw,
						  bool skip_exact, SsdparFilterCount *counts)
{
	SsdparRowFilters *filters = palloc0_object(SsdparRowFilters);
	int			n = plan->nreducers;

	filters->row = row;
	filters->raw_first = raw;
	filters->filters = palloc0(n * sizeof(Filter));
	filters->raw.filters = palloc0(n * sizeof(Filter *));
	filters->slots.filters = palloc0(n * sizeof(Filter *));
	for (int i = 0; i < n; i++)
	{
		const SsdparReducerResult *result = &data->result->reducers[i];

		if (plan->reducers[i].target != SSDPAR_TARGET_FACT ||
			data->sets[i] == NULL ||
			(skip_exact && result->by_index && result->exact))
			continue;
		init_filter(&filters->filters[filters->nfilters++],
					&plan->reducers[i], data->sets[i], row, raw, &counts[i]);
	}
	arrange(filters);
	return filters;
}

static void
flush_count(Filter *filter)
{
	filter->count->rows += filter->rows;
	filter->count->dropped += filter->dropped;
	filter->rows = 0;
	filter->dropped = 0;
}

void
ssdpar_row_filters_flush(SsdparRowFilters *filters)
{
	for (int i = 0; i < filters->nfilters; i++)
		flush_count(&filters->filters[i]);
}

/*
 * Take over what was measured and order the filters anew.  A filter that comes
 * late has tested only what others have left, which is what counts for it.
 */
static pg_noinline void
end_round(SsdparRowFilters *filters)
{
	for (int i = 0; i < filters->nfilters; i++)
	{
		Filter	   *filter = &filters->filters[i];

		if (filter->put_off > 0)
			filter->put_off--;
		else if (filter->rows >= ENOUGH_ROWS)
		{
			filter->kept = 1.0 - (double) filter->dropped / filter->rows;
			if (filter->kept > 1.0 - USEFUL_FRACTION)
				filter->put_off = PUT_OFF;
			flush_count(filter);
		}
	}
	arrange(filters);
}

static inline uint64
integer_code(const Filter *filter, Datum value)
{
	return (uint64) (filter->integer == SSDPAR_INT32 ?
					 (int64) DatumGetInt32(value) : DatumGetInt64(value));
}

/* The code of the row's key; false if it is NULL. */
static inline bool
code_slot(const Filter *filter, TupleTableSlot *slot, uint64 *code)
{
	int			i = filter->last_column - 1;

	if (filter->integer == SSDPAR_NOT_INTEGER)
		return ssdpar_key_code(filter->coder, slot, code);
	slot_getsomeattrs(slot, filter->last_column);
	if (slot->tts_isnull[i])
		return false;
	*code = integer_code(filter, slot->tts_values[i]);
	return true;
}

/*
 * By core's own look at the row, which serves every kind of it: one with
 * NULLs, or one that is older than the column and has its default.
 */
static pg_noinline bool
code_by_core(const SsdparRowFilters *filters, const Filter *filter,
			 HeapTupleHeader header, uint64 *code)
{
	HeapTupleData tuple = {.t_data = header};
	bool		is_null;
	Datum		value = heap_getattr(&tuple, filter->last_column,
									 filters->row, &is_null);

	if (!is_null)
		*code = integer_code(filter, value);
	return !is_null;
}

#ifdef USE_ASSERT_CHECKING

/* Does core find the same key in the row? */
static bool
core_agrees(const SsdparRowFilters *filters, const Filter *filter,
			HeapTupleHeader header, uint64 code)
{
	uint64		cores;

	return code_by_core(filters, filter, header, &cores) && cores == code;
}

#endif							/* USE_ASSERT_CHECKING */

/*
 * The same as code_slot of a row as the page holds it.  Without NULLs and with
 * all columns up to the filter's, the value lies where fixed_offset() says:
 * were that wrong, rows that match would be dropped, and no join above could
 * bring them back.
 */
static inline bool
code_raw(const SsdparRowFilters *filters, const Filter *filter,
		 HeapTupleHeader header, uint64 *code)
{
	const char *place = (char *) header + header->t_hoff + filter->offset;

	if (unlikely((header->t_infomask & HEAP_HASNULL) != 0 ||
				 HeapTupleHeaderGetNatts(header) < filter->last_column))
		return code_by_core(filters, filter, header, code);
	*code = filter->integer == SSDPAR_INT32 ?
		(uint64) (int64) *(const int32 *) place : *(const uint64 *) place;
	Assert(core_agrees(filters, filter, header, *code));
	return true;
}

/* For each row of a page: what a call takes would be as much as all else. */
static pg_attribute_always_inline bool
pass_raw(SsdparRowFilters *filters, HeapTupleHeader header)
{
	if (unlikely(filters->rows_left-- == 0))
		end_round(filters);
	for (int i = 0; i < filters->raw.nfilters; i++)
	{
		Filter	   *filter = filters->raw.filters[i];
		uint64		code;

		filter->rows++;
		if (!code_raw(filters, filter, header, &code) ||
			!ssdpar_key_set_has(filter->set, code))
		{
			filter->dropped++;
			return false;
		}
	}
	return true;
}

bool
ssdpar_row_filters_raw(SsdparRowFilters *filters, HeapTupleHeader header)
{
	return pass_raw(filters, header);
}

int
ssdpar_row_filters_skip(SsdparRowFilters *filters, Page page,
						const OffsetNumber *rows, int next, int nrows)
{
	for (; next < nrows; next++)
	{
		ItemId		item = PageGetItemId(page, rows[next]);

		if (pass_raw(filters, (HeapTupleHeader) PageGetItem(page, item)))
			break;
	}
	return next;
}

/* A round counts a row once: here only if the raw filter does not see it. */
bool
ssdpar_row_filters_pass(SsdparRowFilters *filters, TupleTableSlot *slot)
{
	filters->node_column = slot->tts_nvalid;
	if (!filters->raw_first && filters->rows_left-- == 0)
		end_round(filters);
	for (int i = 0; i < filters->slots.nfilters; i++)
	{
		Filter	   *filter = filters->slots.filters[i];
		uint64		code;

		filter->rows++;
		if (!code_slot(filter, slot, &code) ||
			!ssdpar_key_set_has(filter->set, code))
		{
			filter->dropped++;
			return false;
		}
	}
	return true;
}
