/*
 * test_aids.c
 *		SQL functions that show the parts of the star scan one at a time:
 *		ssdpar.key_code, ssdpar.key_set, ssdpar.index_rows and
 *		ssdpar.index_row_ids.
 *
 * Tests hold each part against plain queries with them.  No query uses them,
 * and only superusers may, as they look past permissions on rows.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_type_d.h"
#include "executor/tuptable.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "starscan/index_keys.h"
#include "starscan/index_rows.h"
#include "starscan/key_code.h"
#include "starscan/key_set.h"
#include "starscan/tid_set.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_key_code);
PG_FUNCTION_INFO_V1(ssdpar_sql_key_set);
PG_FUNCTION_INFO_V1(ssdpar_sql_index_rows);
PG_FUNCTION_INFO_V1(ssdpar_sql_index_row_ids);

static void
refuse(const char *what, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s", what), errhint("%s", hint)));
}

/* The elements of an array without NULLs. */
static Datum *
array_elements(ArrayType *array, Oid *type, int *count)
{
	int16		length;
	bool		by_value;
	char		alignment;
	Datum	   *values;
	bool	   *nulls;

	*type = ARR_ELEMTYPE(array);
	get_typlenbyvalalign(*type, &length, &by_value, &alignment);
	deconstruct_array(array, *type, length, by_value, alignment, &values,
					  &nulls, count);
	for (int i = 0; i < *count; i++)
	{
		if (nulls[i])
			refuse("keys must not be null",
				   "NULL equals no key: leave it out.");
	}
	return values;
}

static void
require_arguments(FunctionCallInfo fcinfo, int count)
{
	for (int i = 0; i < count; i++)
	{
		/* within may be left out, and a key's value be null */
		if (PG_ARGISNULL(i) && !(count > 3 && i == 3))
			refuse("only within and value may be null",
				   "Give all of the other arguments.");
	}
}

static Datum
return_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	TupleDesc	row;

	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values,
											 nulls));
}

/*
 * key_code(operator regoperator, is_key boolean, value "any") returns bigint
 */
Datum
ssdpar_sql_key_code(PG_FUNCTION_ARGS)
{
	SsdparReducer reducer = {
		.target = SSDPAR_TARGET_FACT, .ncolumns = 1, .target_columns = {1},
		.key_columns = {1}, .collations = {PG_GET_COLLATION()}
	};
	TupleDesc	row = CreateTemplateTupleDesc(1);
	TupleTableSlot *slot;
	uint64		code;
	bool		found;

	require_arguments(fcinfo, 2);
	reducer.operators[0] = PG_GETARG_OID(0);
	if (!ssdpar_key_can_be_coded(reducer.operators[0]))
		PG_RETURN_NULL();
	TupleDescInitEntry(row, 1, "key", get_fn_expr_argtype(fcinfo->flinfo, 2),
					   -1, 0);
	slot = MakeSingleTupleTableSlot(row, &TTSOpsVirtual);
	slot->tts_values[0] = PG_GETARG_DATUM(2);
	slot->tts_isnull[0] = PG_ARGISNULL(2);
	ExecStoreVirtualTuple(slot);
	found = ssdpar_key_code(ssdpar_key_coder(&reducer, PG_GETARG_BOOL(1) ?
											 SSDPAR_SIDE_KEY
											 : SSDPAR_SIDE_TARGET),
							slot, &code);
	ExecDropSingleTupleTableSlot(slot);
	if (!found)
		PG_RETURN_NULL();
	PG_RETURN_INT64((int64) code);
}

static SsdparKeyBuilder *
builder_of(ArrayType *codes, Size max_bytes)
{
	SsdparKeyBuilder *builder = ssdpar_key_builder(max_bytes);
	Oid			type;
	int			count;
	Datum	   *values = array_elements(codes, &type, &count);

	for (int i = 0; i < count; i++)
		ssdpar_key_builder_add(builder, (uint64) DatumGetInt64(values[i]));
	return builder;
}

