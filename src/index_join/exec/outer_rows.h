/*
 * outer_rows.h
 *		A batch of outer rows, and of each the key to look up.
 */
#ifndef SSDPAR_JOIN_OUTER_ROWS_H
#define SSDPAR_JOIN_OUTER_ROWS_H

#include "executor/tuptable.h"

#include "index_join/exec/counters.h"
#include "index_join/exec/lookup_key.h"

/* The number of a key that is NULL, which no row equals. */
#define SSDPAR_NO_KEY UINT32_MAX

typedef struct SsdparOuterRow
{
	MinimalTuple tuple;
	bool		has_key;
	uint32		key;			/* its number once it is looked up */
} SsdparOuterRow;

/*
 * Invariant: 1 <= wanted; rows beyond count are not set.  Row i's key are the
 * key->nparts values from values[i * key->nparts] on, set if it has one.
 */
typedef struct SsdparOuterRows
{
	MemoryContext context;		/* of tuples, keys and the arrays */
	Size		memory;			/* bytes that they may take */
	uint32		wanted;			/* rows of the next batch */
	const SsdparLookupKey *key;
	SsdparOuterRow *rows;
	SsdparKeyValue *values;
	uint32		count;
	uint32		room;
} SsdparOuterRows;

extern void ssdpar_outer_rows_init(SsdparOuterRows *rows,
								   const SsdparLookupKey *key, Size memory);

static inline const SsdparKeyValue *
ssdpar_outer_row_key(const SsdparOuterRows *rows, const SsdparOuterRow *row)
{
	return rows->values + (Size) (row - rows->rows) * rows->key->nparts;
}

/* Drop all rows. */
extern void ssdpar_outer_rows_clear(SsdparOuterRows *rows);

/* May one more be added?  The first may always. */
extern bool ssdpar_outer_rows_has_room(const SsdparOuterRows *rows);

extern void ssdpar_outer_rows_add(SsdparOuterRows *rows, TupleTableSlot *slot);

#endif							/* SSDPAR_JOIN_OUTER_ROWS_H */
