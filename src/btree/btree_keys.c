/*
 * btree_keys.c
 *		Compares sorted keys with the first columns of a btree's tuples.
 *
 * Integers are compared directly, which is several times as fast as calling
 * the operator class.  All other types are compared by the ordering function
 * and the index's collation.  btree_reader.c walks the index.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "catalog/pg_index.h"
#include "miscadmin.h"
#include "utils/rel.h"
#include "utils/typcache.h"

#include "base/compat.h"
#include "btree/btree_keys.h"

/*
 * Does this family order the type's values as integers?  Only the type's
 * default operator family is known to; others may order them differently.
 */
static bool
orders_integers(Oid family, Oid type)
{
	return ssdpar_integer_type(type) != SSDPAR_NOT_INTEGER &&
		lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf == family;
}

bool
ssdpar_index_orders_integers(Relation index, AttrNumber column)
{
	return orders_integers(index->rd_opfamily[column - 1],
						   index->rd_opcintype[column - 1]);
}

bool
ssdpar_index_order_is_known(Oid family, Oid type)
{
	return ssdpar_integer_type(type) == SSDPAR_NOT_INTEGER ||
		orders_integers(family, type);
}

static void
init_column(SsdparIndexKeys *keys, Relation index, int i,
			const int64 *integers, const Datum *values)
{
	SsdparIndexColumn *column = &keys->columns[i];
	int16		option = index->rd_indoption[i];

	column->descending = (option & INDOPTION_DESC) != 0;
	column->nulls_first = (option & INDOPTION_NULLS_FIRST) != 0;
	if (integers == NULL)
	{
		column->values = values;
		column->order = index_getprocinfo(index, i + 1, BTORDER_PROC);
		column->collation = index->rd_indcollation[i];
		return;
	}
	if (!ssdpar_index_orders_integers(index, i + 1))
		elog(ERROR, "column %d of index \"%s\" is not ordered as integers",
			 i + 1, RelationGetRelationName(index));
	column->integer = ssdpar_integer_type(index->rd_opcintype[i]);
	column->integers = integers;
}

void
ssdpar_index_keys_columns(SsdparIndexKeys *keys, Relation index,
						  const SsdparIndexKeyColumn *columns, int ncolumns,
						  uint64 count)
{
	Assert(ncolumns >= 1 && ncolumns <= SSDPAR_MAX_KEY_COLUMNS &&
		   ncolumns <= IndexRelationGetNumberOfKeyAttributes(index));
	memset(keys, 0, sizeof(SsdparIndexKeys));
	keys->index = index;
	keys->count = count;
	keys->ncolumns = ncolumns;
	for (int i = 0; i < ncolumns; i++)
		init_column(keys, index, i, columns[i].integers, columns[i].values);
}

/*
 * Sets keys of one column, in ascending order; a DESC index uses them from the
 * end.
 */
static void
init_ascending(SsdparIndexKeys *keys, Relation index, const int64 *integers,
			   const Datum *values, uint64 count)
{
	SsdparIndexKeyColumn column = {integers, values};

	ssdpar_index_keys_columns(keys, index, &column, 1, count);
	keys->reversed = keys->columns[0].descending;
}

void
ssdpar_index_keys_integers(SsdparIndexKeys *keys, Relation index,
						   const int64 *integers, uint64 count)
{
	init_ascending(keys, index, integers, NULL, count);
}

/*
 * Sorting can take long and calls user-defined functions, so it can be
 * canceled.
 */
static int
compare_values(const void *a, const void *b, void *arg)
{
	const SsdparIndexColumn *column = arg;

	CHECK_FOR_INTERRUPTS();
	return DatumGetInt32(FunctionCall2Coll(column->order, column->collation,
										   *(const Datum *) a,
										   *(const Datum *) b));
}

void
ssdpar_index_keys_datums(SsdparIndexKeys *keys, Relation index, Datum *values,
						 uint64 count)
{
	init_ascending(keys, index, NULL, values, count);
	qsort_arg(values, count, sizeof(Datum), compare_values,
			  &keys->columns[0]);
}

static inline uint64
number_of(const SsdparIndexKeys *keys, uint64 position)
{
	return keys->reversed ? keys->count - 1 - position : position;
}

uint64
ssdpar_index_keys_number(const SsdparIndexKeys *keys, uint64 position)
{
	return number_of(keys, position);
}

static inline int
compare_integers(int64 a, int64 b)
{
	return (a > b) - (a < b);
}

