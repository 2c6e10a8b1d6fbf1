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

#include <math.h>

#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "commands/tablespace.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "tcop/utility.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/json.h"
#include "utils/jsonb.h"
#include "utils/tuplestore.h"

#include "base/compat.h"
#include "base/declared_row.h"
#include "device/device_row.h"
#include "device/profile_drift.h"
#include "device/profile_file.h"
#include "device/profile_json.h"
#include "device/profile_store.h"

/* More than any server has devices. */
#define PROFILES_MAX 1024

PG_FUNCTION_INFO_V1(ssdpar_sql_store_profile);
PG_FUNCTION_INFO_V1(ssdpar_sql_forget_profile);
PG_FUNCTION_INFO_V1(ssdpar_sql_stored_profiles);

static Jsonb *
parse(const char *text)
{
	return DatumGetJsonbP(DirectFunctionCall1(jsonb_in,
											  CStringGetDatum(text)));
}

/* DOCUMENT with a member in place of the one that it has, if any. */
static Jsonb *
with_member(Jsonb *document, const char *name, const char *value)
{
	Jsonb	   *member = parse(psprintf("{\"%s\": %s}", name, value));

	return DatumGetJsonbP(DirectFunctionCall2(jsonb_concat,
											  JsonbPGetDatum(document),
											  JsonbPGetDatum(member)));
}

static bool
has_machine(JsonbContainer *document)
{
	JsonbContainer *machine = ssdpar_json_child(document, "machine");

	return machine != NULL && !isnan(ssdpar_json_number(machine, "cores"));
}

/* Appends elements of an array of points: all, or writes alone; how many. */
static int
append_points(StringInfo out, JsonbContainer *document, const char *name,
			  bool writes)
{
	JsonbContainer *array = ssdpar_json_child(document, name);
	int			count = array == NULL ? 0 : JsonContainerSize(array);
	int			appended = 0;

	for (int i = 0; i < count; i++)
	{
		JsonbContainer *point =
			getIthJsonbValueFromContainer(array, i)->val.binary.data;

		if (writes &&
			strcmp(ssdpar_json_text(point, "operation"), "write") != 0)
			continue;
		if (out->len > 1)
			appendStringInfoString(out, ", ");
		(void) JsonbToCString(out, point, -1);
		appended++;
	}
	return appended;
}

/* A document without writes gets those of a former one. */
static Jsonb *
with_writes(Jsonb *document, JsonbContainer *former)
{
	StringInfoData points;

	initStringInfo(&points);
	appendStringInfoChar(&points, '[');
	if (append_points(&points, &document->root, "points", true) > 0)
		return document;
	(void) append_points(&points, &document->root, "points", false);
	if (append_points(&points, former, "points", true) == 0)
		return document;
	appendStringInfoChar(&points, ']');
	return with_member(document, "points", points.data);
}

/*
 * What a document of the same device has nothing of stays: one of ssdpar-probe
 * has no CPU times, and a calibration mostly no writes.  Each all or none, as
 * those of two calibrations may not fit together.
 */
static Jsonb *
with_former(Jsonb *document, JsonbContainer *former)
{
	JsonbContainer *machine = ssdpar_json_child(former, "machine");

	if (!has_machine(&document->root) && has_machine(former))
		document = with_member(document, "machine",
							   JsonbToCString(NULL, machine, -1));
	return with_writes(document, former);
}

static char *
identity_of(JsonbContainer *document)
{
	return ssdpar_json_text(ssdpar_json_child(document, "device"),
							"identity");
}

/* Two that are any device may be two. */
static bool
are_of_same_device(JsonbContainer *one, JsonbContainer *other)
{
	char	   *identity = identity_of(one);

	return strcmp(identity, SSDPAR_ANY_DEVICE) != 0 &&
		strcmp(identity, identity_of(other)) == 0;
}

/* The document is checked; what is added to it may make it too large. */
static void
put_profile(Oid tablespace, Jsonb *document)
{
	SsdparStored *stored = ssdpar_profiles_begin_change();
	JsonbContainer *former = ssdpar_stored_find(stored, tablespace);
	StringInfoData version;

	initStringInfo(&version);
	escape_json(&version, GetConfigOption("server_version", false, false));
	document = with_member(document, "server_version", version.data);
	if (former != NULL && are_of_same_device(&document->root, former))
		document = with_former(document, former);
	ssdpar_profile_check(&document->root);
	(void) ssdpar_stored_remove(stored, tablespace);
	if (list_length(stored->profiles) >= PROFILES_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are too many device profiles")));
	ssdpar_stored_add(stored, tablespace, &document->root);
	ssdpar_profiles_finish_change(stored);
	ssdpar_drift_forget(tablespace);
}

void
ssdpar_profile_store_measured(Oid tablespace, const char *document,
							  const SsdparMachine *machine)
{
	Jsonb	   *measured = parse(document);
	char	   *times;

	ssdpar_profile_check(&measured->root);
	times = psprintf("{\"cores\": %.17g, \"cost_unit_seconds\": %.17g, "
					 "\"page_hit_seconds\": %.17g, "
					 "\"page_copy_seconds\": %.17g, "
					 "\"page_fill_seconds\": %.17g, "
					 "\"page_stream_seconds\": %.17g}",
					 machine->cores, machine->seconds_per_cost_unit,
					 machine->page_hit_seconds, machine->page_copy_seconds,
					 machine->page_fill_seconds,
					 machine->page_stream_seconds);
	put_profile(tablespace, with_member(measured, "machine", times));
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

	check_may_change("ssdpar.store_profile()");
	document = parse(text_to_cstring(PG_GETARG_TEXT_PP(1)));
	ssdpar_profile_check(&document->root);
	put_profile(tablespace, document);
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
	ListCell   *lc;

	ssdpar_begin_rows(fcinfo, types, lengthof(types));
	if (file.problem != NULL)
		ereport(WARNING,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("device profiles cannot be shown: %s",
						file.problem)));
	foreach(lc, file.stored->profiles)
	{
		const SsdparStoredProfile *profile = lfirst(lc);
		char	   *name = get_tablespace_name(profile->tablespace);
		StringInfoData document;
		Datum		values[2];
		bool		nulls[2] = {false, false};

		if (name == NULL)
			continue;
		initStringInfo(&document);
		ssdpar_profile_to_json(profile->document, &document);
		values[0] = DirectFunctionCall1(namein, CStringGetDatum(name));
		values[1] = CStringGetTextDatum(document.data);
		tuplestore_putvalues(result->setResult, result->setDesc, values,
							 nulls);
	}
	return (Datum) 0;
}
