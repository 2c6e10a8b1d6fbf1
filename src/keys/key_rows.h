/*
 * key_rows.h
 *		Columns of a relation's rows, found by the rows' key codes.
 *
 * Like a key set, it contains no pointers, so it can be placed in shared
 * memory: values that are not passed by value follow the rows, which store
 * their offsets from the beginning.  If several rows have the same code, the
 * first one is kept.  So it is suitable for unique keys, and if any partner
 * will do.  Codes must be exact (key_code.h), so that equal codes mean equal
 * keys.
 *
 * Its size is limited only by memory.  Unlike a key set it cannot become
 * inexact, so the user must plan for the memory that it takes.
 */
#ifndef SSDPAR_KEY_ROWS_H
#define SSDPAR_KEY_ROWS_H

#include "executor/tuptable.h"
#include "port/pg_bitutils.h"

#include "keys/key_set.h"

/* Maximum number of columns; their NULLs are bits of a word.  */
#define SSDPAR_MAX_ROW_COLUMNS 64

/* A group of 64 consecutive codes.  */
typedef struct SsdparKeyRowsGroup
{
	uint64		bits;			/* bit i: code 64 * group + i has a row */
	uint64		before;			/* number of rows in earlier groups */
} SsdparKeyRowsGroup;

/*
 * The fields are private to key_rows.c and the functions below.  A row
 * consists of a code, a word whose bit i tells that column i is NULL, and a
 * word for each column.
 *
 * If it is dense, rows are stored in the order of their codes.  A code's row
 * is found by counting bits in a table that fits in the CPU caches.  Otherwise
 * there is a hash table of row numbers, counting from 1; 0 marks a free slot.
 */
typedef struct SsdparKeyRows
{
	uint64		nslots;			/* of the hash table; 0: dense */
	uint64		least;			/* of dense codes */
	uint64		range;			/* the greatest - least */
	int			ncolumns;
	uint64		by_reference;	/* bit i: column i's word is an offset */
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
 * Creates a builder for these columns of rows of type row, in the current
 * memory context.
 */
extern SsdparKeyRowsBuilder *
			ssdpar_key_rows_builder(TupleDesc row, int ncolumns,
									const AttrNumber *columns);

/* Adds the row in slot, whose key has this code.  */
extern void ssdpar_key_rows_add(SsdparKeyRowsBuilder *builder, uint64 code,
								TupleTableSlot *slot);

/* Returns the size of the result; builds it in that many bytes of memory.  */
extern Size ssdpar_key_rows_size(const SsdparKeyRowsBuilder *builder);
extern SsdparKeyRows *
			ssdpar_key_rows_build(const SsdparKeyRowsBuilder *builder,
								  void *memory);

/*
 * To pass collected rows to another process: flattens them, and adds them to
 * those of a builder for the same columns.
 */
extern Size ssdpar_key_rows_flat_size(const SsdparKeyRowsBuilder *builder);
extern void ssdpar_key_rows_flatten(const SsdparKeyRowsBuilder *builder,
									void *memory);
extern void ssdpar_key_rows_add_flat(SsdparKeyRowsBuilder *builder,
									 const void *memory);
extern void ssdpar_key_rows_builder_free(SsdparKeyRowsBuilder *builder);

/* Number of words before those of the columns.  */
#define SSDPAR_ROW_HEAD 2

/*
 * Returns the number of a dense code's row, counting from 0; -1 if it has
 * none.
 */
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

/* Returns the row of code, or NULL. */
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

/* Returns the columns of a row; values by reference live as long as rows.  */
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
