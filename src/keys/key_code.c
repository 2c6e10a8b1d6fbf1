/*
 * key_code.c
 *		Computes a 64-bit code from the key columns of a row.
 *
 * Integer-like types use their values as codes.  All other types are hashed by
 * the hash operator family that the equality operator belongs to, each side
 * with the function for its type, with the operator's collation.  So values
 * that the operator considers equal have equal codes: -0 and 0, numerics of
 * different scale, bpchar with and without padding, and strings that are equal
 * in a nondeterministic collation.
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

#include "base/compat.h"
#include "keys/key_code.h"
#include "keys/key_set.h"

typedef struct CodedColumn
{
	AttrNumber	number;
	SsdparIntegerType integer;
	FmgrInfo	hash;			/* if it is not an integer */
	bool		hashes_to_64;	/* extended function, with a seed */
	Oid			collation;
} CodedColumn;

struct SsdparKeyCoder
{
	int			ncolumns;
	AttrNumber	last;			/* the highest column number */
	CodedColumn columns[SSDPAR_MAX_KEY_COLUMNS];
};

/*
 * The hash functions of an equality operator, for its left and right type.
 * They must be of the same family and the same kind; only then do equal values
 * of both types have equal hashes.
 */
typedef struct HashPair
{
	RegProcedure left;
	RegProcedure right;
	bool		to_64;
} HashPair;

/*
 * Depends only on the representation; compares_integers() checks the operator.
 * Types of extensions are hashed.
 */
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
 * int2, int4 and int8 are comparable as integers across types.  A date is an
 * integer too, but its unit differs from that of a timestamp that it may be
 * compared with.  The operators must be those of the type's default order,
 * which are core's and do not fail.
 */
StrategyNumber
ssdpar_integer_strategy(Oid operator, SsdparIntegerType sides[2])
{
	Oid			left;
	Oid			right;
	TypeCacheEntry *type;

	op_input_types(operator, &left, &right);
	sides[0] = ssdpar_integer_type(left);
	sides[1] = ssdpar_integer_type(right);
	if (sides[0] == SSDPAR_NOT_INTEGER ||
		(left != right && !(is_int_n(left) && is_int_n(right))))
		return InvalidStrategy;
	type = lookup_type_cache(left, TYPECACHE_BTREE_OPFAMILY |
							 TYPECACHE_EQ_OPR);
	if (!OidIsValid(type->btree_opf))
		return InvalidStrategy;
	if (operator == type->eq_opr)
		return BTEqualStrategyNumber;
	return get_op_opfamily_strategy(operator, type->btree_opf);
}

/* Does this operator compare two integers for equality?  */
static bool
compares_integers(Oid operator)
{
	SsdparIntegerType sides[2];

	return ssdpar_integer_strategy(operator, sides) == BTEqualStrategyNumber;
}

/* Looks up both functions of one kind in one family.  */
static bool
find_hash_pair(Oid family, Oid left, Oid right, int16 kind, HashPair *pair)
{
	pair->left = get_opfamily_proc(family, left, left, kind);
	pair->right = get_opfamily_proc(family, right, right, kind);
	pair->to_64 = kind == HASHEXTENDED_PROC;
	return RegProcedureIsValid(pair->left) && RegProcedureIsValid(pair->right);
}

/*
 * Finds the hash functions to use, the 64-bit ones if the family has both.
 * The family must not depend on which side asks, and it does not.
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

bool
ssdpar_type_depends_on_elements(Oid type)
{
	return type == RECORDOID ||
		(IsPolymorphicType(type) && type != ANYENUMOID);
}

/*
 * Core hashes a name by its bytes, even if its collation considers other bytes
 * equal, but it hashes a text that the name is compared with by its collation.
 */
static bool
is_hashed_as_compared(Oid left, Oid right, Oid collation)
{
	return (left != NAMEOID && right != NAMEOID) || !OidIsValid(collation) ||
		get_collation_isdeterministic(collation);
}

/*
 * Refuses operators that are not the equality operator of a hash family,
 * because equal codes would have no meaning for them.
 */
bool
ssdpar_key_can_be_coded(Oid operator, Oid collation)
{
	HashPair	pair;
	Oid			left;
	Oid			right;

	if (compares_integers(operator))
		return true;
	op_input_types(operator, &left, &right);
	return !ssdpar_type_depends_on_elements(left) &&
		!ssdpar_type_depends_on_elements(right) &&
		is_hashed_as_compared(left, right, collation) &&
		op_hashjoinable(operator, left) &&
		find_hash_functions(operator, &pair);
}

/*
 * Returns the functions used for coding, so that the planner can refuse those
 * that may fail; a join calls them only if the other side has rows.  Integers
 * need none.
 */
void
ssdpar_key_functions(Oid operator, Oid *target, Oid *key)
{
	HashPair	pair = {InvalidOid, InvalidOid, false};

	if (!compares_integers(operator))
		(void) find_hash_functions(operator, &pair);
	*target = pair.left;
	*key = pair.right;
}

bool
ssdpar_key_code_is_exact(const SsdparJoinKey *key)
{
	return key->ncolumns == 1 && compares_integers(key->operators[0]);
}

bool
ssdpar_key_code_is_of_type(const SsdparJoinKey *key, Oid type)
{
	Oid			left;
	Oid			right;

	if (!ssdpar_key_code_is_exact(key))
		return false;
	op_input_types(key->operators[0], &left, &right);
	return left == type;
}

/*
 * For a cross-type operator, each side is coded by its own type; the codes of
 * 5 as int4 and as int8 are equal.
 */
static void
prepare_column(CodedColumn *column, const SsdparJoinKey *key, int i,
			   SsdparKeySide side)
{
	Oid			operator = key->operators[i];
	bool		left_side = side == SSDPAR_SIDE_TARGET;
	Oid			left;
	Oid			right;
	HashPair	pair;

	column->number = left_side ? key->target_columns[i]
		: key->key_columns[i];
	column->collation = key->collations[i];
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
ssdpar_key_coder(const SsdparJoinKey *key, SsdparKeySide side)
{
	SsdparKeyCoder *coder = palloc0_object(SsdparKeyCoder);

	Assert(key->ncolumns >= 1 &&
		   key->ncolumns <= SSDPAR_MAX_KEY_COLUMNS);
	coder->ncolumns = key->ncolumns;
	for (int i = 0; i < coder->ncolumns; i++)
	{
		prepare_column(&coder->columns[i], key, i, side);
		Assert(coder->columns[i].number > 0);
		coder->last = Max(coder->last, coder->columns[i].number);
	}
	return coder;
}

/*
 * Returns an integer's value, or a hash with the extended function's seed 0.
 * A type with only 32-bit hashes has more collisions, which makes the set less
 * exact but never wrong.
 */
static inline uint64
column_code(CodedColumn *column, Datum value)
{
	if (column->integer != SSDPAR_NOT_INTEGER)
		return (uint64) ssdpar_integer_value(column->integer, value);
	if (column->hashes_to_64)
		return DatumGetUInt64(FunctionCall2Coll(&column->hash,
												column->collation, value,
												UInt64GetDatum(0)));
	return DatumGetUInt32(FunctionCall1Coll(&column->hash, column->collation,
											value));
}

/*
 * Columns are combined in the key's order, which is the same on both sides.
 * All columns are checked for NULL before anything is hashed, because a NULL's
 * Datum is undefined.
 */
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
