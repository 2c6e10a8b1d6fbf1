/*
 * device_row.c
 *		What is kept of a tablespace's device besides the measured grid: its
 *		row of ssdpar.device, checked.
 *
 * profile.c caches it, cpu_calibration.c measures it.
 */
#include "postgres.h"

#include "catalog/pg_tablespace.h"
#include "catalog/pg_type.h"
#include "common/relpath.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "device_row.h"
#include "known_devices.h"
#include "table_rows.h"

/* Linux' own default. */
#define USUAL_READ_AHEAD_KB 128.0

/*
 * What a profile has none of when ssdpar-probe measured it, which sees only
 * the device: the reference machine's (docs/internals/cost-model.md).
 */
static const SsdparMachine typical_machine = {
	.cores = 2.0,
	.seconds_per_cost_unit = 5.0e-6,
	.page_hit_seconds = 0.15e-6,
	.page_copy_seconds = 2.0e-6,
	.page_fill_seconds = 12.0e-6,
	.page_stream_seconds = 4.0e-6,
};

void
ssdpar_tablespace_directory(Oid tablespace, char *path, size_t size)
{
	if (tablespace == DEFAULTTABLESPACE_OID)
		strlcpy(path, "base", size);
	else if (tablespace == GLOBALTABLESPACE_OID)
		strlcpy(path, "global", size);
	else
		snprintf(path, size, "pg_tblspc/%u/%s", tablespace,
				 TABLESPACE_VERSION_DIRECTORY);
}

/*
 * One column of a row; false if it is null or not what it was made as.  By
 * name, since ALTER EXTENSION UPDATE adds columns at the end of an older table.
 */
static bool
get_column(TupleTableSlot *slot, Relation table, const char *name, Oid type,
		   Datum *value)
{
	AttrNumber	column = get_attnum(RelationGetRelid(table), name);
	bool		isnull;

	if (column <= 0 ||
		TupleDescAttr(RelationGetDescr(table), column - 1)->atttypid != type)
		return false;
	*value = slot_getattr(slot, column, &isnull);
	return !isnull;
}

/* False if it is null. */
static bool
get_number(TupleTableSlot *slot, Relation table, const char *name,
		   double *number)
{
	Datum		value;

	if (!get_column(slot, table, name, FLOAT8OID, &value))
		return false;
	*number = DatumGetFloat8(value);
	return true;
}

/* Where one is missing, none was measured. */
static void
read_compile_times(TupleTableSlot *slot, Relation table,
				   SsdparCompileTimes *times)
{
	if (!get_number(slot, table, "jit_load_seconds", &times->load_seconds) ||
		!get_number(slot, table, "jit_function_seconds",
					&times->function_seconds) ||
		!get_number(slot, table, "jit_optimized_seconds",
					&times->optimized_seconds))
		memset(times, 0, sizeof(*times));
}

/*
 * All six or none.  Some of a machine's and some of another's would be worse
 * than a typical one's: what counts is how they stand to each other.
 */
static const char *
read_machine(TupleTableSlot *slot, Relation table, SsdparMachine *machine)
{
	int			known = 0;

	known += get_number(slot, table, "cores", &machine->cores);
	known += get_number(slot, table, "cost_unit_seconds",
						&machine->seconds_per_cost_unit);
	known += get_number(slot, table, "page_hit_seconds",
						&machine->page_hit_seconds);
	known += get_number(slot, table, "page_copy_seconds",
						&machine->page_copy_seconds);
	known += get_number(slot, table, "page_fill_seconds",
						&machine->page_fill_seconds);
	known += get_number(slot, table, "page_stream_seconds",
						&machine->page_stream_seconds);
	if (known == 0)
	{
		*machine = typical_machine;
		return NULL;
	}
	if (known < 6)
		return "some of this machine's CPU times are missing";
	read_compile_times(slot, table, &machine->compile);
	return ssdpar_machine_problem(machine);
}

/*
 * Whether the tablespace lies on the device that was measured.  It may not: on
 * a standby, after a restore, or where the directory has been moved.
 */
static bool
is_this_device(TupleTableSlot *slot, Relation table, Oid tablespace)
{
	char		directory[MAXPGPATH];
	Datum		value;
	char	   *identity;

	if (!get_column(slot, table, "identity", TEXTOID, &value))
		return false;
	identity = TextDatumGetCString(value);
	if (strcmp(identity, SSDPAR_ANY_DEVICE) == 0)
		return true;
	ssdpar_tablespace_directory(tablespace, directory, sizeof(directory));
	return ssdpar_device_is(directory, identity);
}

static const char *
read_row(TupleTableSlot *slot, Relation table, Oid tablespace,
		 SsdparDeviceRow *row)
{
	Datum		value;

	row->read_ahead_kb = USUAL_READ_AHEAD_KB;
	if (get_column(slot, table, "read_ahead_kb", INT4OID, &value))
		row->read_ahead_kb = DatumGetInt32(value);
	if (!is_this_device(slot, table, tablespace))
		return "it was measured on another device";
	return read_machine(slot, table, &row->machine);
}

const char *
ssdpar_device_row_read(Relation table, Oid tablespace, const char *name,
					   SsdparDeviceRow *row)
{
	const char *problem = "its row of ssdpar.device is missing";
	SsdparTableRows rows;

	ssdpar_begin_rows(&rows, table);
	while (ssdpar_next_row(&rows))
	{
		Datum		value;

		if (get_column(rows.slot, table, "tablespace", NAMEOID, &value) &&
			strcmp(NameStr(*DatumGetName(value)), name) == 0)
			problem = read_row(rows.slot, table, tablespace, row);
	}
	ssdpar_end_rows(&rows);
	return problem;
}
