/*
 * outer_rows.h
 *		A batch of outer rows, with the key of each row.
 */
#ifndef SSDPAR_JOIN_OUTER_ROWS_H
#define SSDPAR_JOIN_OUTER_ROWS_H

#include "executor/tuptable.h"

#include "index_join/exec/counters.h"
#include "index_join/exec/lookup_key.h"

/* The number of a NULL key, which equals no key.  */
#define SSDPAR_NO_KEY UINT32_MAX

typedef struct SsdparOuterRow
{
	MinimalTuple tuple;
	bool		has_key;
	uint32		key;			/* its number, once looked up */
} SsdparOuterRow;

/*
 * Invariant: wanted >= 1; rows beyond count are not set.  The key of row i, if
 * it has one, is in the key->nparts values that start at values[i *
 * key->nparts].
 */
typedef struct SsdparOuterRows
{
	MemoryContext context;		/* of tuples, keys and the arrays */
	Size		memory;			/* limit in bytes */
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

/* Removes all rows.  */
extern void ssdpar_outer_rows_clear(SsdparOuterRows *rows);

/* May one more row be added?  The first row is always allowed.  */
extern bool ssdpar_outer_rows_has_room(const SsdparOuterRows *rows);

extern void ssdpar_outer_rows_add(SsdparOuterRows *rows, TupleTableSlot *slot);

#endif							/* SSDPAR_JOIN_OUTER_ROWS_H */
