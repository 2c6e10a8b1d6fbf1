/*
 * key_functions.c
 *		ssdpar_test.key_code, key_set and key_filter: keys as codes, sets of
 *		codes, and filters.
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "executor/tuptable.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "base/compat.h"
#include "ssdpar_test.h"
#include "keys/key_code.h"
#include "keys/key_filter.h"
#include "keys/key_set.h"

PG_FUNCTION_INFO_V1(ssdpar_test_key_code);
PG_FUNCTION_INFO_V1(ssdpar_test_key_set);
PG_FUNCTION_INFO_V1(ssdpar_test_key_filter);

/*
 * key_code(operator regoperator, is_key boolean, value "any") returns bigint
 */
Datum
ssdpar_test_key_code(PG_FUNCTION_ARGS)
{
	SsdparJoinKey key = {
		.ncolumns = 1, .target_columns = {1}, .key_columns = {1},
		.collations = {PG_GET_COLLATION()}
	};
	TupleDesc	row = CreateTemplateTupleDesc(1);
	TupleTableSlot *slot;
	uint64		code;
	bool		found;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ssdpar_test_refuse("only value may be null",
						   "Give the other arguments.");
	key.operators[0] = PG_GETARG_OID(0);
	if (!ssdpar_key_can_be_coded(key.operators[0], key.collations[0]))
		PG_RETURN_NULL();
	TupleDescInitEntry(row, 1, "key", get_fn_expr_argtype(fcinfo->flinfo, 2),
					   -1, 0);
	slot = MakeSingleTupleTableSlot(row, &TTSOpsVirtual);
	slot->tts_values[0] = PG_GETARG_DATUM(2);
	slot->tts_isnull[0] = PG_ARGISNULL(2);
	ExecStoreVirtualTuple(slot);
	found = ssdpar_key_code(ssdpar_key_coder(&key, PG_GETARG_BOOL(1) ?
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
	Datum	   *values = ssdpar_test_elements(codes, &type, &count);

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

/* Which of the probes may be in the set? */
static Datum
found_codes(const SsdparKeySet *set, ArrayType *probes)
{
	Oid			type;
	int			count;
	Datum	   *values = ssdpar_test_elements(probes, &type, &count);
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
ssdpar_test_key_set(PG_FUNCTION_ARGS)
{
	SsdparKeyBuilder *builder = builder_of(PG_GETARG_ARRAYTYPE_P(0),
										   (Size) PG_GETARG_INT32(2) * 1024);
	Size		bytes = ssdpar_key_set_size(builder);
	SsdparKeySet *set = ssdpar_key_set_build(builder, palloc(bytes));
	uint64		count;
	const int64 *sorted = ssdpar_key_builder_sorted(builder, &count);
	Datum		values[5] = {0};
	bool		nulls[5] = {false};

	values[0] = CStringGetTextDatum(ssdpar_key_set_kind_name(set->kind));
	values[1] = Int64GetDatum(set->count);
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
	return ssdpar_test_row(fcinfo, values, nulls);
}

/* key_filter(keys bigint[], memory integer, most integer) returns bytea */
Datum
ssdpar_test_key_filter(PG_FUNCTION_ARGS)
{
	SsdparKeyBuilder *builder = builder_of(PG_GETARG_ARRAYTYPE_P(0),
										   (Size) PG_GETARG_INT32(1) * 1024);
	Size		most = (Size) PG_GETARG_INT32(2) * 1024;
	SsdparKeySet *set =
		ssdpar_key_set_build(builder, palloc(ssdpar_key_set_size(builder)));
	uint64		count;
	const int64 *sorted = ssdpar_key_builder_sorted(builder, &count);
	Size		size = sorted != NULL ? ssdpar_key_filter_size(count, most) :
		ssdpar_key_filter_size_of_set(set, most);
	bytea	   *filter = palloc(size + VARHDRSZ);

	if (size == 0)
		PG_RETURN_NULL();
	SET_VARSIZE(filter, size + VARHDRSZ);
	if (sorted != NULL)
		ssdpar_key_filter_build(sorted, count, VARDATA(filter), size);
	else
		ssdpar_key_filter_of_set(set, VARDATA(filter), size);
	PG_RETURN_BYTEA_P(filter);
}
