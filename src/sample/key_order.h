/*
 * key_order.h
 *		Values of an index's first column in the index's order.
 */
#ifndef SSDPAR_SAMPLE_KEY_ORDER_H
#define SSDPAR_SAMPLE_KEY_ORDER_H

#include "fmgr.h"

#include "keys/key_code.h"

typedef struct SsdparKeyOrder
{
	SsdparIntegerType type;		/* of the index's column */
	FmgrInfo   *compare;		/* the index's function, if that is none */
	Oid			collation;
} SsdparKeyOrder;

typedef struct SsdparKeyValue
{
	Datum		value;
	int64		integer;		/* the same, if the order is that of integers */
} SsdparKeyValue;

static inline int
ssdpar_compare_key_values(const SsdparKeyOrder *order,
						  const SsdparKeyValue *one,
						  const SsdparKeyValue *other)
{
	if (order->type != SSDPAR_NOT_INTEGER)
		return (one->integer > other->integer) -
			(one->integer < other->integer);
	return DatumGetInt32(FunctionCall2Coll(order->compare, order->collation,
										   one->value, other->value));
}

#endif							/* SSDPAR_SAMPLE_KEY_ORDER_H */
