/*
 * profile_store.c
 *		Puts a profile in the place of another one, of which some may stay, and
 *		shows the profiles in SQL.
 *
 * A document is checked as a whole before anything is written
 * (profile_json.c).  The file is not the database's: what is stored is seen by
 * all sessions at once, and stays if the transaction is rolled back.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "commands/tablespace.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "tcop/utility.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/tuplestore.h"

#include "base/compat.h"
#include "base/declared_row.h"
#include "device/device_row.h"
#include "device/profile_drift.h"
#include "device/profile_file.h"
#include "device/profile_json.h"
#include "device/profile_store.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_store_profile);
PG_FUNCTION_INFO_V1(ssdpar_sql_forget_profile);
PG_FUNCTION_INFO_V1(ssdpar_sql_stored_profiles);

static bool
is_write(const SsdparStoredPoint *point)
{
	return strcmp(point->operation, "write") == 0;
}

static bool
is_all_null(const SsdparStoredDevice *device, SsdparDeviceColumn first,
			SsdparDeviceColumn last)
{
	for (int i = first; i <= (int) last; i++)
		if ((device->nulls & ssdpar_device_bit(i)) == 0)
			return false;
	return true;
}

/* Appends the points of a tablespace to those of TO: all, or writes alone. */
static void
append_points(SsdparStored *to, const SsdparStored *from, Oid tablespace,
			  bool writes)
{
	for (int i = 0; i < from->npoints; i++)
		if (from->points[i].tablespace == tablespace &&
			(!writes || is_write(&from->points[i])))
			*ssdpar_stored_add_point(to) = from->points[i];
}

/*
 * What PROFILE, of the same device, has nothing of: a document of ssdpar-probe
 * has no CPU times, and a calibration mostly no writes.  Each all or none, as
 * those of two calibrations may not fit together.
 */
static void
keep_machine(SsdparStored *profile, const SsdparStored *stored,
			 const SsdparStoredDevice *former)
{
	SsdparStoredDevice *device = &profile->devices[0];
	bool		writes = false;

	if (is_all_null(device, SSDPAR_DEVICE_CORES,
					SSDPAR_DEVICE_PAGE_STREAM_SECONDS))
		ssdpar_device_copy_columns(former, device, SSDPAR_DEVICE_CORES,
								   SSDPAR_DEVICE_PAGE_STREAM_SECONDS);
	for (int i = 0; i < profile->npoints; i++)
		writes |= is_write(&profile->points[i]);
	if (!writes)
		append_points(profile, stored, device->tablespace, true);
}

/* PROFILE holds one device.  Two that are any device may be two. */
static void
put_profile(SsdparStored *profile)
{
	SsdparStoredDevice *device = &profile->devices[0];
	SsdparStored *stored = ssdpar_profiles_begin_change();
	const SsdparStoredDevice *former = ssdpar_stored_find(stored,
														  device->tablespace);

	strlcpy(device->server_version,
			GetConfigOption("server_version", false, false),
			sizeof(device->server_version));
	device->nulls &= ~ssdpar_device_bit(SSDPAR_DEVICE_SERVER_VERSION);
	if (former != NULL)
	{
		if (strcmp(former->identity, device->identity) == 0 &&
			strcmp(device->identity, SSDPAR_ANY_DEVICE) != 0)
			keep_machine(profile, stored, former);
		(void) ssdpar_stored_remove(stored, device->tablespace);
	}
	if (stored->ndevices >= SSDPAR_STORED_DEVICES_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are too many device profiles")));
	*ssdpar_stored_add(stored) = *device;
	append_points(stored, profile, device->tablespace, false);
	ssdpar_profiles_finish_change(stored);
	ssdpar_drift_forget(device->tablespace);
}

static Jsonb *
parse(const char *text)
{
	return DatumGetJsonbP(DirectFunctionCall1(jsonb_in,
											  CStringGetDatum(text)));
}

static void
set_machine(SsdparStoredDevice *device, const SsdparMachine *machine)
{
	device->cores = machine->cores;
	device->cost_unit_seconds = machine->seconds_per_cost_unit;
	device->page_hit_seconds = machine->page_hit_seconds;
	device->page_copy_seconds = machine->page_copy_seconds;
	device->page_fill_seconds = machine->page_fill_seconds;
	device->page_stream_seconds = machine->page_stream_seconds;
	for (int i = SSDPAR_DEVICE_CORES;
		 i <= SSDPAR_DEVICE_PAGE_STREAM_SECONDS; i++)
		device->nulls &= ~ssdpar_device_bit(i);
}

void
ssdpar_profile_store_measured(Oid tablespace, const char *document,
							  const SsdparMachine *machine)
{
	SsdparStored profile = {0};

	set_machine(ssdpar_profile_from_json(&parse(document)->root, tablespace,
										 &profile), machine);
	put_profile(&profile);
}

/* ----- SQL ----- */

/* On a standby too: the file is its own. */
static void
check_may_change(const char *function)
{
	if (!RecoveryInProgress())
		PreventCommandIfReadOnly(function);
	PreventCommandIfParallelMode(function);
}

/*
 * store_profile(tablespace name, profile json): what the document does not say
 * of the same device stays.
 */
Datum
ssdpar_sql_store_profile(PG_FUNCTION_ARGS)
{
	Oid			tablespace = get_tablespace_oid(NameStr(*PG_GETARG_NAME(0)),
												false);
	Jsonb	   *document;
	SsdparStored profile = {0};

	check_may_change("ssdpar.store_profile()");
	document = parse(text_to_cstring(PG_GETARG_TEXT_PP(1)));
	(void) ssdpar_profile_from_json(&document->root, tablespace, &profile);
	put_profile(&profile);
	PG_RETURN_VOID();
}

/* forget_profile(tablespace name): was there one? */
Datum
ssdpar_sql_forget_profile(PG_FUNCTION_ARGS)
{
	Oid			tablespace = get_tablespace_oid(NameStr(*PG_GETARG_NAME(0)),
												false);
	SsdparStored *stored;
	bool		found;

	check_may_change("ssdpar.forget_profile()");
	stored = ssdpar_profiles_begin_change();
	found = ssdpar_stored_remove(stored, tablespace);
	ssdpar_profiles_finish_change(stored);
	PG_RETURN_BOOL(found);
}

/* stored_profiles(): the tablespaces that are still there, and documents. */
Datum
ssdpar_sql_stored_profiles(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {NAMEOID, JSONOID};
	SsdparProfileFile file = ssdpar_profiles_read();
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	ssdpar_begin_rows(fcinfo, types, lengthof(types));
	if (file.problem != NULL)
		ereport(WARNING,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("device profiles cannot be shown: %s",
						file.problem)));
	for (int i = 0; i < file.stored->ndevices; i++)
	{
		const SsdparStoredDevice *device = &file.stored->devices[i];
		char	   *name = get_tablespace_name(device->tablespace);
		StringInfoData document;
		Datum		values[2];
		bool		nulls[2] = {false, false};

		if (name == NULL)
			continue;
		initStringInfo(&document);
		ssdpar_profile_to_json(file.stored, device, &document);
		values[0] = DirectFunctionCall1(namein, CStringGetDatum(name));
		values[1] = CStringGetTextDatum(document.data);
		tuplestore_putvalues(result->setResult, result->setDesc, values,
							 nulls);
	}
	return (Datum) 0;
}
