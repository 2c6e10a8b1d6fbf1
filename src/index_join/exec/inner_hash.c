/*
 * inner_hash.c
 *		The inner table's rows in memory, found by their key.
 *
 * The table is read once from beginning to end.  Only the code of each row's
 * key is computed, by functions that the planner knows to raise no error.  As
 * after an index search, conditions are evaluated only for pairs with equal
 * keys.  The hash table keeps the columns that the join needs, in tuples with
 * the table's row type whose other columns are NULL.
 *
 * Rows of the same bucket are chained in the order in which they were read.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "index_join/exec/inner_hash.h"
#include "index_join/exec/inner_scan.h"
#include "keys/key_code.h"
#include "keys/key_set.h"

#define FIRST_ROOM 1024

/* A row, and the number of the next row in its bucket, counting from 1.  */
typedef struct KeptRow
{
	uint64		code;
	MinimalTuple tuple;
	uint32		next;			/* 0: the last */
} KeptRow;

/*
 * columns are those of the key and those that the join needs, possibly with
 * duplicates.  Invariants: count <= room; once built, each row is in the chain
 * of its code's bucket.
 */
struct SsdparInnerHash
{
	SsdparInnerSource source;
	AttrNumber *columns;
	int			ncolumns;
	Size		memory;
	MemoryContext context;		/* of what follows, up to scratch */
	MemoryContext tuples;
	KeptRow    *rows;
	uint32		count;
	uint32		room;
	uint32	   *buckets;		/* first row of each, as many as rows */
	TupleTableSlot *kept;		/* row being built or compared */
	TupleTableSlot *outer;
	SsdparKeyCoder *inner_coder;
	SsdparKeyCoder *outer_coder;
	FmgrInfo   *equal;			/* by column; NULL: compare codes */
	MemoryContext scratch;		/* for coding and comparing */

	uint64		code;			/* of the current outer row */
	uint32		next;			/* the next row to compare */
	HeapTupleData partner;
};

/*
 * Startup.
 */

static void
prepare_keys(SsdparInnerHash *hash)
{
	const SsdparJoinKey *key = hash->source.key;

	hash->inner_coder = ssdpar_key_coder(key, SSDPAR_SIDE_TARGET);
	hash->outer_coder = ssdpar_key_coder(key, SSDPAR_SIDE_KEY);
	if (ssdpar_key_code_is_exact(key))
		return;
	hash->equal = palloc_array(FmgrInfo, key->ncolumns);
	for (int i = 0; i < key->ncolumns; i++)
		fmgr_info(get_opcode(key->operators[i]), &hash->equal[i]);
}

static void
choose_columns(SsdparInnerHash *hash)
{
	const SsdparInnerSource *source = &hash->source;
	const SsdparJoinKey *key = source->key;

	hash->columns = palloc_array(AttrNumber,
								 source->ncolumns + key->ncolumns);
	for (int i = 0; i < key->ncolumns; i++)
		hash->columns[hash->ncolumns++] = key->target_columns[i];
	for (int i = 0; i < source->ncolumns; i++)
		hash->columns[hash->ncolumns++] = source->columns[i];
}

/* Creates the hash table in a new context, so that it can be freed at once.  */
static SsdparInnerHash *
make_hash(const SsdparInnerSource *source, Size memory)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "SsdparIndexJoin inner rows",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SsdparInnerHash *hash = palloc0_object(SsdparInnerHash);

	hash->source = *source;
	hash->memory = memory;
	hash->context = context;
	hash->tuples = GenerationContextCreate(context,
										   "SsdparIndexJoin inner tuples",
										   ALLOCSET_DEFAULT_SIZES);
	hash->scratch = AllocSetContextCreate(context,
										  "SsdparIndexJoin comparison",
										  ALLOCSET_SMALL_SIZES);
	hash->kept = MakeSingleTupleTableSlot(RelationGetDescr(source->heap),
										  &TTSOpsVirtual);
	hash->outer = MakeSingleTupleTableSlot(source->outer_row,
										   &TTSOpsMinimalTuple);
	choose_columns(hash);
	prepare_keys(hash);
	MemoryContextSwitchTo(before);
	return hash;
}

/*
 * Reading.
 */

/* Returns the size with room for this many rows, and a bucket for each.  */
static Size
size_with_room(const SsdparInnerHash *hash, uint64 room)
{
	return room * (sizeof(KeptRow) + sizeof(uint32)) +
		MemoryContextMemAllocated(hash->tuples, false);
}

/* Makes room for a row; returns false if the memory is not sufficient.  */
static bool
make_room(SsdparInnerHash *hash)
{
	uint64		room = hash->room;

	if (hash->count == hash->room)
		room = Max(2 * room, FIRST_ROOM);
	if (size_with_room(hash, room) > hash->memory || room > UINT32_MAX / 2)
		return false;
	if (room == hash->room)
		return true;
	hash->rows = hash->rows == NULL ?
		MemoryContextAllocHuge(hash->context, room * sizeof(KeptRow)) :
		repalloc_huge(hash->rows, room * sizeof(KeptRow));
	hash->room = (uint32) room;
	return true;
}

