/*
 * key_code.c
 *		Turns the key columns of a row into one 64-bit code.
 *
 * Types that are integers underneath give their values; all others are hashed
 * by the hash operator family that the equality operator belongs to, each side
 * with the function for its own type, under the operator's collation.  So what
 * the operator calls equal has equal codes: -0 and 0, numerics of different
 * scale, bpchar with and without padding, strings that a nondeterministic
 * collation holds for one.
 */
#include "postgres.h"

#include "access/hash.h"
#include "access/stratnum.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_type_d.h"
#include "common/hashfn.h"
#include "executor/tuptable.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "starscan/key_code.h"
#include "starscan/key_set.h"

typedef struct CodedColumn
{
	AttrNumber	number;
	SsdparIntegerType integer;
	FmgrInfo	hash;			/* if no integer */
	bool		hashes_to_64;	/* the extended function, with a seed */
	Oid			collation;
} CodedColumn;

struct SsdparKeyCoder
{
	int			ncolumns;
	AttrNumber	last;			/* the highest column number */
	CodedColumn columns[SSDPAR_MAX_KEY_COLUMNS];
};

/* The hash functions of an equality operator, for its left and right type. */
typedef struct HashPair
{
	RegProcedure left;
	RegProcedure right;
	bool		to_64;
} HashPair;

SsdparIntegerType
ssdpar_integer_type(Oid type)
{
	switch (type)
	{
		case INT2OID:
			return SSDPAR_INT16;
		case INT4OID:
		case DATEOID:
			return SSDPAR_INT32;
		case INT8OID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case TIMEOID:
		case CASHOID:
			return SSDPAR_INT64;
		case OIDOID:
			return SSDPAR_UINT32;
		case CHAROID:
		case BOOLOID:
			return SSDPAR_UINT8;
		default:
			return SSDPAR_NOT_INTEGER;
	}
}