static Datum
int64_array(Datum *values, int count)
{
	return PointerGetDatum(construct_array(values, count, INT8OID,
										   sizeof(int64), FLOAT8PASSBYVAL,
										   TYPALIGN_DOUBLE));
}

/* Which of the probes the set may contain. */
static Datum
found_codes(const SsdparKeySet *set, ArrayType *probes)
{
	Oid			type;
	int			count;
	Datum	   *values = array_elements(probes, &type, &count);
	int			found = 0;

	for (int i = 0; i < count; i++)
	{
		if (ssdpar_key_set_has(set, (uint64) DatumGetInt64(values[i])))
			values[found++] = values[i];
	}
	return int64_array(values, found);
}

/*
 * key_set(codes bigint[], probes bigint[], memory integer, OUT kind text,
 * OUT members bigint, OUT bytes bigint, OUT sorted bigint[],
 * OUT found bigint[])
 */
Datum
ssdpar_sql_key_set(PG_FUNCTION_ARGS)
{
	SsdparKeyBuilder *builder = builder_of(PG_GETARG_ARRAYTYPE_P(0),
										   (Size) PG_GETARG_INT32(2) * 1024);
	Size		bytes = ssdpar_key_set_size(builder);
	SsdparKeySet *set = ssdpar_key_set_build(builder, palloc(bytes));
	uint64		count;
	const int64 *sorted = ssdpar_key_builder_sorted(builder, &count);
	Datum		values[5] = {0};
	bool		nulls[5] = {false};

	values[0] = CStringGetTextDatum(ssdpar_key_set_kind(set));
	values[1] = Int64GetDatum(ssdpar_key_set_count(set));
	values[2] = Int64GetDatum(bytes);
	nulls[3] = sorted == NULL;
	if (sorted != NULL)
	{
		Datum	   *list = palloc_array(Datum, count + 1);

		for (uint64 i = 0; i < count; i++)
			list[i] = Int64GetDatum(sorted[i]);
		values[3] = int64_array(list, count);
	}
	values[4] = found_codes(set, PG_GETARG_ARRAYTYPE_P(1));
	ssdpar_key_builder_free(builder);
	return return_row(fcinfo, values, nulls);
}

