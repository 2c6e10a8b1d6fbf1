/*
 * page_filters.c
 *		Tests that are applied to all rows of a page at once, in the page's
 *		format, before a tuple is created for any of them.
 *
 * These tests use integers at the same offset in every row without NULLs.  Is
 * a key's code in the reducer's key set?  Is a column within the range that
 * the node's qual allows?  First the addresses of all rows are determined.
 * Then each filter gathers its column from the rows left by the previous
 * filters and keeps those that pass.  Each step is a loop over the rows with
 * hardly any branch that depends on their contents, because most of the time
 * is spent waiting for memory and on branch mispredictions.  This way the
 * cache misses of successive rows overlap.
 *
 * Applying these tests before the node's qual does not leak values to a user
 * who may not see the row, because only our code reads them, and it neither
 * fails nor reports them.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tupmacs.h"
#include "storage/itemptr.h"
#include "utils/lsyscache.h"

#include "base/compat.h"
#include "keys/key_code.h"
#include "starscan/exec/filter_order.h"
#include "starscan/exec/page_filters.h"

/* Assumed selectivity of a range until it is measured: core's default. */
#define RANGE_KEEPS 0.3333

typedef struct PageFilter
{
	SsdparFilter filter;		/* must be first */
	AttrNumber	column;
	SsdparIntegerType integer;
	int			offset;			/* in rows without NULLs up to the column */
	const SsdparKeySet *set;	/* set that must contain the code; if NULL: */
	bool		empty;			/* no row passes, or the set must be empty */
	uint64		least;			/* the code must be at least this, */
	uint64		width;			/* and exceed it by at most this */
} PageFilter;

/*
 * A row is plain if it has all columns up to last_column, which is the last
 * one that any filter uses, and none of them is NULL.  Then they are at their
 * offsets.
 */
struct SsdparPageFilters
{
	TupleDesc	row;
	ScanState  *ss;
	AttrNumber	last_column;
	SsdparFilterOrder order;
	PageFilter *filters;

	/*
	 * Indexed by the row's number on the page; NULL if the row is not plain.
	 */
	const char *columns[MaxHeapTuplesPerPage];

	/* Codes of the remaining rows, indexed by their position in passing. */
	uint64		codes[MaxHeapTuplesPerPage];
};

SsdparPageFilters *
ssdpar_page_filters_create(TupleDesc row, ScanState *ss, int nfilters)
{
	SsdparPageFilters *filters = palloc0_object(SsdparPageFilters);

	filters->row = row;
	filters->ss = ss;
	filters->filters = palloc0(Max(nfilters, 1) * sizeof(PageFilter));
	ssdpar_filter_order_init(&filters->order, nfilters);
	return filters;
}

/*
 * Offset of the column in rows without NULLs, or -1 if it varies, as after a
 * column of variable length.  Uses the same computation as
 * heap_deform_tuple().
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

/* Returns a new filter on a column, or NULL if it cannot be tested here. */
static PageFilter *
add_filter(SsdparPageFilters *filters, AttrNumber column,
		   SsdparIntegerType integer)
{
	PageFilter *filter = &filters->filters[filters->order.nall];
	int			offset = fixed_offset(filters->row, column);

	if (offset < 0 ||
		TupleDescAttr(filters->row, column - 1)->attlen !=
		ssdpar_integer_size(integer))
		return NULL;
	filter->column = column;
	filter->integer = integer;
	filter->offset = offset;
	filter->filter.cost = 1.0;
	filters->last_column = Max(filters->last_column, column);
	ssdpar_filter_order_add(&filters->order, &filter->filter);
	return filter;
}

/* The compared type matters here: an int4 may be compared as an oid. */
bool
ssdpar_page_filters_add_keys(SsdparPageFilters *filters,
							 const SsdparReducer *reducer,
							 const SsdparKeySet *set,
							 SsdparFilterCount *count)
{
	SsdparIntegerType sides[2];
	PageFilter *filter;

	if (!ssdpar_key_code_is_exact(&reducer->key))
		return false;
	(void) ssdpar_integer_strategy(reducer->key.operators[0], sides);
	filter = add_filter(filters, reducer->key.target_columns[0], sides[0]);
	if (filter == NULL)
		return false;
	filter->set = set;
	filter->filter.cost += ssdpar_set_cost(set);
	filter->filter.kept = reducer->selectivity;
	filter->filter.count = count;
	return true;
}

