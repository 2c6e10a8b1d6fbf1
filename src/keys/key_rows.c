/*
 * key_rows.c
 *		Collects columns of rows by the rows' key codes.
 *
 * The builder keeps rows in one array, the values that they point to in
 * another, and a hash table of row numbers to detect codes that already exist.
 * The result contains the three in sequence.  If the codes are dense, a bit
 * map replaces the hash table, so that a lookup needs no hash, and the rows
 * are stored in the order of their codes.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/expandeddatum.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "keys/key_rows.h"
#include "keys/long_loop.h"

#define FIRST_SLOTS 1024
#define FIRST_BYTES 8192

/* Rows are numbered in 32 bits, and there are twice as many slots.  */
#define MAX_ROWS (UINT64CONST(1) << 30)

/*
 * Maximum number of codes for each row in a dense result; a hash table is not
 * smaller up to this.
 */
#define DENSE_CODES 32

/* Invariants: count <= room, 2 * count < nslots.  */
struct SsdparKeyRowsBuilder
{
	MemoryContext context;
	TupleDesc	row;
	int			ncolumns;
	const AttrNumber *columns;
	AttrNumber	last_column;
	uint64		by_reference;	/* bit i: column i is */
	uint64		least;			/* codes, as signed integers */
	uint64		greatest;
	uint64		count;
	uint64		room;			/* in rows */
	uint64	   *rows;			/* offsets are relative to bytes */
	uint32		nslots;
	uint32	   *slots;
	Size		nbytes;
	Size		bytes_room;
	char	   *bytes;
};

static Size
row_words(const SsdparKeyRowsBuilder *builder)
{
	return SSDPAR_ROW_HEAD + builder->ncolumns;
}

static void *
allocate(SsdparKeyRowsBuilder *builder, Size size)
{
	return MemoryContextAllocHuge(builder->context, size);
}

SsdparKeyRowsBuilder *
ssdpar_key_rows_builder(TupleDesc row, int ncolumns, const AttrNumber *columns)
{
	SsdparKeyRowsBuilder *builder = palloc0_object(SsdparKeyRowsBuilder);

	Assert(ncolumns <= SSDPAR_MAX_ROW_COLUMNS);
	builder->context = CurrentMemoryContext;
	builder->row = row;
	builder->ncolumns = ncolumns;
	builder->columns = columns;
	for (int i = 0; i < ncolumns; i++)
	{
		builder->last_column = Max(builder->last_column, columns[i]);
		if (!TupleDescAttr(row, columns[i] - 1)->attbyval)
			builder->by_reference |= UINT64CONST(1) << i;
	}
	builder->nslots = FIRST_SLOTS;
	builder->slots = palloc0(FIRST_SLOTS * sizeof(uint32));
	builder->room = FIRST_SLOTS / 2;
	builder->rows = allocate(builder, builder->room * row_words(builder) *
							 sizeof(uint64));
	builder->bytes_room = FIRST_BYTES;
	builder->bytes = palloc(FIRST_BYTES);
	return builder;
}

/* Returns the slot of code, or the free slot where it belongs.  */
static uint32
find_slot(const uint32 *slots, uint32 nslots, const uint64 *rows, Size words,
		  uint64 code)
{
	uint32		slot = ssdpar_key_slot(ssdpar_key_mix(code), nslots);

	while (slots[slot] > 0 && rows[(slots[slot] - 1) * words] != code)
	{
		if (++slot == nslots)
			slot = 0;
	}
	return slot;
}

/* Fills a hash table with all rows.  */
static void
fill_slots(const SsdparKeyRowsBuilder *builder, uint32 *slots, uint32 nslots)
{
	Size		words = row_words(builder);

	for (uint64 i = 0; i < builder->count; i++)
	{
		uint64		code = builder->rows[i * words];

		ssdpar_heed_interrupts(i);
		slots[find_slot(slots, nslots, builder->rows, words, code)] = i + 1;
	}
}

