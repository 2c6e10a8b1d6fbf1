/*
 * inspect.c
 *		SQL functions that show what the planner sees of a device profile, and
 *		the triggers: one tells every backend of a change, one lets measured
 *		points go with their device.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "commands/tablespace.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/rel.h"

#include "device/profile.h"
#include "device/profile_drift.h"

PG_FUNCTION_INFO_V1(ssdpar_profile_changed);
PG_FUNCTION_INFO_V1(ssdpar_device_gone);
PG_FUNCTION_INFO_V1(ssdpar_sql_profile_problem);
PG_FUNCTION_INFO_V1(ssdpar_sql_profile_drift);
PG_FUNCTION_INFO_V1(ssdpar_sql_profile_iops);

static TriggerData *
get_trigger(FunctionCallInfo fcinfo, const char *name)
{
	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("ssdpar.%s() can only be called as a trigger", name)));
	return (TriggerData *) fcinfo->context;
}

/*
 * Statement trigger on both tables: sends the invalidation, when the
 * transaction commits, so that no session caches what may be rolled back.  Of
 * the table, as an extension has no kind of invalidation of its own.
 */
Datum
ssdpar_profile_changed(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = get_trigger(fcinfo, "profile_changed");

	CacheInvalidateRelcacheByRelid(RelationGetRelid(trigger->tg_relation));
	ssdpar_drift_forget();
	PG_RETURN_POINTER(NULL);
}

/*
 * Row trigger on ssdpar.device, after a tablespace's row is renamed or deleted:
 * the points measured do the same.
 */
Datum
ssdpar_device_gone(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = get_trigger(fcinfo, "device_gone");
	bool		renamed = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event);
	TupleDesc	columns = RelationGetDescr(trigger->tg_relation);
	Oid			types[2] = {NAMEOID, NAMEOID};
	Datum		names[2];
	int			column;
	bool		isnull;
	int			expected = renamed ? SPI_OK_UPDATE : SPI_OK_DELETE;

	SPI_connect();
	column = SPI_fnumber(columns, "tablespace");
	names[0] = SPI_getbinval(trigger->tg_trigtuple, columns, column, &isnull);
	if (renamed)
		names[1] = SPI_getbinval(trigger->tg_newtuple, columns, column,
								 &isnull);
	if (SPI_execute_with_args(renamed
							  ? "UPDATE ssdpar.device_profile p "
							  "SET tablespace = $2 WHERE "
							  "p.tablespace OPERATOR(pg_catalog.=) $1"
							  : "DELETE FROM ssdpar.device_profile p WHERE "
							  "p.tablespace OPERATOR(pg_catalog.=) $1",
							  renamed ? 2 : 1, types, names, NULL, false,
							  0) != expected)
		elog(ERROR, "the profile of a device was not changed with it");
	SPI_finish();
	return PointerGetDatum(NULL);
}

/* profile_problem(tablespace name) returns text: null if usable. */
Datum
ssdpar_sql_profile_problem(PG_FUNCTION_ARGS)
{
	Name		name = PG_GETARG_NAME(0);
	Oid			tablespace = get_tablespace_oid(NameStr(*name), true);
	const char *problem = "there is no such tablespace";

	if (OidIsValid(tablespace))
		problem = ssdpar_device_problem(tablespace);
	if (problem == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(problem));
}

/*
 * profile_drift(tablespace name) returns double precision: null if too few
 * queries were measured.
 */
Datum
ssdpar_sql_profile_drift(PG_FUNCTION_ARGS)
{
	Name		name = PG_GETARG_NAME(0);
	Oid			tablespace = get_tablespace_oid(NameStr(*name), true);
	double		drift = OidIsValid(tablespace) ?
		ssdpar_drift_of(tablespace) : 0.0;

	if (drift <= 0.0)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(drift);
}

static SsdparPattern
parse_pattern(const char *name)
{
	if (strcmp(name, "random") == 0)
		return SSDPAR_RANDOM;
	if (strcmp(name, "sequential") == 0)
		return SSDPAR_SEQUENTIAL;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("there is no access pattern \"%s\"", name),
			 errhint("Use random or sequential.")));
	return SSDPAR_RANDOM;		/* keep compilers quiet */
}

/*
 * profile_iops(tablespace name, pattern text, request_size integer,
 * queue_depth double precision) returns double precision: null if there is
 * no usable profile.
 */
Datum
ssdpar_sql_profile_iops(PG_FUNCTION_ARGS)
{
	Name		name = PG_GETARG_NAME(0);
	Oid			tablespace = get_tablespace_oid(NameStr(*name), false);
	char	   *pattern_name = text_to_cstring(PG_GETARG_TEXT_PP(1));
	SsdparPattern pattern = parse_pattern(pattern_name);
	int32		request_size = PG_GETARG_INT32(2);
	float8		queue_depth = PG_GETARG_FLOAT8(3);
	const SsdparProfile *profile;

	if (request_size <= 0 || !(queue_depth > 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("request size and queue depth must be positive")));
	profile = ssdpar_profile_get(tablespace);
	if (profile == NULL)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(ssdpar_profile_iops(profile, pattern, request_size,
										 queue_depth));
}