bool
ssdpar_page_filters_add_range(SsdparPageFilters *filters,
							  const SsdparColumnRange *range)
{
	PageFilter *filter = add_filter(filters, range->column, range->integer);

	if (filter == NULL)
		return false;
	filter->empty = range->empty;
	filter->least = (uint64) range->least;
	filter->width = (uint64) range->greatest - (uint64) range->least;
	filter->filter.cost += SSDPAR_COST_RANGE;
	filter->filter.kept = RANGE_KEEPS;
	return true;
}

void
ssdpar_page_filters_flush(SsdparPageFilters *filters)
{
	ssdpar_filter_order_flush(&filters->order);
}

/*
 * Does a row with NULLs have one up to last_column?  A bit is set if its
 * column is not NULL.
 */
static bool
has_null(HeapTupleHeader header, AttrNumber last_column)
{
	const		uint8 *bits = header->t_bits;
	int			rest = last_column % 8;
	uint8		wanted = (1 << rest) - 1;

	for (int i = 0; i < last_column / 8; i++)
	{
		if (bits[i] != 0xff)
			return true;
	}
	return rest > 0 && (bits[last_column / 8] & wanted) != wanted;
}

/*
 * Finds the start of the rows' columns.  All rows are still passing.  Returns
 * true if all of them are plain.
 */
static bool
find_columns(SsdparPageFilters *filters, Page page, const OffsetNumber *rows,
			 int nrows, uint16 *pg_restrict passing)
{
	AttrNumber	last_column = filters->last_column;
	bool		all_plain = true;

	for (int i = 0; i < nrows; i++)
	{
		ItemId		item = PageGetItemId(page, rows[i]);
		HeapTupleHeader header = (HeapTupleHeader) PageGetItem(page, item);

		passing[i] = i;
		filters->columns[i] = (const char *) header + header->t_hoff;
		if (unlikely(HeapTupleHeaderGetNatts(header) < last_column ||
					 ((header->t_infomask & HEAP_HASNULL) != 0 &&
					  has_null(header, last_column))))
		{
			filters->columns[i] = NULL;
			all_plain = false;
		}
	}
	return all_plain;
}

/*
 * Gets the code through core's functions, which handle every kind of row: one
 * with NULLs, or one that is older than the column and has its default.
 * Returns false if it is NULL.
 */
static bool
code_by_core(const SsdparPageFilters *filters, const PageFilter *filter,
			 Page page, OffsetNumber row, uint64 *code)
{
	ItemId		item = PageGetItemId(page, row);
	HeapTupleData tuple = {.t_data = (HeapTupleHeader) PageGetItem(page, item)};
	bool		is_null;
	Datum		value = heap_getattr(&tuple, filter->column, filters->row,
									 &is_null);

	if (!is_null)
		*code = (uint64) ssdpar_integer_value(filter->integer, value);
	return !is_null;
}

/* Reads the integer of this type at the given address. */
static pg_attribute_always_inline uint64
code_at(const char *place, SsdparIntegerType integer)
{
	return (uint64)
		ssdpar_integer_value(integer,
							 fetch_att(place, true,
									   ssdpar_integer_size(integer)));
}

#ifdef USE_ASSERT_CHECKING

/*
 * Does core get the same values from the rows?  If an offset were wrong,
 * matching rows would be dropped, and no join above could restore them.
 */
static bool
core_agrees(const SsdparPageFilters *filters, const PageFilter *filter,
			Page page, const OffsetNumber *rows, const uint16 *passing, int n)
{
	for (int i = 0; i < n; i++)
	{
		uint64		cores;

		if (!code_by_core(filters, filter, page, rows[passing[i]], &cores) ||
			cores != filters->codes[i])
			return false;
	}
	return true;
}

#endif							/* USE_ASSERT_CHECKING */

/* For n rows, all of them plain; compiled once for each type. */
static pg_attribute_always_inline void
gather_type(SsdparPageFilters *filters, const PageFilter *filter,
			SsdparIntegerType integer, const uint16 *passing, int n)
{
	const char *const *columns = filters->columns;
	uint64	   *pg_restrict codes = filters->codes;
	int			offset = filter->offset;

	for (int i = 0; i < n; i++)
		codes[i] = code_at(columns[passing[i]] + offset, integer);
}