/*
 * Converts a comparison of two non-null values to the index's order.  The
 * result is not negated, because an ordering function may return the smallest
 * integer, whose negation overflows.
 */
static inline int
in_order(const SsdparIndexColumn *column, int ascending)
{
	return !column->descending ? ascending
		: ascending > 0 ? -1 : ascending < 0;
}

/*
 * Does the tuple have column i?  A separator has only as many leading columns
 * as are needed to distinguish its two sides (suffix truncation).  Truncated
 * columns count as minus infinity.  The first column is always present.
 */
static inline bool
has_column(const SsdparIndexKeys *keys, IndexTuple tuple, int i)
{
	return i == 0 || BTreeTupleGetNAtts(tuple, keys->index) > i;
}

/*
 * A NULL precedes or follows all keys, depending on the index's NULLS option,
 * and equals none.
 */
static inline int
compare_column(const SsdparIndexKeys *keys, int i, IndexTuple tuple,
			   uint64 number)
{
	const SsdparIndexColumn *column = &keys->columns[i];
	bool		is_null;
	Datum		value = index_getattr(tuple, i + 1,
									  RelationGetDescr(keys->index), &is_null);

	if (unlikely(is_null))
		return column->nulls_first ? -1 : 1;
	if (likely(column->integer != SSDPAR_NOT_INTEGER))
	{
		int64		integer = ssdpar_integer_value(column->integer, value);

		return in_order(column,
						compare_integers(integer, column->integers[number]));
	}
	return in_order(column,
					DatumGetInt32(FunctionCall2Coll(column->order,
													column->collation, value,
													column->values[number])));
}

static inline int
compare(const SsdparIndexKeys *keys, IndexTuple tuple, uint64 position)
{
	uint64		number = number_of(keys, position);
	int			comparison = compare_column(keys, 0, tuple, number);

	for (int i = 1; i < keys->ncolumns && comparison == 0; i++)
		comparison = has_column(keys, tuple, i) ?
			compare_column(keys, i, tuple, number) : -1;
	return comparison;
}

int
ssdpar_index_keys_compare(const SsdparIndexKeys *keys, IndexTuple tuple,
						  uint64 position)
{
	return compare(keys, tuple, position);
}

/* NULLs are equal to each other here, because positions are compared.  */
static int
compare_tuples(const SsdparIndexKeys *keys, int i, IndexTuple a, IndexTuple b)
{
	const SsdparIndexColumn *column = &keys->columns[i];
	TupleDesc	row = RelationGetDescr(keys->index);
	bool		a_is_null;
	bool		b_is_null;
	Datum		left = index_getattr(a, i + 1, row, &a_is_null);
	Datum		right = index_getattr(b, i + 1, row, &b_is_null);

	if (a_is_null || b_is_null)
		return column->nulls_first ? b_is_null - a_is_null
			: a_is_null - b_is_null;
	if (column->integer != SSDPAR_NOT_INTEGER)
	{
		int64		integer = ssdpar_integer_value(column->integer, left);

		return in_order(column,
						compare_integers(integer,
										 ssdpar_integer_value(column->integer,
															  right)));
	}
	return in_order(column,
					DatumGetInt32(FunctionCall2Coll(column->order,
													column->collation, left,
													right)));
}

int
ssdpar_index_keys_compare_tuples(const SsdparIndexKeys *keys, IndexTuple a,
								 IndexTuple b)
{
	int			comparison = 0;

	for (int i = 0; i < keys->ncolumns && comparison == 0; i++)
	{
		bool		a_has_it = has_column(keys, a, i);
		bool		b_has_it = has_column(keys, b, i);

		if (!a_has_it || !b_has_it)
			return a_has_it - b_has_it;
		comparison = compare_tuples(keys, i, a, b);
	}
	return comparison;
}

/* Gallops, then bisects, because the next key is usually near.  */
uint64
ssdpar_index_keys_seek(const SsdparIndexKeys *keys, IndexTuple tuple,
					   uint64 position)
{
	uint64		low = position;
	uint64		high;
	uint64		step = 1;

	while (low < keys->count && compare(keys, tuple, low) > 0)
	{
		position = low + 1;
		low += step;
		step *= 2;
	}
	high = Min(low, keys->count);
	while (position < high)
	{
		uint64		middle = position + (high - position) / 2;

		if (compare(keys, tuple, middle) > 0)
			position = middle + 1;
		else
			high = middle;
	}
	return position;
}