/* Copies the columns that the join needs.  */
static MinimalTuple
copy_columns(SsdparInnerHash *hash, TupleTableSlot *row)
{
	TupleTableSlot *kept = hash->kept;
	MemoryContext before;
	MinimalTuple tuple;

	ExecStoreAllNullTuple(kept);
	for (int i = 0; i < hash->ncolumns; i++)
	{
		int			column = hash->columns[i];

		kept->tts_values[column - 1] =
			slot_getattr(row, column, &kept->tts_isnull[column - 1]);
	}
	before = MemoryContextSwitchTo(hash->tuples);
	tuple = ExecCopySlotMinimalTuple(kept);
	MemoryContextSwitchTo(before);
	return tuple;
}

static bool
code_of(SsdparInnerHash *hash, SsdparKeyCoder *coder, TupleTableSlot *slot,
		uint64 *code)
{
	MemoryContext before = MemoryContextSwitchTo(hash->scratch);
	bool		has_key = ssdpar_key_code(coder, slot, code);

	MemoryContextSwitchTo(before);
	MemoryContextReset(hash->scratch);
	return has_key;
}

/* Returns false if the rows do not fit.  */
static bool
read_rows(SsdparInnerHash *hash, SsdparInnerScan *scan)
{
	TupleTableSlot *row;
	uint64		code;

	while ((row = ssdpar_inner_scan_next(scan)) != NULL)
	{
		if (!code_of(hash, hash->inner_coder, row, &code))
			continue;
		if (!make_room(hash))
			return false;
		hash->rows[hash->count].code = code;
		hash->rows[hash->count++].tuple = copy_columns(hash, row);
	}
	return true;
}

static inline uint32 *
bucket_of(const SsdparInnerHash *hash, uint64 code)
{
	return &hash->buckets[ssdpar_key_slot(ssdpar_key_mix(code),
										  Max(hash->count, 1))];
}

/* Chains each row before later rows of its bucket.  */
static void
chain_rows(SsdparInnerHash *hash)
{
	hash->buckets =
		MemoryContextAllocExtended(hash->context, sizeof(uint32) *
								   (Size) Max(hash->count, 1),
								   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (uint32 i = hash->count; i-- > 0;)
	{
		uint32	   *bucket = bucket_of(hash, hash->rows[i].code);

		CHECK_FOR_INTERRUPTS();
		hash->rows[i].next = *bucket;
		*bucket = i + 1;
	}
}

SsdparInnerHash *
ssdpar_inner_hash_build(const SsdparInnerSource *source, Size memory,
						uint64 *nrows)
{
	SsdparInnerHash *hash = make_hash(source, memory);
	SsdparInnerScan *scan = ssdpar_inner_scan_begin(source->heap,
													source->snapshot,
													source->plan_node_id);
	bool		fit = read_rows(hash, scan);

	ssdpar_inner_scan_end(scan);
	*nrows = hash->count;
	if (!fit)
	{
		ssdpar_inner_hash_end(hash);
		return NULL;
	}
	chain_rows(hash);
	ExecClearTuple(hash->kept);
	return hash;
}

void
ssdpar_inner_hash_end(SsdparInnerHash *hash)
{
	ExecDropSingleTupleTableSlot(hash->kept);
	ExecDropSingleTupleTableSlot(hash->outer);
	MemoryContextDelete(hash->context);
}

/*
 * Looking for partners.
 */

void
ssdpar_inner_hash_look_for(SsdparInnerHash *hash, MinimalTuple outer)
{
	ExecStoreMinimalTuple(outer, hash->outer, false);
	hash->next = 0;
	if (code_of(hash, hash->outer_coder, hash->outer, &hash->code))
		hash->next = *bucket_of(hash, hash->code);
}

/* Converts to a tuple of the table; the two kinds differ in their headers.  */
static HeapTuple
as_partner(SsdparInnerHash *hash, MinimalTuple tuple)
{
	HeapTuple	partner = &hash->partner;

	partner->t_len = tuple->t_len + MINIMAL_TUPLE_OFFSET;
	partner->t_data = (HeapTupleHeader)
		((char *) tuple - MINIMAL_TUPLE_OFFSET);
	ItemPointerSetInvalid(&partner->t_self);
	partner->t_tableOid = RelationGetRelid(hash->source.heap);
	Assert(HeapTupleHeaderGetNatts(partner->t_data) ==
		   RelationGetDescr(hash->source.heap)->natts);
	return partner;
}

/* Compares by the operators; neither key has a NULL. */
static bool
has_key(SsdparInnerHash *hash, HeapTuple partner)
{
	const SsdparJoinKey *key = hash->source.key;
	TupleDesc	row = RelationGetDescr(hash->source.heap);
	MemoryContext before = MemoryContextSwitchTo(hash->scratch);
	bool		equal = true;

	for (int i = 0; i < key->ncolumns && equal; i++)
	{
		bool		is_null;
		Datum		inner = heap_getattr(partner, key->target_columns[i], row,
										 &is_null);
		Datum		outer = slot_getattr(hash->outer, key->key_columns[i],
										 &is_null);

		equal = DatumGetBool(FunctionCall2Coll(&hash->equal[i],
											   key->collations[i], inner,
											   outer));
	}
	MemoryContextSwitchTo(before);
	MemoryContextReset(hash->scratch);
	return equal;
}

HeapTuple
ssdpar_inner_hash_next(SsdparInnerHash *hash)
{
	while (hash->next > 0)
	{
		const KeptRow *row = &hash->rows[hash->next - 1];
		HeapTuple	partner;

		CHECK_FOR_INTERRUPTS();
		hash->next = row->next;
		if (row->code != hash->code)
			continue;
		partner = as_partner(hash, row->tuple);
		if (hash->equal == NULL || has_key(hash, partner))
			return partner;
	}
	return NULL;
}
