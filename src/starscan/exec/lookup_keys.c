/*
 * lookup_keys.c
 *		Collects the keys to look up in an index of the fact.
 *
 * Only the first column of an index is searched.  If the reducer compares more
 * columns, the index finds a superset of its rows, and these are then tested
 * with the key set of all columns (not "exact").  btree_reader.c reads the
 * index.
 */
#include "postgres.h"

#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "starscan/exec/lookup_keys.h"

#define FIRST_DATUMS 256

void
ssdpar_lookup_keys_begin(SsdparLookupKeys *keys, const SsdparJoinKey *key,
						 int index_column, TupleDesc row,
						 SsdparKeyCoder *coder, SsdparKeyBuilder *builder,
						 Size max_bytes)
{
	SsdparJoinKey part = ssdpar_join_key_column(key, index_column);
	Oid			target_type;
	Oid			key_type;

	memset(keys, 0, sizeof(SsdparLookupKeys));
	keys->max_bytes = max_bytes;
	keys->exact = key->ncolumns == 1;
	if (ssdpar_key_code_is_exact(&part))
	{
		keys->wanted = true;
		keys->shares_builder = key->ncolumns == 1;
		keys->coder = keys->shares_builder ? coder :
			ssdpar_key_coder(&part, SSDPAR_SIDE_KEY);
		keys->builder = keys->shares_builder ? builder :
			ssdpar_key_builder(max_bytes);
		return;
	}

	/* The index compares values by its own type.  */
	op_input_types(part.operators[0], &target_type, &key_type);
	if (target_type != key_type)
		return;
	keys->wanted = true;
	keys->column = part.key_columns[0];
	keys->length = TupleDescAttr(row, keys->column - 1)->attlen;
	keys->byval = TupleDescAttr(row, keys->column - 1)->attbyval;
	keys->memory = AllocSetContextCreate(CurrentMemoryContext,
										 "SsdparStarScan lookup keys",
										 ALLOCSET_DEFAULT_SIZES);
}

/*
 * Copies a value and detoasts it.  Otherwise each comparison would detoast it,
 * with an index page locked.
 */
static Datum
copy_datum(const SsdparLookupKeys *keys, Datum value)
{
	if (keys->length == -1 &&
		(VARATT_IS_EXTERNAL(DatumGetPointer(value)) ||
		 VARATT_IS_COMPRESSED(DatumGetPointer(value))))
		return PointerGetDatum(PG_DETOAST_DATUM_COPY(value));
	return datumCopy(value, keys->byval, keys->length);
}

/*
 * Duplicates are kept, because detecting them would need the type's comparison
 * function.
 */
static void
add_datum(SsdparLookupKeys *keys, Datum value)
{
	MemoryContext before = MemoryContextSwitchTo(keys->memory);

	if (keys->nkeys == keys->room)
	{
		Size		room = Max(mul_size(keys->room, 2), FIRST_DATUMS);

		keys->datums = keys->datums == NULL ?
			palloc(room * sizeof(Datum)) :
			repalloc_huge(keys->datums, mul_size(room, sizeof(Datum)));
		keys->room = room;
	}
	keys->datums[keys->nkeys++] = copy_datum(keys, value);
	MemoryContextSwitchTo(before);
	if (MemoryContextMemAllocated(keys->memory, false) > keys->max_bytes)
	{
		MemoryContextReset(keys->memory);
		keys->datums = NULL;
		keys->nkeys = 0;
		keys->wanted = false;
	}
}

/*
 * The key set's coder covers all columns that are coded here and has rejected
 * rows with NULLs.
 */
void
ssdpar_lookup_keys_add(SsdparLookupKeys *keys, TupleTableSlot *slot)
{
	uint64		code;
	bool		is_null;
	Datum		value;

	if (!keys->wanted || keys->shares_builder)
		return;
	if (keys->builder != NULL)
	{
		if (!ssdpar_key_code(keys->coder, slot, &code))
			elog(ERROR, "key of a star scan is null");
		ssdpar_key_builder_add(keys->builder, code);
		return;
	}
	value = slot_getattr(slot, keys->column, &is_null);
	Assert(!is_null);
	add_datum(keys, value);
}

/* A builder's table is at least a quarter full.  */
Size
ssdpar_lookup_keys_finish(SsdparLookupKeys *keys)
{
	if (!keys->wanted)
		return 0;
	if (keys->builder == NULL)
		return MemoryContextMemAllocated(keys->memory, false);
	keys->integers = ssdpar_key_builder_sorted(keys->builder, &keys->nkeys);
	keys->wanted = keys->integers != NULL;
	return keys->wanted ?
		Min(keys->nkeys * 4 * sizeof(uint64), keys->max_bytes) : 0;
}
