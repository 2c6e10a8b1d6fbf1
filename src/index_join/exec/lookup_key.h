/*
 * lookup_key.h
 *		What an outer row is looked up by: a value for each of the index's
 *		first columns.
 */
#ifndef SSDPAR_JOIN_LOOKUP_KEY_H
#define SSDPAR_JOIN_LOOKUP_KEY_H

#include "nodes/execnodes.h"
#include "utils/relcache.h"

#include "index_join/join_plan.h"
#include "keys/key_code.h"

/* Of one column: integer, if it is taken as such. */
typedef union SsdparKeyValue
{
	int64		integer;
	Datum		datum;
} SsdparKeyValue;

typedef struct SsdparKeyPart
{
	AttrNumber	column;			/* of the outer row; 0: ... */
	ExprState  *constant;		/* ... this, the same for all rows of a scan */
	SsdparIntegerType integer;	/* how to take the value; or else ... */
	int16		length;			/* ... how to copy it, ... */
	bool		by_value;
	FmgrInfo   *order;			/* ... and what the index compares it with */
	Oid			collation;
	bool		descending;
} SsdparKeyPart;

typedef struct SsdparLookupKey
{
	int			nparts;
	SsdparKeyPart parts[SSDPAR_MAX_KEY_COLUMNS];
	ExprContext *context;		/* of constants */
} SsdparLookupKey;

/* Constants are those of the plan, for the expression context of parent. */
extern void ssdpar_lookup_key_init(SsdparLookupKey *key,
								   const SsdparIndexJoinPlan *plan,
								   List *constants, Relation index,
								   TupleDesc outer, PlanState *parent);

/*
 * The values of a row, copied into the current memory context.  False if one
 * is NULL, which equals nothing.
 */
extern bool ssdpar_lookup_key_take(const SsdparLookupKey *key,
								   TupleTableSlot *slot,
								   SsdparKeyValue *values);

/* As the index orders them. */
extern int	ssdpar_lookup_key_compare(const SsdparLookupKey *key,
									  const SsdparKeyValue *a,
									  const SsdparKeyValue *b);

#endif							/* SSDPAR_JOIN_LOOKUP_KEY_H */
