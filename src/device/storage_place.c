/*
 * storage_place.c
 *		ssdpar.storage_place(): facts about the location of a tablespace or the
 *		WAL that SQL cannot see: free space of the file system, and settings of
 *		the device.
 *
 * It only queries the kernel, and opens only files in /sys and /proc.
 */
#include "postgres.h"

#include <sys/statvfs.h>

#include "access/htup_details.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_type.h"
#include "commands/tablespace.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"

#include "base/declared_row.h"
#include "device/device_row.h"
#include "probe/probe.h"

/* The columns of the type ssdpar.place. */
enum PlaceColumn
{
	PLACE,
	TABLESPACE,
	DEVICE,
	DISK,
	FILE_SYSTEM,
	TOTAL_BYTES,
	FREE_BYTES,
	AVAILABLE_BYTES,
	READ_AHEAD_KB,
	PHYSICAL_BLOCK,
	STRIPE,
	PARTITION_START,
	DISCARD_LIMIT,
	PLACE_COLUMNS
};

static const Oid column_types[PLACE_COLUMNS] = {
	TEXTOID, OIDOID, TEXTOID, TEXTOID, TEXTOID, INT8OID, INT8OID, INT8OID,
	INT8OID, INT8OID, INT8OID, INT8OID, INT8OID,
};

typedef struct PlaceRow
{
	Datum		values[PLACE_COLUMNS];
	bool		nulls[PLACE_COLUMNS];
} PlaceRow;

PG_FUNCTION_INFO_V1(ssdpar_sql_storage_place);

/* Empty means unknown. */
static void
set_text(PlaceRow *row, enum PlaceColumn column, const char *text)
{
	row->nulls[column] = text[0] == '\0';
	if (!row->nulls[column])
		row->values[column] = CStringGetTextDatum(text);
}

/* Negative means unknown. */
static void
set_number(PlaceRow *row, enum PlaceColumn column, int64 number)
{
	row->nulls[column] = number < 0;
	row->values[column] = Int64GetDatum(number);
}

static void
set_device(PlaceRow *row, const ProbeDevice *device)
{
	set_text(row, DEVICE, psprintf("%u:%u", device->dev_major,
								   device->dev_minor));
	set_text(row, DISK, device->disk);
	set_text(row, FILE_SYSTEM, device->file_system);
	set_number(row, READ_AHEAD_KB, device->read_ahead_kb);
	set_number(row, PHYSICAL_BLOCK, device->physical_block);
	set_number(row, STRIPE, device->stripe);
	set_number(row, PARTITION_START, device->partition_start);
	set_number(row, DISCARD_LIMIT, device->discard_limit);
}

/*
 * Blocks reserved for root count as free, because the device does not know
 * users, but are not available to the server.  If the file system does not
 * know its size (0 blocks), all of them are unknown.
 */
static bool
set_space(PlaceRow *row, const char *directory)
{
	struct statvfs space;

	if (statvfs(directory, &space) != 0)
		return false;
	set_number(row, TOTAL_BYTES, space.f_blocks == 0 ? -1 :
			   (int64) (space.f_blocks * space.f_frsize));
	set_number(row, FREE_BYTES, space.f_blocks == 0 ? -1 :
			   (int64) (space.f_bfree * space.f_frsize));
	set_number(row, AVAILABLE_BYTES, space.f_blocks == 0 ? -1 :
			   (int64) (space.f_bavail * space.f_frsize));
	return true;
}

static char *
name_place(Oid tablespace)
{
	return OidIsValid(tablespace) ? get_tablespace_name(tablespace) : "WAL";
}

/*
 * storage_place(tablespace oid) returns ssdpar.place: 0 means the WAL.  NULL
 * for users who may not read all statistics, and if there is no such place or
 * its directory has disappeared.
 */
Datum
ssdpar_sql_storage_place(PG_FUNCTION_ARGS)
{
	Oid			tablespace = PG_GETARG_OID(0);
	char	   *name = name_place(tablespace);
	char		directory[MAXPGPATH] = "pg_wal";
	PlaceRow	row = {0};
	TupleDesc	columns;
	ProbeDevice device;
	ProbeError	error;

	if (name == NULL ||
		!has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS))
		PG_RETURN_NULL();
	if (OidIsValid(tablespace))
		ssdpar_tablespace_directory(tablespace, directory, sizeof(directory));
	if (!set_space(&row, directory) ||
		!ssdpar_probe_identify(directory, &device, &error))
		PG_RETURN_NULL();
	set_text(&row, PLACE, name);
	row.values[TABLESPACE] = ObjectIdGetDatum(tablespace);
	set_device(&row, &device);
	columns = ssdpar_declared_row(fcinfo, column_types, PLACE_COLUMNS);
	return HeapTupleGetDatum(heap_form_tuple(columns, row.values, row.nulls));
}
