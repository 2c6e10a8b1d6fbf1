/*
 * key_rows.h
 *		Columns of a relation's rows, found by the rows' key codes.
 *
 * Flat like a key set, so that it can lie in shared memory: values that are
 * not passed by value lie behind the rows, found by their distance from the
 * beginning.  Of rows that share a code the first one is kept: it is for keys
 * that are unique, and for questions where any partner is as good as another.
 * Exact codes only (key_code.h): a code that is found is the key.
 *
 * There is no limit but memory: unlike a key set it cannot say yes too often,
 * so its user plans for as much as it will take.
 */
#ifndef SSDPAR_KEY_ROWS_H
#define SSDPAR_KEY_ROWS_H

#include "executor/tuptable.h"
#include "port/pg_bitutils.h"

#include "keys/key_set.h"

/* Columns of a row: their NULLs are bits of a word. */
#define SSDPAR_MAX_ROW_COLUMNS 64

/* Codes that lie close together, 64 of them: which have a row. */
typedef struct SsdparKeyRowsGroup
{
	uint64		bits;			/* bit i: code 64 * group + i has one */
	uint64		before;			/* rows of the groups before */
} SsdparKeyRowsGroup;

/*
 * Fields are for key_rows.c and the functions below only.  A row is a code, a
 * word whose bit i says that column i is NULL, and a word for each column.
 *
 * Dense: rows lie in the order of their codes, and a code's row is found by
 * counting bits, in a table that the processor's caches hold.  Else it is a
 * hash table of rows' numbers, counted from 1, 0 where there is none.
 */
typedef struct SsdparKeyRows
{
	uint64		nslots;			/* of the hash table, or 0: dense */
	uint64		least;			/* of dense codes */
	uint64		range;			/* the greatest - least */
	int			ncolumns;
	uint64		by_reference;	/* bit i: column i's word is a distance */
	Size		rows_offset;
	SsdparKeyRowsGroup groups[FLEXIBLE_ARRAY_MEMBER];	/* or uint32 slots */
} SsdparKeyRows;

static inline const uint32 *
ssdpar_key_rows_slots(const SsdparKeyRows *rows)
{
	return (const uint32 *) rows->groups;
}

typedef struct SsdparKeyRowsBuilder SsdparKeyRowsBuilder;

/*
 * Collects these columns of rows such as row, in the current memory context.
 */
extern SsdparKeyRowsBuilder *
			ssdpar_key_rows_builder(TupleDesc row, int ncolumns,
									const AttrNumber *columns);

/* Add the row in slot, whose key has this code. */
extern void ssdpar_key_rows_add(SsdparKeyRowsBuilder *builder, uint64 code,
								TupleTableSlot *slot);

/* Bytes that the result will take, and the result in as many of memory. */
extern Size ssdpar_key_rows_size(const SsdparKeyRowsBuilder *builder);
extern SsdparKeyRows *
			ssdpar_key_rows_build(const SsdparKeyRowsBuilder *builder,
								  void *memory);

/*
 * For another process: what has been collected, flat, and to be added to what
 * a builder of the same columns has.
 */
extern Size ssdpar_key_rows_flat_size(const SsdparKeyRowsBuilder *builder);
extern void ssdpar_key_rows_flatten(const SsdparKeyRowsBuilder *builder,
									void *memory);
extern void ssdpar_key_rows_add_flat(SsdparKeyRowsBuilder *builder,
									 const void *memory);
extern void ssdpar_key_rows_builder_free(SsdparKeyRowsBuilder *builder);

/* Words before those of the columns. */
#define SSDPAR_ROW_HEAD 2

/* The number of a dense code's row, counted from 0; -1: it has none. */
static inline int64
ssdpar_key_rows_rank(const SsdparKeyRows *rows, uint64 code)
{
	uint64		offset = code - rows->least;
	const SsdparKeyRowsGroup *group;
	uint64		bit;

	if (offset > rows->range)
		return -1;
	group = &rows->groups[offset / 64];
	bit = UINT64CONST(1) << (offset % 64);
	if ((group->bits & bit) == 0)
		return -1;
	return group->before + pg_popcount64(group->bits & (bit - 1));
}

/* The row of code, or NULL. */
static inline const uint64 *
ssdpar_key_rows_find(const SsdparKeyRows *rows, uint64 code)
{
	const uint64 *all =
		(const uint64 *) ((const char *) rows + rows->rows_offset);
	const uint32 *slots = ssdpar_key_rows_slots(rows);
	Size		words = SSDPAR_ROW_HEAD + rows->ncolumns;
	uint32		slot;
	uint32		number;

	if (rows->nslots == 0)
	{
		int64		rank = ssdpar_key_rows_rank(rows, code);

		return rank >= 0 ? all + rank * words : NULL;
	}
	slot = ssdpar_key_slot(ssdpar_key_mix(code), rows->nslots);
	while ((number = slots[slot]) > 0)
	{
		const uint64 *row = all + (number - 1) * words;

		if (row[0] == code)
			return row;
		if (++slot == rows->nslots)
			slot = 0;
	}
	return NULL;
}

/* Its columns; what they point to lives as long as rows. */
static inline void
ssdpar_key_rows_get(const SsdparKeyRows *rows, const uint64 *row,
					Datum *values, bool *is_null)
{
	for (int i = 0; i < rows->ncolumns; i++)
	{
		uint64		value = row[SSDPAR_ROW_HEAD + i];

		is_null[i] = (row[1] >> i & 1) != 0;
		values[i] = (rows->by_reference >> i & 1) != 0 ?
			PointerGetDatum((const char *) rows + value) : (Datum) value;
	}
}

#endif							/* SSDPAR_KEY_ROWS_H */
