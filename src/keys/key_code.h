/*
 * key_code.h
 *		Computes a 64-bit code from the key columns of a row.
 *
 * Equal keys have equal codes, also across types (int4 = int8) and across the
 * two sides of a join.  The codes of a single integer-like column (int2, int4,
 * int8, date, oid ...) are its values, ordered and exact.  Codes of other
 * types and of several columns are hashes, so different keys may have the same
 * code.  Therefore a set of codes may let too many rows pass, but never too
 * few.
 */
#ifndef SSDPAR_KEY_CODE_H
#define SSDPAR_KEY_CODE_H

#include "access/stratnum.h"
#include "fmgr.h"

#include "keys/join_key.h"

/*
 * How to extract an integer from a Datum.  Two values compare in their type's
 * default btree operator family as their integers do.
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
 * Arrays, ranges and records are compared and hashed by functions of their
 * element types, which neither the operator nor its family shows.
 */
extern bool ssdpar_type_depends_on_elements(Oid type);

/* Sign-extends, so that -1 is the same for all signed types.  */
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

/* Returns the number of bytes that one occupies in a row.  */
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
 * Returns the btree strategy (access/stratnum.h) by which the operator
 * compares two integers, and how to extract these from its left and right
 * argument; InvalidStrategy if it does something else.
 */
extern StrategyNumber ssdpar_integer_strategy(Oid operator,
											  SsdparIntegerType sides[2]);

/* Codes one side, target or key, of a join key.  */
typedef struct SsdparKeyCoder SsdparKeyCoder;

typedef enum SsdparKeySide
{
	SSDPAR_SIDE_TARGET,
	SSDPAR_SIDE_KEY,
} SsdparKeySide;

/* Creates a coder for a scan, in the current memory context.  */
extern SsdparKeyCoder *ssdpar_key_coder(const SsdparJoinKey *key,
										SsdparKeySide side);

/* Are the codes of this key its values, exact and in the same order?  */
extern bool ssdpar_key_code_is_exact(const SsdparJoinKey *key);

/*
 * Are they values of this type, which is the target column's?  A column may be
 * compared as another type with the same representation, for example an int4
 * as an oid, in which -1 is the greatest value.
 */
extern bool ssdpar_key_code_is_of_type(const SsdparJoinKey *key, Oid type);

/* Can columns compared in this way be coded at all?  For the planner.  */
extern bool ssdpar_key_can_be_coded(Oid operator, Oid collation);

/*
 * Returns the functions that code the two sides of such an operator;
 * InvalidOid if the values are the codes.
 */
extern void ssdpar_key_functions(Oid operator, Oid *target, Oid *key);

struct TupleTableSlot;

/*
 * Computes the code of the columns in slot, deforming the tuple only up to the
 * last of them.  Returns false if one is NULL, because a NULL equals no row.
 */
extern bool ssdpar_key_code(SsdparKeyCoder *coder, struct TupleTableSlot *slot,
							uint64 *code);

#endif							/* SSDPAR_KEY_CODE_H */
