/*
 * inner_hash.c
 *		The inner table's rows in memory, found by their key.
 *
 * The table is read once, from end to end, and of each row nothing is computed
 * but its key's code, by functions that the planner knows to raise no error:
 * conditions are for pairs whose keys are equal, as after a search of the
 * index.  Kept are the columns that the join needs, in tuples of the table's
 * own kind whose other columns are NULL.
 *
 * Rows that share a bucket are chained in the order in which they were read.
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

/* A row, and the number of the next one of its bucket, counted from 1. */
typedef struct KeptRow
{
	uint64		code;
	MinimalTuple tuple;
	uint32		next;			/* 0: the last */
} KeptRow;

/*
 * columns: those that the join needs and those of the key, some of them twice.
 * Invariants: count <= room; once built, all rows are in the chain that their
 * code's bucket begins with.
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
	uint32	   *buckets;		/* as many as rows: the first of each */
	TupleTableSlot *kept;		/* what is kept of a row, being made or
								 * compared */
	TupleTableSlot *outer;
	SsdparKeyCoder *inner_coder;
	SsdparKeyCoder *outer_coder;
	FmgrInfo   *equal;			/* of each column; NULL: equal codes are equal
								 * keys */
	MemoryContext scratch;		/* what these leave behind */

	uint64		code;			/* of the current outer row */
	uint32		next;			/* its next partner, if any, is behind */
	HeapTupleData partner;
};

/*
 * Beginning.
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

/* In a context of its own, so that all of it can go at once. */
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

/* Bytes with so many rows' room, and a bucket for each. */
static Size
size_with_room(const SsdparInnerHash *hash, uint64 room)
{
	return room * (sizeof(KeptRow) + sizeof(uint32)) +
		MemoryContextMemAllocated(hash->tuples, false);
}

/* False if memory does not suffice. */
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

/* What the join needs of the row. */
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

/* False if they do not fit. */
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

/* Each comes before those of its bucket that were read after it. */
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

/* As a tuple of the table: the two kinds differ in what comes first. */
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

/* By the operators themselves: neither key has a NULL. */
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