static bool
is_int_n(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

/*
 * Does this operator compare two integers as such?  int2, int4 and int8 do so
 * across types; a date, though it is an integer, counts in other units than
 * the timestamp it may be compared with.
 */
static bool
compares_integers(Oid operator)
{
	Oid			left;
	Oid			right;
	TypeCacheEntry *type;

	op_input_types(operator, &left, &right);
	if (ssdpar_integer_type(left) == SSDPAR_NOT_INTEGER ||
		(left != right && !(is_int_n(left) && is_int_n(right))))
		return false;
	type = lookup_type_cache(left, TYPECACHE_BTREE_OPFAMILY |
							 TYPECACHE_EQ_OPR);
	return OidIsValid(type->btree_opf) &&
		(operator == type->eq_opr ||
		 get_op_opfamily_strategy(operator, type->btree_opf) ==
		 BTEqualStrategyNumber);
}

/* Both functions of one kind in one family. */
static bool
find_hash_pair(Oid family, Oid left, Oid right, int16 kind, HashPair *pair)
{
	pair->left = get_opfamily_proc(family, left, left, kind);
	pair->right = get_opfamily_proc(family, right, right, kind);
	pair->to_64 = kind == HASHEXTENDED_PROC;
	return RegProcedureIsValid(pair->left) && RegProcedureIsValid(pair->right);
}

/*
 * The hash functions to use, the 64-bit ones if the family has both.  Which
 * family is used must not depend on the side that asks, and does not.
 */
static bool
find_hash_functions(Oid operator, HashPair *pair)
{
	CatCList   *entries = SearchSysCacheList1(AMOPOPID,
											  ObjectIdGetDatum(operator));
	bool		found = false;

	for (int i = 0; i < entries->n_members && !found; i++)
	{
		Form_pg_amop entry = (Form_pg_amop)
			GETSTRUCT(&entries->members[i]->tuple);

		if (entry->amopmethod != HASH_AM_OID ||
			entry->amopstrategy != HTEqualStrategyNumber)
			continue;
		found = find_hash_pair(entry->amopfamily, entry->amoplefttype,
							   entry->amoprighttype, HASHEXTENDED_PROC,
							   pair) ||
			find_hash_pair(entry->amopfamily, entry->amoplefttype,
						   entry->amoprighttype, HASHSTANDARD_PROC, pair);
	}
	ReleaseSysCacheList(entries);
	return found;
}

/*
 * Whether arrays, ranges and records can be hashed depends on what they are
 * made of, which an operator does not say.
 */
static bool
depends_on_elements(Oid type)
{
	return type == RECORDOID ||
		(IsPolymorphicType(type) && type != ANYENUMOID);
}

bool
ssdpar_key_can_be_coded(Oid operator)
{
	HashPair	pair;
	Oid			left;
	Oid			right;

	if (compares_integers(operator))
		return true;
	op_input_types(operator, &left, &right);
	return !depends_on_elements(left) && !depends_on_elements(right) &&
		op_hashjoinable(operator, left) &&
		find_hash_functions(operator, &pair);
}

bool
ssdpar_key_code_is_exact(const SsdparReducer *reducer)
{
	return reducer->ncolumns == 1 && compares_integers(reducer->operators[0]);
}

static void
prepare_column(CodedColumn *column, const SsdparReducer *reducer, int i,
			   SsdparKeySide side)
{
	Oid			operator = reducer->operators[i];
	bool		left_side = side == SSDPAR_SIDE_TARGET;
	Oid			left;
	Oid			right;
	HashPair	pair;

	column->number = left_side ? reducer->target_columns[i]
		: reducer->key_columns[i];
	column->collation = reducer->collations[i];
	if (compares_integers(operator))
	{
		op_input_types(operator, &left, &right);
		column->integer = ssdpar_integer_type(left_side ? left : right);
		return;
	}
	if (!find_hash_functions(operator, &pair))
		elog(ERROR, "no hash functions for operator %u", operator);
	column->hashes_to_64 = pair.to_64;
	fmgr_info(left_side ? pair.left : pair.right, &column->hash);
}

SsdparKeyCoder *
ssdpar_key_coder(const SsdparReducer *reducer, SsdparKeySide side)
{
	SsdparKeyCoder *coder = palloc0_object(SsdparKeyCoder);

	Assert(reducer->ncolumns >= 1 &&
		   reducer->ncolumns <= SSDPAR_MAX_KEY_COLUMNS);
	coder->ncolumns = reducer->ncolumns;
	for (int i = 0; i < coder->ncolumns; i++)
	{
		prepare_column(&coder->columns[i], reducer, i, side);
		Assert(coder->columns[i].number > 0);
		coder->last = Max(coder->last, coder->columns[i].number);
	}
	return coder;
}

static inline uint64
integer_code(SsdparIntegerType type, Datum value)
{
	switch (type)
	{
		case SSDPAR_INT16:
			return (uint64) (int64) DatumGetInt16(value);
		case SSDPAR_INT32:
			return (uint64) (int64) DatumGetInt32(value);
		case SSDPAR_INT64:
			return (uint64) DatumGetInt64(value);
		case SSDPAR_UINT32:
			return DatumGetUInt32(value);
		case SSDPAR_UINT8:
			return DatumGetUInt8(value);
		case SSDPAR_NOT_INTEGER:
			break;
	}
	pg_unreachable();
}

static uint64
hash_code(CodedColumn *column, Datum value)
{
	if (column->hashes_to_64)
		return DatumGetUInt64(FunctionCall2Coll(&column->hash,
												column->collation, value,
												UInt64GetDatum(0)));
	return DatumGetUInt32(FunctionCall1Coll(&column->hash, column->collation,
											value));
}

static inline uint64
column_code(CodedColumn *column, Datum value)
{
	return column->integer == SSDPAR_NOT_INTEGER ? hash_code(column, value)
		: integer_code(column->integer, value);
}

/* Columns are combined in the reducer's order, the same on both sides. */
bool
ssdpar_key_code(SsdparKeyCoder *coder, TupleTableSlot *slot, uint64 *code)
{
	uint64		all = 0;

	slot_getsomeattrs(slot, coder->last);
	for (int i = 0; i < coder->ncolumns; i++)
	{
		CodedColumn *column = &coder->columns[i];

		if (slot->tts_isnull[column->number - 1])
			return false;
	}
	if (coder->ncolumns == 1)
	{
		CodedColumn *column = &coder->columns[0];

		*code = column_code(column, slot->tts_values[column->number - 1]);
		return true;
	}
	for (int i = 0; i < coder->ncolumns; i++)
	{
		CodedColumn *column = &coder->columns[i];
		Datum		value = slot->tts_values[column->number - 1];

		all = hash_combine64(all, ssdpar_key_mix(column_code(column, value)));
	}
	*code = all;
	return true;
}