/* Makes room for one more row.  */
static void
grow(SsdparKeyRowsBuilder *builder)
{
	if (builder->count + 1 < builder->room)
		return;
	if (builder->room >= MAX_ROWS)
		elog(ERROR, "too many rows in a dimension of a star scan");
	builder->room *= 2;
	builder->rows = repalloc_huge(builder->rows, builder->room *
								  row_words(builder) * sizeof(uint64));
	pfree(builder->slots);
	builder->nslots = builder->room * 2;
	builder->slots =
		MemoryContextAllocExtended(builder->context,
								   builder->nslots * sizeof(uint32),
								   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	fill_slots(builder, builder->slots, builder->nslots);
}

/* Makes room for size more bytes.  */
static void
grow_bytes(SsdparKeyRowsBuilder *builder, Size size)
{
	while (builder->nbytes + size > builder->bytes_room)
	{
		builder->bytes_room *= 2;
		builder->bytes = repalloc_huge(builder->bytes, builder->bytes_room);
	}
}

/*
 * Copies the value and returns its offset in bytes.  Out-of-line values are
 * not fetched, as in core's hash tables, because the snapshot protects them.
 */
static uint64
add_bytes(SsdparKeyRowsBuilder *builder, Datum value, int16 length)
{
	bool		expanded = length == -1 &&
		VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value));
	Size		size = expanded ? EOH_get_flat_size(DatumGetEOHP(value)) :
		datumGetSize(value, false, length);
	Size		place = builder->nbytes;

	grow_bytes(builder, MAXALIGN(size));
	if (expanded)
		EOH_flatten_into(DatumGetEOHP(value), builder->bytes + place, size);
	else
		memcpy(builder->bytes + place, DatumGetPointer(value), size);
	builder->nbytes += MAXALIGN(size);
	return place;
}

static void
note_range(SsdparKeyRowsBuilder *builder, uint64 code)
{
	if (builder->count == 0 || (int64) code < (int64) builder->least)
		builder->least = code;
	if (builder->count == 0 || (int64) code > (int64) builder->greatest)
		builder->greatest = code;
}

/* Returns a row to be filled in; NULL if there is one with this code.  */
static uint64 *
add_row(SsdparKeyRowsBuilder *builder, uint64 code)
{
	Size		words = row_words(builder);
	uint64	   *row;
	uint32		place;

	grow(builder);
	place = find_slot(builder->slots, builder->nslots, builder->rows, words,
					  code);
	if (builder->slots[place] > 0)
		return NULL;
	note_range(builder, code);
	row = builder->rows + builder->count * words;
	row[0] = code;
	builder->slots[place] = ++builder->count;
	return row;
}

void
ssdpar_key_rows_add(SsdparKeyRowsBuilder *builder, uint64 code,
					TupleTableSlot *slot)
{
	uint64	   *row = add_row(builder, code);

	if (row == NULL)
		return;
	row[1] = 0;
	slot_getsomeattrs(slot, builder->last_column);
	for (int i = 0; i < builder->ncolumns; i++)
	{
		int			column = builder->columns[i] - 1;
		Datum		value = slot->tts_values[column];

		if (slot->tts_isnull[column])
		{
			row[1] |= UINT64CONST(1) << i;
			value = 0;
		}
		else if ((builder->by_reference >> i & 1) != 0)
			value = add_bytes(builder, value,
							  TupleDescAttr(builder->row, column)->attlen);
		row[SSDPAR_ROW_HEAD + i] = value;
	}
}

/*
 * Fills in the head of the result, which determines all positions; returns the
 * size.
 */
static Size
lay_out(const SsdparKeyRowsBuilder *builder, SsdparKeyRows *head)
{
	Size		table;

	memset(head, 0, offsetof(SsdparKeyRows, groups));
	head->ncolumns = builder->ncolumns;
	head->by_reference = builder->by_reference;
	head->least = builder->least;
	head->range = builder->greatest - builder->least;
	if (head->range < builder->count * DENSE_CODES)
		table = (head->range / 64 + 1) * sizeof(SsdparKeyRowsGroup);
	else
	{
		head->nslots = builder->count * 2 + 1;
		table = MAXALIGN(head->nslots * sizeof(uint32));
	}
	head->rows_offset = MAXALIGN(offsetof(SsdparKeyRows, groups) + table);
	return head->rows_offset + builder->nbytes +
		builder->count * row_words(builder) * sizeof(uint64);
}

Size
ssdpar_key_rows_size(const SsdparKeyRowsBuilder *builder)
{
	SsdparKeyRows head;

	return lay_out(builder, &head);
}

/* Makes offsets relative to the start of the result.  */
static void
move_distances(const SsdparKeyRows *result, uint64 *rows, uint64 count,
			   uint64 start)
{
	Size		words = SSDPAR_ROW_HEAD + result->ncolumns;

	if (result->by_reference == 0)
		return;
	for (uint64 i = 0; i < count; i++)
	{
		ssdpar_heed_interrupts(i);
		for (int j = 0; j < result->ncolumns; j++)
		{
			if ((result->by_reference >> j & 1) != 0)
				rows[i * words + SSDPAR_ROW_HEAD + j] += start;
		}
	}
}

