/*
 * outer_rows.h
 *		A batch of outer rows, and of each the key to look up.
 */
#ifndef SSDPAR_JOIN_OUTER_ROWS_H
#define SSDPAR_JOIN_OUTER_ROWS_H

#include "executor/tuptable.h"

#include "index_join/exec/counters.h"
#include "keys/key_code.h"

/* The number of a key that is NULL, which no row equals. */
#define SSDPAR_NO_KEY UINT32_MAX

typedef struct SsdparOuterRow
{
	MinimalTuple tuple;
	bool		has_key;
	int64		integer;		/* the key: this, or else ... */
	Datum		value;			/* ... that */
	uint32		key;			/* its number once it is looked up */
} SsdparOuterRow;

/* Invariant: 1 <= wanted; rows beyond count are not set. */
typedef struct SsdparOuterRows
{
	MemoryContext context;		/* of tuples, keys and the array */
	Size		memory;			/* bytes that they may take */
	uint32		wanted;			/* rows of the next batch */
	AttrNumber	column;			/* the key's */
	SsdparIntegerType integer;	/* how to take the key; or else ... */
	int16		key_length;		/* ... how to copy it */
	bool		key_by_value;
	SsdparOuterRow *rows;
	uint32		count;
	uint32		room;
} SsdparOuterRows;

/* Rows such as row; integer: their keys are looked up as integers. */
extern void ssdpar_outer_rows_init(SsdparOuterRows *rows, TupleDesc row,
								   AttrNumber column, bool integer,
								   Size memory);

/* Drop all rows. */
extern void ssdpar_outer_rows_clear(SsdparOuterRows *rows);

/* May one more be added?  The first may always. */
extern bool ssdpar_outer_rows_has_room(const SsdparOuterRows *rows);

extern void ssdpar_outer_rows_add(SsdparOuterRows *rows, TupleTableSlot *slot);

#endif							/* SSDPAR_JOIN_OUTER_ROWS_H */
