/*
 * inspect.c
 *		SQL functions that show how the planner sees a device profile.
 */
#include "postgres.h"

#include "commands/tablespace.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "device/profile.h"
#include "device/profile_drift.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_profile_problem);
PG_FUNCTION_INFO_V1(ssdpar_sql_profile_drift);
PG_FUNCTION_INFO_V1(ssdpar_sql_profile_iops);

/* profile_problem(tablespace name) returns text: NULL if it is usable. */
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
 * profile_drift(tablespace name) returns double precision: NULL if too few
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
 * queue_depth double precision) returns double precision: NULL if there is no
 * usable profile.
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
