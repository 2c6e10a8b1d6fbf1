/*
 * key_code.h
 *		Turns the key columns of a row into one 64-bit code.
 *
 * Equal keys have equal codes, also across types (int4 = int8) and across the
 * two sides of a join.  The codes of a single integer-like column (int2, int4,
 * int8, date, oid ...) are its values, ordered and exact; those of other types
 * and of several columns are hashes, so that different keys may share a code.
 * That is why a set of codes may let too many rows pass, and never too few.
 */
#ifndef SSDPAR_KEY_CODE_H
#define SSDPAR_KEY_CODE_H

#include "access/stratnum.h"
#include "fmgr.h"

#include "keys/join_key.h"

/*
 * How to take an integer out of a Datum.  Two values are equal, or less, in
 * their type's default btree operator family, if their integers are.
 */
typedef enum SsdparIntegerType
{
	SSDPAR_NOT_INTEGER,
	SSDPAR_INT16,
	SSDPAR_INT32,
	SSDPAR_INT64,
	SSDPAR_UINT32,
	SSDPAR_UINT8,
} SsdparIntegerType;

extern SsdparIntegerType ssdpar_integer_type(Oid type);

/*
 * Arrays, ranges and records are compared and hashed by functions of what they
 * are made of, of which neither an operator nor its family says anything.
 */
extern bool ssdpar_type_depends_on_elements(Oid type);

/* Sign-extended, so that -1 is the same in all of the signed types. */
static inline int64
ssdpar_integer_value(SsdparIntegerType type, Datum value)
{
	switch (type)
	{
		case SSDPAR_INT16:
			return DatumGetInt16(value);
		case SSDPAR_INT32:
			return DatumGetInt32(value);
		case SSDPAR_INT64:
			return DatumGetInt64(value);
		case SSDPAR_UINT32:
			return DatumGetUInt32(value);
		case SSDPAR_UINT8:
			return DatumGetUInt8(value);
		case SSDPAR_NOT_INTEGER:
			break;
	}
	pg_unreachable();
}

/* Bytes that one takes in a row. */
static inline int
ssdpar_integer_size(SsdparIntegerType type)
{
	switch (type)
	{
		case SSDPAR_INT16:
			return sizeof(int16);
		case SSDPAR_INT32:
		case SSDPAR_UINT32:
			return sizeof(int32);
		case SSDPAR_INT64:
			return sizeof(int64);
		case SSDPAR_UINT8:
			return sizeof(uint8);
		case SSDPAR_NOT_INTEGER:
			break;
	}
	return 0;
}

/*
 * The btree strategy (access/stratnum.h) by which an operator compares two
 * integers as such, and how to take these out of its left and its right side;
 * InvalidStrategy if it does something else.
 */
extern StrategyNumber ssdpar_integer_strategy(Oid operator,
											  SsdparIntegerType sides[2]);

/* Codes one side, target or key, of a join key. */
typedef struct SsdparKeyCoder SsdparKeyCoder;

typedef enum SsdparKeySide
{
	SSDPAR_SIDE_TARGET,
	SSDPAR_SIDE_KEY,
} SsdparKeySide;

/* Made once a scan, in the current memory context. */
extern SsdparKeyCoder *ssdpar_key_coder(const SsdparJoinKey *key,
										SsdparKeySide side);

/* Are the codes of this key its values, exact and ordered as these are? */
extern bool ssdpar_key_code_is_exact(const SsdparJoinKey *key);

/*
 * Are they those of the target column as its own type has it?  A column is
 * compared as another one where that looks the same: an int4 as an oid, of
 * which -1 is the greatest.
 */
extern bool ssdpar_key_code_is_of_type(const SsdparJoinKey *key, Oid type);

/* Can columns compared so be coded at all?  For the planner. */
extern bool ssdpar_key_can_be_coded(Oid operator, Oid collation);

/*
 * The functions that code the two sides of such an operator; InvalidOid where
 * the values are the codes.
 */
extern void ssdpar_key_functions(Oid operator, Oid *target, Oid *key);

struct TupleTableSlot;

/*
 * The code of the columns' values in slot, taken out of the tuple no further
 * than the last of them.  False if one is NULL: no row equals it.
 */
extern bool ssdpar_key_code(SsdparKeyCoder *coder, struct TupleTableSlot *slot,
							uint64 *code);

#endif							/* SSDPAR_KEY_CODE_H */