static void
gather(SsdparPageFilters *filters, const PageFilter *filter,
	   const uint16 *passing, int n)
{
	switch (filter->integer)
	{
		case SSDPAR_INT16:
			gather_type(filters, filter, SSDPAR_INT16, passing, n);
			break;
		case SSDPAR_INT32:
			gather_type(filters, filter, SSDPAR_INT32, passing, n);
			break;
		case SSDPAR_INT64:
			gather_type(filters, filter, SSDPAR_INT64, passing, n);
			break;
		case SSDPAR_UINT32:
			gather_type(filters, filter, SSDPAR_UINT32, passing, n);
			break;
		case SSDPAR_UINT8:
			gather_type(filters, filter, SSDPAR_UINT8, passing, n);
			break;
		case SSDPAR_NOT_INTEGER:
			pg_unreachable();
	}
}

/* For n rows of any kind.  Those whose column is NULL do not pass. */
static pg_noinline int
gather_any(SsdparPageFilters *filters, const PageFilter *filter, Page page,
		   const OffsetNumber *rows, uint16 *passing, int n)
{
	int			kept = 0;

	for (int i = 0; i < n; i++)
	{
		uint16		row = passing[i];
		const char *columns = filters->columns[row];
		uint64		code;

		if (columns != NULL)
			code = code_at(columns + filter->offset, filter->integer);
		else if (!code_by_core(filters, filter, page, rows[row], &code))
			continue;
		filters->codes[kept] = code;
		passing[kept++] = row;
	}
	return kept;
}

typedef enum Test
{
	IN_RANGE,
	IN_BIT_MAP,
	IN_SET,						/* of any kind */
} Test;

/*
 * Keeps those of n rows whose code passes; compiled once for each test.
 * pg_restrict allows the compiler to load the test's operands only once.
 */
static pg_attribute_always_inline int
keep_by(const PageFilter *filter, Test test, const uint64 *codes,
		uint16 *pg_restrict passing, int n)
{
	const SsdparKeySet *set = filter->set;
	int			kept = 0;

	for (int i = 0; i < n; i++)
	{
		uint64		code = codes[i];
		bool		pass = test == IN_RANGE ?
			code - filter->least <= filter->width : test == IN_BIT_MAP ?
			ssdpar_key_bit_map_has(set, code) : ssdpar_key_set_has(set, code);

		passing[kept] = passing[i];
		kept += pass;
	}
	return kept;
}

static int
keep(const PageFilter *filter, const uint64 *codes, uint16 *passing, int n)
{
	if (filter->empty)
		return 0;
	if (filter->set == NULL)
		return keep_by(filter, IN_RANGE, codes, passing, n);
	if (filter->set->kind == SSDPAR_KEYS_BIT_MAP)
		return keep_by(filter, IN_BIT_MAP, codes, passing, n);
	return keep_by(filter, IN_SET, codes, passing, n);
}

/* Applies one filter and returns the number of remaining rows. */
static int
run_filter(SsdparPageFilters *filters, PageFilter *filter, Page page,
		   const OffsetNumber *rows, bool all_plain, uint16 *passing, int n)
{
	int			kept = n;

	if (likely(all_plain))
		gather(filters, filter, passing, n);
	else
		kept = gather_any(filters, filter, page, rows, passing, n);
	Assert(core_agrees(filters, filter, page, rows, passing, kept));
	kept = keep(filter, filters->codes, passing, kept);
	filter->filter.rows += n;
	filter->filter.dropped += n - kept;
	if (filter->set == NULL)
		InstrCountFiltered1(filters->ss, n - kept);
	return kept;
}

int
ssdpar_page_filters_pass(SsdparPageFilters *filters, Page page,
						 const OffsetNumber *rows, int nrows, uint16 *passing)
{
	SsdparFilterOrder *order = &filters->order;
	int			n = nrows;
	bool		all_plain;

	Assert(nrows <= MaxHeapTuplesPerPage);
	if (order->rows_left <= 0)
		ssdpar_filter_order_begin_round(order, 0);
	order->rows_left -= nrows;
	all_plain = find_columns(filters, page, rows, nrows, passing);
	for (int i = 0; i < order->nfilters && n > 0; i++)
		n = run_filter(filters, (PageFilter *) order->filters[i], page, rows,
					   all_plain, passing, n);
	return n;
}