/* Sets which codes have a row, and how many rows precede each group.  */
static void
fill_groups(const SsdparKeyRowsBuilder *builder, SsdparKeyRows *result)
{
	Size		words = row_words(builder);
	uint64		before = 0;

	for (uint64 i = 0; i < builder->count; i++)
	{
		uint64		offset = builder->rows[i * words] - result->least;

		ssdpar_heed_interrupts(i);
		result->groups[offset / 64].bits |= UINT64CONST(1) << (offset % 64);
	}
	for (uint64 i = 0; i <= result->range / 64; i++)
	{
		ssdpar_heed_interrupts(i);
		result->groups[i].before = before;
		before += pg_popcount64(result->groups[i].bits);
	}
	Assert(before == builder->count);
}

/* Copies the rows in the order of their codes.  */
static void
copy_dense(const SsdparKeyRowsBuilder *builder, const SsdparKeyRows *result,
		   uint64 *rows)
{
	Size		words = row_words(builder);

	for (uint64 i = 0; i < builder->count; i++)
	{
		const uint64 *row = builder->rows + i * words;

		ssdpar_heed_interrupts(i);
		memcpy(rows + ssdpar_key_rows_rank(result, row[0]) * words, row,
			   words * sizeof(uint64));
	}
}

SsdparKeyRows *
ssdpar_key_rows_build(const SsdparKeyRowsBuilder *builder, void *memory)
{
	SsdparKeyRows *result = memory;
	Size		rows_size = builder->count * row_words(builder) *
		sizeof(uint64);
	char	   *rows;

	(void) lay_out(builder, result);
	memset(result->groups, 0, result->rows_offset -
		   offsetof(SsdparKeyRows, groups));
	rows = (char *) result + result->rows_offset;
	if (result->nslots == 0)
	{
		fill_groups(builder, result);
		copy_dense(builder, result, (uint64 *) rows);
	}
	else
	{
		fill_slots(builder, (uint32 *) result->groups, result->nslots);
		memcpy(rows, builder->rows, rows_size);
	}
	memcpy(rows + rows_size, builder->bytes, builder->nbytes);
	move_distances(result, (uint64 *) rows, builder->count,
				   result->rows_offset + rows_size);
	return result;
}

/* Followed by the rows and the values that they point to.  */
typedef struct FlatRows
{
	uint64		count;
	Size		nbytes;
	uint64		rows[FLEXIBLE_ARRAY_MEMBER];
} FlatRows;

static Size
rows_bytes(const SsdparKeyRowsBuilder *builder, uint64 count)
{
	return count * row_words(builder) * sizeof(uint64);
}

Size
ssdpar_key_rows_flat_size(const SsdparKeyRowsBuilder *builder)
{
	return offsetof(FlatRows, rows) + rows_bytes(builder, builder->count) +
		builder->nbytes;
}

void
ssdpar_key_rows_flatten(const SsdparKeyRowsBuilder *builder, void *memory)
{
	FlatRows   *flat = memory;
	Size		size = rows_bytes(builder, builder->count);

	flat->count = builder->count;
	flat->nbytes = builder->nbytes;
	memcpy(flat->rows, builder->rows, size);
	memcpy((char *) flat->rows + size, builder->bytes, builder->nbytes);
}

/* The values of rows whose code already exists remain unused.  */
void
ssdpar_key_rows_add_flat(SsdparKeyRowsBuilder *builder, const void *memory)
{
	const FlatRows *flat = memory;
	Size		words = row_words(builder);
	Size		before = builder->nbytes;

	grow_bytes(builder, flat->nbytes);
	memcpy(builder->bytes + before,
		   (const char *) flat->rows + rows_bytes(builder, flat->count),
		   flat->nbytes);
	builder->nbytes += flat->nbytes;
	for (uint64 i = 0; i < flat->count; i++)
	{
		uint64	   *row = add_row(builder, flat->rows[i * words]);

		ssdpar_heed_interrupts(i);
		if (row == NULL)
			continue;
		memcpy(row, flat->rows + i * words, words * sizeof(uint64));
		for (int j = 0; j < builder->ncolumns; j++)
		{
			if ((builder->by_reference >> j & 1) != 0)
				row[SSDPAR_ROW_HEAD + j] += before;
		}
	}
}

void
ssdpar_key_rows_builder_free(SsdparKeyRowsBuilder *builder)
{
	pfree(builder->rows);
	pfree(builder->slots);
	pfree(builder->bytes);
	pfree(builder);
}
