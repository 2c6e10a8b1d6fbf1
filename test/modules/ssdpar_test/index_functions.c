/*
 * index_functions.c
 *		ssdpar_test.index_rows and index_row_ids: the rows that an index has
 *		for keys, as a star scan reads them.
 *
 * They ignore permissions on rows.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/array.h"
#include "utils/rel.h"
#include "utils/tuplestore.h"

#include "base/compat.h"
#include "ssdpar_test.h"
#include "btree/btree_keys.h"
#include "btree/btree_lookup.h"
#include "btree/btree_meta.h"
#include "keys/key_code.h"
#include "keys/key_set.h"
#include "tids/tid_flat.h"
#include "tids/tid_pages.h"

PG_FUNCTION_INFO_V1(ssdpar_test_index_rows);
PG_FUNCTION_INFO_V1(ssdpar_test_index_row_ids);

static SsdparTidBitmap *
set_of_tids(ArrayType *tids, BlockNumber nblocks, Size max_bytes)
{
	SsdparTidBitmap *set = ssdpar_tid_bitmap_create(nblocks, max_bytes, NULL);
	Oid			type;
	int			count;
	Datum	   *values = ssdpar_test_elements(tids, &type, &count);

	for (int i = 0; i < count; i++)
		ssdpar_tid_bitmap_add(set, (ItemPointer) DatumGetPointer(values[i]), 1);
	return set;
}

/* Integers of any width, sorted and without duplicates. */
static const int64 *
integer_keys(Datum *values, int count, Oid type, uint64 *distinct)
{
	SsdparKeyBuilder *builder = ssdpar_key_builder(MaxAllocSize);

	for (int i = 0; i < count; i++)
	{
		int64		key;

		switch (ssdpar_integer_type(type))
		{
			case SSDPAR_INT16:
				key = DatumGetInt16(values[i]);
				break;
			case SSDPAR_INT32:
				key = DatumGetInt32(values[i]);
				break;
			case SSDPAR_INT64:
				key = DatumGetInt64(values[i]);
				break;
			case SSDPAR_UINT32:
				key = DatumGetUInt32(values[i]);
				break;
			default:
				key = DatumGetUInt8(values[i]);
		}
		ssdpar_key_builder_add(builder, (uint64) key);
	}
	return ssdpar_key_builder_sorted(builder, distinct);
}

/* Reads part number part of parts. */
static void
read_index(Relation index, ArrayType *keys, int part, int parts, int depth,
		   SsdparPageMethod method, SsdparTidBitmap *set,
		   SsdparIndexCounts *counts)
{
	Oid			type;
	int			count;
	Datum	   *values = ssdpar_test_elements(keys, &type, &count);
	int			first = (int64) count * part / parts;
	uint64		distinct;

	values += first;
	count = (int64) count * (part + 1) / parts - first;

	if (ssdpar_index_orders_integers(index, 1) &&
		ssdpar_integer_type(type) != SSDPAR_NOT_INTEGER)
	{
		const int64 *integers = integer_keys(values, count, type, &distinct);

		ssdpar_index_rows_by_integer(index, integers, distinct, method, depth,
									 set, counts);
		return;
	}
	if (type != index->rd_opcintype[0])
		ssdpar_test_refuse("keys are not of the type of the index's first column",
						   "Cast them to that type.");
	ssdpar_index_rows_by_datum(index, values, count, method, depth, set,
							   counts);
}

/* Adds another set, as another process would. */
static void
join_sets(SsdparTidBitmap *set, const SsdparTidBitmap *other)
{
	SsdparFlatTids *image = palloc_extended(ssdpar_flat_tids_size(other),
											MCXT_ALLOC_HUGE);

	ssdpar_flat_tids_build(other, image);
	ssdpar_flat_tids_add(image, set);
	pfree(image);
}

/*
 * Both functions: (index regclass, keys anyarray, memory integer, within
 * tid[], depth integer), memory in kB, and optionally parts integer.  Returns
 * the set, and how it was read.
 */