static SsdparTidSet *
set_of_tids(ArrayType *tids, BlockNumber nblocks, Size max_bytes)
{
	SsdparTidSet *set = ssdpar_tid_set_create(nblocks, max_bytes, NULL);
	Oid			type;
	int			count;
	Datum	   *values = array_elements(tids, &type, &count);

	for (int i = 0; i < count; i++)
		ssdpar_tid_set_add(set, (ItemPointer) DatumGetPointer(values[i]), 1);
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

/* Part number part of so many. */
static void
read_index(Relation index, ArrayType *keys, int part, int parts, int depth,
		   SsdparPageMethod method, SsdparTidSet *set,
		   SsdparIndexCounts *counts)
{
	Oid			type;
	int			count;
	Datum	   *values = array_elements(keys, &type, &count);
	int			first = (int64) count * part / parts;
	uint64		distinct;

	values += first;
	count = (int64) count * (part + 1) / parts - first;

	if (ssdpar_index_orders_integers(index) &&
		ssdpar_integer_type(type) != SSDPAR_NOT_INTEGER)
	{
		const int64 *integers = integer_keys(values, count, type, &distinct);

		ssdpar_index_rows_by_integer(index, integers, distinct, method, depth,
									 set, counts);
		return;
	}
	if (type != index->rd_opcintype[0])
		refuse("keys are not of the type of the index's first column",
			   "Cast them to that type.");
	ssdpar_index_rows_by_datum(index, values, count, method, depth, set,
							   counts);
}

/* What another set holds, as another process would add it. */
static void
join_sets(SsdparTidSet *set, const SsdparTidSet *other)
{
	SsdparTidImage *image = palloc_extended(ssdpar_tid_image_size(other),
											MCXT_ALLOC_HUGE);

	ssdpar_tid_image_build(other, image);
	ssdpar_tid_set_add_image(set, image);
	pfree(image);
}

/*
 * Both functions: (index regclass, keys anyarray, memory integer,
 * within tid[], depth integer), memory in kB, and perhaps parts integer.  The
 * set, and how it was read.
 */
static SsdparTidPages *
rows_of_index(FunctionCallInfo fcinfo, SsdparIndexCounts *counts)
{
	Relation	index;
	Relation	table;
	BlockNumber nblocks;
	Size		max_bytes;
	int			parts = PG_NARGS() > 5 ? PG_GETARG_INT32(5) : 1;
	SsdparTidSet *within = NULL;
	SsdparTidSet *set;
	SsdparTidPages *pages;

	require_arguments(fcinfo, PG_NARGS());
	if (parts < 1)
		refuse("there must be at least one part of the keys",
			   "Give a number of parts from 1 up.");
	max_bytes = (Size) Max(PG_GETARG_INT32(2), 1) * 1024;
	index = index_open(PG_GETARG_OID(0), AccessShareLock);
	table = table_open(index->rd_index->indrelid, AccessShareLock);
	nblocks = RelationGetNumberOfBlocks(table);
	if (!ssdpar_index_readable(index))
		refuse("this index cannot be read by ssdpar",
			   "Name a btree on a column of the table, in the order that is usual for its type.");
	if (!PG_ARGISNULL(3))
		within = set_of_tids(PG_GETARG_ARRAYTYPE_P(3), nblocks, max_bytes);
	set = ssdpar_tid_set_create(nblocks, max_bytes, within);
	for (int part = 0; part < parts; part++)
	{
		SsdparTidSet *own = part == 0 ? set :
			ssdpar_tid_set_create(nblocks, max_bytes, within);

		read_index(index, PG_GETARG_ARRAYTYPE_P(1), part, parts,
				   PG_GETARG_INT32(4), ssdpar_page_method(index), own, counts);
		if (own == set)
			continue;
		join_sets(set, own);
		ssdpar_tid_set_free(own);
	}
	pages = ssdpar_tid_pages_build(set,
								   palloc_extended(ssdpar_tid_pages_size(set),
												   MCXT_ALLOC_HUGE));
	ssdpar_tid_set_free(set);
	if (within != NULL)
		ssdpar_tid_set_free(within);
	table_close(table, AccessShareLock);
	index_close(index, AccessShareLock);
	return pages;
}

/*
 * ... OUT leaves bigint, OUT hits bigint, OUT found bigint, OUT pages bigint,
 * OUT lossy bigint, OUT ms double precision
 */
Datum
ssdpar_sql_index_rows(PG_FUNCTION_ARGS)
{
	SsdparIndexCounts counts = {0};
	SsdparTidPages *pages;
	instr_time	start;
	instr_time	duration;
	Datum		values[6];
	bool		nulls[6] = {false};

	INSTR_TIME_SET_CURRENT(start);
	pages = rows_of_index(fcinfo, &counts);
	INSTR_TIME_SET_CURRENT(duration);
	INSTR_TIME_SUBTRACT(duration, start);
	values[0] = Int64GetDatum(counts.leaves);
	values[1] = Int64GetDatum(counts.hits);
	values[2] = Int64GetDatum(counts.rows);
	values[3] = Int64GetDatum(ssdpar_tid_pages_count(pages));
	values[4] = Int64GetDatum(ssdpar_tid_pages_lossy(pages));
	values[5] = Float8GetDatum(INSTR_TIME_GET_MILLISEC(duration));
	return return_row(fcinfo, values, nulls);
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

/* ... RETURNS TABLE (block bigint, row tid), row null for all of the page */
Datum
ssdpar_sql_index_row_ids(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SsdparIndexCounts counts = {0};
	SsdparTidPages *pages = rows_of_index(fcinfo, &counts);
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
