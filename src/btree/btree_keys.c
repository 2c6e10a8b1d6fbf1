/*
 * btree_keys.c
 *		Sorted keys, compared with the first column of a btree's tuples.
 *
 * Integers are compared as such, which is several times as fast as by the
 * operator class; everything else by its ordering function and the index's
 * collation.  How an index is walked is btree_lookup.c.
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
 * Only under the order that the type has by default: another operator class
 * may order integers as it likes.
 */
bool
ssdpar_index_orders_integers(Relation index)
{
	Oid			type = index->rd_opcintype[0];
	TypeCacheEntry *entry;

	if (ssdpar_integer_type(type) == SSDPAR_NOT_INTEGER)
		return false;
	entry = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
	return entry->btree_opf == index->rd_opfamily[0];
}

/* What both kinds have in common. */
static void
init_keys(SsdparIndexKeys *keys, Relation index, uint64 count)
{
	memset(keys, 0, sizeof(SsdparIndexKeys));
	keys->row = RelationGetDescr(index);
	keys->descending = (index->rd_indoption[0] & INDOPTION_DESC) != 0;
	keys->nulls_first = (index->rd_indoption[0] & INDOPTION_NULLS_FIRST) != 0;
	keys->count = count;
}

void
ssdpar_index_keys_integers(SsdparIndexKeys *keys, Relation index,
						   const int64 *integers, uint64 count)
{
	if (!ssdpar_index_orders_integers(index))
		elog(ERROR, "first column of index \"%s\" is not ordered as integers",
			 RelationGetRelationName(index));
	init_keys(keys, index, count);
	keys->integer = ssdpar_integer_type(index->rd_opcintype[0]);
	keys->integers = integers;
}

/* Sorting may take long, and ordering functions are the user's: cancel it. */
static int
compare_values(const void *a, const void *b, void *arg)
{
	const SsdparIndexKeys *keys = arg;

	CHECK_FOR_INTERRUPTS();
	return DatumGetInt32(FunctionCall2Coll(keys->order, keys->collation,
										   *(const Datum *) a,
										   *(const Datum *) b));
}

void
ssdpar_index_keys_datums(SsdparIndexKeys *keys, Relation index, Datum *values,
						 uint64 count)
{
	init_keys(keys, index, count);
	keys->values = values;
	keys->order = index_getprocinfo(index, 1, BTORDER_PROC);
	keys->collation = index->rd_indcollation[0];
	qsort_arg(values, count, sizeof(Datum), compare_values, keys);
}

static inline int
compare_integers(int64 a, int64 b)
{
	return (a > b) - (a < b);
}

/*
 * Two values that are not NULL, in the index's order.  Not by a minus sign: an
 * ordering function may return the least integer, which has no opposite.
 */
static inline int
in_order(const SsdparIndexKeys *keys, int ascending)
{
	return !keys->descending ? ascending : ascending > 0 ? -1 : ascending < 0;
}

/*
 * Keys are sorted ascending, and counted from the end in a DESC index.  A NULL
 * stands beyond all keys on the side where the index puts NULLs, and equals
 * none.
 */
static inline int
compare(const SsdparIndexKeys *keys, IndexTuple tuple, uint64 position)
{
	uint64		i = keys->descending ? keys->count - 1 - position : position;
	bool		is_null;
	Datum		value = index_getattr(tuple, 1, keys->row, &is_null);

	if (unlikely(is_null))
		return keys->nulls_first ? -1 : 1;
	if (likely(keys->integer != SSDPAR_NOT_INTEGER))
	{
		int64		integer = ssdpar_integer_value(keys->integer, value);

		return in_order(keys, compare_integers(integer, keys->integers[i]));
	}
	return in_order(keys,
					DatumGetInt32(FunctionCall2Coll(keys->order,
													keys->collation, value,
													keys->values[i])));
}

int
ssdpar_index_keys_compare(const SsdparIndexKeys *keys, IndexTuple tuple,
						  uint64 position)
{
	return compare(keys, tuple, position);
}

/* NULLs are equal to each other here: it is the places that are compared. */
int
ssdpar_index_keys_compare_tuples(const SsdparIndexKeys *keys, IndexTuple a,
								 IndexTuple b)
{
	bool		a_is_null;
	bool		b_is_null;
	Datum		left = index_getattr(a, 1, keys->row, &a_is_null);
	Datum		right = index_getattr(b, 1, keys->row, &b_is_null);

	if (a_is_null || b_is_null)
		return keys->nulls_first ? b_is_null - a_is_null
			: a_is_null - b_is_null;
	if (keys->integer != SSDPAR_NOT_INTEGER)
	{
		int64		integer = ssdpar_integer_value(keys->integer, left);

		return in_order(keys,
						compare_integers(integer,
										 ssdpar_integer_value(keys->integer,
															  right)));
	}
	return in_order(keys,
					DatumGetInt32(FunctionCall2Coll(keys->order,
													keys->collation, left,
													right)));
}

/* By steps that double, then by halves: the next key is mostly near. */
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
