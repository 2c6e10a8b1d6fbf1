/*
 * outer_rows.c
 *		A batch of outer rows, and of each the key to look up.
 *
 * The first batch has one row and each one more twice as many as the one
 * before, so that a query which wants few rows (LIMIT) has few looked up that
 * it does not want, and one that wants many soon has enough of them to keep
 * the device busy.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "index_join/exec/outer_rows.h"

/* More rows at a time read hardly fewer pages. */
#define MOST_ROWS (256 * 1024)

void
ssdpar_outer_rows_init(SsdparOuterRows *rows, TupleDesc row,
					   AttrNumber column, bool integer, Size memory)
{
	Form_pg_attribute key = TupleDescAttr(row, column - 1);

	memset(rows, 0, sizeof(SsdparOuterRows));
	rows->context = AllocSetContextCreate(CurrentMemoryContext,
										  "SsdparIndexJoin outer rows",
										  ALLOCSET_DEFAULT_SIZES);
	rows->memory = memory;
	rows->wanted = 1;
	rows->column = column;
	rows->key_length = key->attlen;
	rows->key_by_value = key->attbyval;
	rows->integer = integer ? ssdpar_integer_type(key->atttypid)
		: SSDPAR_NOT_INTEGER;
	if (integer && rows->integer == SSDPAR_NOT_INTEGER)
		elog(ERROR, "key of type %u is no integer", key->atttypid);
}

void
ssdpar_outer_rows_clear(SsdparOuterRows *rows)
{
	MemoryContextReset(rows->context);
	rows->rows = NULL;
	rows->count = 0;
	rows->room = 0;
}

bool
ssdpar_outer_rows_has_room(const SsdparOuterRows *rows)
{
	return rows->count < rows->wanted && rows->count < MOST_ROWS &&
		(rows->count == 0 ||
		 MemoryContextMemAllocated(rows->context, false) < rows->memory);
}

static void
make_room(SsdparOuterRows *rows)
{
	if (rows->count < rows->room)
		return;
	rows->room = Max(2 * rows->room, 16);
	rows->rows = rows->rows == NULL ?
		palloc_array(SsdparOuterRow, rows->room) :
		repalloc(rows->rows, rows->room * sizeof(SsdparOuterRow));
}

/*
 * The key is compared many times: values are taken out of what compresses
 * them once.
 */
static void
take_key(const SsdparOuterRows *rows, SsdparOuterRow *row,
		 TupleTableSlot *slot)
{
	bool		is_null;
	Datum		value = slot_getattr(slot, rows->column, &is_null);

	row->has_key = !is_null;
	row->key = SSDPAR_NO_KEY;
	if (is_null)
		return;
	if (rows->integer != SSDPAR_NOT_INTEGER)
		row->integer = ssdpar_integer_value(rows->integer, value);
	else if (rows->key_length == -1)
		row->value = PointerGetDatum(PG_DETOAST_DATUM_COPY(value));
	else
		row->value = datumCopy(value, rows->key_by_value, rows->key_length);
}

void
ssdpar_outer_rows_add(SsdparOuterRows *rows, TupleTableSlot *slot)
{
	MemoryContext before = MemoryContextSwitchTo(rows->context);
	SsdparOuterRow *row;

	make_room(rows);
	row = &rows->rows[rows->count];
	take_key(rows, row, slot);
	row->tuple = ExecCopySlotMinimalTuple(slot);
	rows->count++;
	MemoryContextSwitchTo(before);
}
