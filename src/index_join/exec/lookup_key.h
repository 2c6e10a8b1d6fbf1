/*
 * lookup_key.h
 *		The key by which an outer row is looked up: a value for each of the
 *		index's first columns.
 */
#ifndef SSDPAR_JOIN_LOOKUP_KEY_H
#define SSDPAR_JOIN_LOOKUP_KEY_H

#include "nodes/execnodes.h"
#include "utils/relcache.h"

#include "index_join/join_plan.h"
#include "keys/key_code.h"

/* The value of one column; integer, if it is stored as such.  */
typedef union SsdparKeyValue
{
	int64		integer;
	Datum		datum;
} SsdparKeyValue;

typedef struct SsdparKeyPart
{
	AttrNumber	column;			/* of the outer row, or 0 and ... */
	ExprState  *constant;		/* ... this, the same for all rows of a scan */
	SsdparIntegerType integer;	/* how to extract an integer, or else ... */
	int16		length;			/* ... how to copy the value ... */
	bool		by_value;
	FmgrInfo   *order;			/* ... and the index's comparison function */
	Oid			collation;
	bool		descending;
} SsdparKeyPart;

typedef struct SsdparLookupKey
{
	int			nparts;
	SsdparKeyPart parts[SSDPAR_MAX_KEY_COLUMNS];
	ExprContext *context;		/* of constants */
} SsdparLookupKey;

/*
 * Initializes the key.  constants are the plan's; they use parent's expression
 * context.
 */
extern void ssdpar_lookup_key_init(SsdparLookupKey *key,
								   const SsdparIndexJoinPlan *plan,
								   List *constants, Relation index,
								   TupleDesc outer, PlanState *parent);

/*
 * Copies the values of a row into the current memory context.  Returns false
 * if one is NULL, which equals nothing.
 */
extern bool ssdpar_lookup_key_take(const SsdparLookupKey *key,
								   TupleTableSlot *slot,
								   SsdparKeyValue *values);

/* Compares keys in the index's order.  */
extern int	ssdpar_lookup_key_compare(const SsdparLookupKey *key,
									  const SsdparKeyValue *a,
									  const SsdparKeyValue *b);

#endif							/* SSDPAR_JOIN_LOOKUP_KEY_H */