static SsdparTidPages *
rows_of_index(FunctionCallInfo fcinfo, SsdparIndexCounts *counts,
			  bool *beyond)
{
	Relation	index;
	Relation	table;
	BlockNumber nblocks;
	Size		max_bytes;
	int			parts = PG_NARGS() > 5 ? PG_GETARG_INT32(5) : 1;
	SsdparTidBitmap *within = NULL;
	SsdparTidBitmap *set;
	SsdparTidPages *pages;
	Size		size;
	uint32		count PG_USED_FOR_ASSERTS_ONLY;

	for (int i = 0; i < PG_NARGS(); i++)
	{
		if (PG_ARGISNULL(i) && i != 3)
			ssdpar_test_refuse("only within may be null",
							   "Give all of the other arguments.");
	}
	if (parts < 1)
		ssdpar_test_refuse("there must be at least one part of the keys",
						   "Give a number of parts from 1 up.");
	max_bytes = (Size) Max(PG_GETARG_INT32(2), 1) * 1024;
	index = index_open(PG_GETARG_OID(0), AccessShareLock);
	table = table_open(index->rd_index->indrelid, AccessShareLock);
	nblocks = RelationGetNumberOfBlocks(table);
	if (!ssdpar_index_readable(index))
		ssdpar_test_refuse("this index cannot be read by ssdpar",
						   "Name a btree on a column of the table, in the order that is usual for its type.");
	if (!PG_ARGISNULL(3))
		within = set_of_tids(PG_GETARG_ARRAYTYPE_P(3), nblocks, max_bytes);
	set = ssdpar_tid_bitmap_create(nblocks, max_bytes, within);
	for (int part = 0; part < parts; part++)
	{
		SsdparTidBitmap *own = part == 0 ? set :
			ssdpar_tid_bitmap_create(nblocks, max_bytes, within);

		read_index(index, PG_GETARG_ARRAYTYPE_P(1), part, parts,
				   PG_GETARG_INT32(4), ssdpar_page_method(index), own, counts);
		if (own == set)
			continue;
		join_sets(set, own);
		ssdpar_tid_bitmap_free(own);
	}
	*beyond = ssdpar_tid_bitmap_is_beyond(set);
	size = ssdpar_tid_pages_size(set, &count);
	pages = ssdpar_tid_pages_build(set, palloc_extended(size, MCXT_ALLOC_HUGE));
	Assert(ssdpar_tid_pages_count(pages) == count);
	ssdpar_tid_bitmap_free(set);
	if (within != NULL)
		ssdpar_tid_bitmap_free(within);
	table_close(table, AccessShareLock);
	index_close(index, AccessShareLock);
	return pages;
}

/*
 * ... OUT leaves bigint, OUT hits bigint, OUT found bigint, OUT pages bigint,
 * OUT lossy bigint, OUT beyond boolean
 */
Datum
ssdpar_test_index_rows(PG_FUNCTION_ARGS)
{
	SsdparIndexCounts counts = {0};
	SsdparTidPages *pages;
	Datum		values[6];
	bool		nulls[6] = {false};
	bool		beyond;

	pages = rows_of_index(fcinfo, &counts, &beyond);
	values[0] = Int64GetDatum(counts.leaves);
	values[1] = Int64GetDatum(counts.hits);
	values[2] = Int64GetDatum(counts.rows);
	values[3] = Int64GetDatum(ssdpar_tid_pages_count(pages));
	values[4] = Int64GetDatum(ssdpar_tid_pages_lossy(pages));
	values[5] = BoolGetDatum(beyond);
	return ssdpar_test_row(fcinfo, values, nulls);
}

static void
put_row(ReturnSetInfo *result, BlockNumber block, OffsetNumber *offset)
{
	ItemPointerData tid;
	Datum		values[2] = {Int64GetDatum(block), (Datum) 0};
	bool		nulls[2] = {false, offset == NULL};

	if (offset != NULL)
	{
		ItemPointerSet(&tid, block, *offset);
		values[1] = PointerGetDatum(&tid);
	}
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* ... RETURNS TABLE (block bigint, row tid); row is NULL for a whole page */
Datum
ssdpar_test_index_row_ids(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SsdparIndexCounts counts = {0};
	bool		beyond;
	SsdparTidPages *pages = rows_of_index(fcinfo, &counts, &beyond);
	const BlockNumber *blocks = ssdpar_tid_pages_blocks(pages);
	OffsetNumber offsets[MaxHeapTuplesPerPage];

	InitMaterializedSRF(fcinfo, 0);
	for (uint32 i = 0; i < ssdpar_tid_pages_count(pages); i++)
	{
		int			count = ssdpar_tid_pages_rows(pages, i, offsets);

		CHECK_FOR_INTERRUPTS();
		if (count < 0)
			put_row(result, blocks[i], NULL);
		for (int row = 0; row < count; row++)
			put_row(result, blocks[i], &offsets[row]);
	}
	return (Datum) 0;
}
