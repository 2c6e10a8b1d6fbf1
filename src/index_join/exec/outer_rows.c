/*
 * outer_rows.c
 *		A batch of outer rows, with the key of each row.
 *
 * Each batch has twice as many rows as the previous one.  If a query may need
 * few rows (LIMIT), the first batch has one row, so that few unnecessary rows
 * are looked up, while a query that needs many rows soon has enough of them to
 * keep the device busy.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "index_join/exec/outer_rows.h"
#include "index_join/join_plan.h"

void
ssdpar_outer_rows_init(SsdparOuterRows *rows, const SsdparLookupKey *key,
					   Size memory)
{
	memset(rows, 0, sizeof(SsdparOuterRows));
	rows->context = AllocSetContextCreate(CurrentMemoryContext,
										  "SsdparIndexJoin outer rows",
										  ALLOCSET_DEFAULT_SIZES);
	rows->memory = memory;
	rows->wanted = 1;
	rows->key = key;
}

void
ssdpar_outer_rows_clear(SsdparOuterRows *rows)
{
	MemoryContextReset(rows->context);
	rows->rows = NULL;
	rows->values = NULL;
	rows->count = 0;
	rows->room = 0;
}

bool
ssdpar_outer_rows_has_room(const SsdparOuterRows *rows)
{
	return rows->count < rows->wanted && rows->count < SSDPAR_MOST_OUTER_ROWS &&
		(rows->count == 0 ||
		 MemoryContextMemAllocated(rows->context, false) < rows->memory);
}

static void
make_room(SsdparOuterRows *rows)
{
	Size		nvalues;

	if (rows->count < rows->room)
		return;
	rows->room = Max(2 * rows->room, 16);
	nvalues = (Size) rows->room * rows->key->nparts;
	rows->rows = rows->rows == NULL ?
		palloc_array(SsdparOuterRow, rows->room) :
		repalloc(rows->rows, rows->room * sizeof(SsdparOuterRow));
	rows->values = rows->values == NULL ?
		palloc_array(SsdparKeyValue, nvalues) :
		repalloc(rows->values, nvalues * sizeof(SsdparKeyValue));
}

void
ssdpar_outer_rows_add(SsdparOuterRows *rows, TupleTableSlot *slot)
{
	MemoryContext before = MemoryContextSwitchTo(rows->context);
	SsdparOuterRow *row;

	make_room(rows);
	row = &rows->rows[rows->count];
	row->key = SSDPAR_NO_KEY;
	row->has_key =
		ssdpar_lookup_key_take(rows->key, slot, rows->values +
							   (Size) rows->count * rows->key->nparts);
	row->tuple = ExecCopySlotMinimalTuple(slot);
	rows->count++;
	MemoryContextSwitchTo(before);
}
