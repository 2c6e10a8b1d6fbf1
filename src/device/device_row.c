/*
 * device_row.c
 *		What is kept of a tablespace's device besides the measured grid: its
 *		row of ssdpar.device, checked.
 *
 * Caching it is profile.c's business, measuring anchor.c's.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "catalog/pg_tablespace.h"
#include "catalog/pg_type.h"
#include "common/relpath.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "device_row.h"
#include "probe/probe.h"

/* Linux' own default. */
#define USUAL_READ_AHEAD_KB 128.0

/*
 * What a profile has none of when ssdpar-probe measured it, which sees only
 * the device: the reference machine's (docs/cost-model.md).
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

/* One column of a row; false if it is null or not what it was made as. */
static bool
get_column(HeapTuple tuple, Relation table, const char *name, Oid type,
		   Datum *value)
{
	AttrNumber	column = get_attnum(RelationGetRelid(table), name);
	bool		isnull;

	if (column <= 0 ||
		TupleDescAttr(RelationGetDescr(table), column - 1)->atttypid != type)
		return false;
	*value = heap_getattr(tuple, column, RelationGetDescr(table), &isnull);
	return !isnull;
}

/* False if it is null. */
static bool
get_number(HeapTuple tuple, Relation table, const char *name, double *number)
{
	Datum		value;

	if (!get_column(tuple, table, name, FLOAT8OID, &value))
		return false;
	*number = DatumGetFloat8(value);
	return true;
}

/* All six or none. */
static const char *
read_machine(HeapTuple tuple, Relation table, SsdparMachine *machine)
{
	int			known = 0;

	known += get_number(tuple, table, "cores", &machine->cores);
	known += get_number(tuple, table, "cost_unit_seconds",
						&machine->seconds_per_cost_unit);
	known += get_number(tuple, table, "page_hit_seconds",
						&machine->page_hit_seconds);
	known += get_number(tuple, table, "page_copy_seconds",
						&machine->page_copy_seconds);
	known += get_number(tuple, table, "page_fill_seconds",
						&machine->page_fill_seconds);
	known += get_number(tuple, table, "page_stream_seconds",
						&machine->page_stream_seconds);
	if (known == 0)
	{
		*machine = typical_machine;
		return NULL;
	}
	if (known < 6)
		return "some of this machine's CPU times are missing";
	return ssdpar_machine_problem(machine);
}

static bool
is_this_device(HeapTuple tuple, Relation table, Oid tablespace)
{
	char		directory[MAXPGPATH];
	ProbeDevice device;
	ProbeError	error;
	Datum		value;
	char	   *identity;

	if (!get_column(tuple, table, "identity", TEXTOID, &value))
		return false;
	identity = TextDatumGetCString(value);
	if (strcmp(identity, SSDPAR_ANY_DEVICE) == 0)
		return true;
	ssdpar_tablespace_directory(tablespace, directory, sizeof(directory));
	return ssdpar_probe_identify(directory, &device, &error) &&
		strcmp(identity, device.identity) == 0;
}

static const char *
read_row(HeapTuple tuple, Relation table, Oid tablespace,
		 SsdparDeviceRow *row)
{
	Datum		value;

	row->read_ahead_kb = USUAL_READ_AHEAD_KB;
	if (get_column(tuple, table, "read_ahead_kb", INT4OID, &value))
		row->read_ahead_kb = DatumGetInt32(value);
	if (!is_this_device(tuple, table, tablespace))
		return "it was measured on another device";
	return read_machine(tuple, table, &row->machine);
}

const char *
ssdpar_device_row_read(Relation table, Oid tablespace, const char *name,
					   SsdparDeviceRow *row)
{
	const char *problem = "its row of ssdpar.device is missing";
	SysScanDesc scan = systable_beginscan(table, InvalidOid, false, NULL, 0,
										  NULL);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Datum		value;

		if (get_column(tuple, table, "tablespace", NAMEOID, &value) &&
			strcmp(NameStr(*DatumGetName(value)), name) == 0)
			problem = read_row(tuple, table, tablespace, row);
	}
	systable_endscan(scan);
	return problem;
}
