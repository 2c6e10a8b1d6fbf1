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

#include "keys/key_set.h"

/* Columns of a row: their NULLs are bits of a word. */
#define SSDPAR_MAX_ROW_COLUMNS 64

/*
 * Fields are for key_rows.c and the functions below only.  A row is a code, a
 * word whose bit i says that column i is NULL, and a word for each column.
 * slots has rows' numbers counted from 1, 0 where there is none.
 */
typedef struct SsdparKeyRows
{
	uint64		nslots;
	bool		direct;			/* slot i is that of code least + i; else a
								 * hash table */
	uint64		least;
	int			ncolumns;
	uint64		by_reference;	/* bit i: column i's word is a distance */
	Size		rows_offset;
	uint32		slots[FLEXIBLE_ARRAY_MEMBER];
} SsdparKeyRows;

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
extern void ssdpar_key_rows_builder_free(SsdparKeyRowsBuilder *builder);

/* Words before those of the columns. */
#define SSDPAR_ROW_HEAD 2

/* The row of code, or NULL. */
static inline const uint64 *
ssdpar_key_rows_find(const SsdparKeyRows *rows, uint64 code)
{
	const uint64 *all =
		(const uint64 *) ((const char *) rows + rows->rows_offset);
	Size		words = SSDPAR_ROW_HEAD + rows->ncolumns;
	uint64		slot = code - rows->least;
	uint32		number;

	if (rows->direct)
	{
		number = slot < rows->nslots ? rows->slots[slot] : 0;
		return number > 0 ? all + (number - 1) * words : NULL;
	}
	slot = ssdpar_key_slot(ssdpar_key_mix(code), rows->nslots);
	while ((number = rows->slots[slot]) > 0)
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
