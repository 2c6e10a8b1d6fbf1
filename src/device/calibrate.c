/*
 * calibrate.c
 *		ssdpar.calibrate(): checks privileges and arguments, and takes the
 *		locks.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "commands/tablespace.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "base/compat.h"
#include "device/calibration.h"
#include "device/profile_file.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_calibrate);

/*
 * EXECUTE privilege is not enough, because the server writes a file on behalf
 * of the user.  We require the same role as COPY TO a file.
 */
static void
check_allowed(void)
{
	if (!superuser() &&
		!has_privs_of_role(GetUserId(), ROLE_PG_WRITE_SERVER_FILES))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to calibrate a tablespace"),
				 errdetail("Calibration writes a scratch file into the "
						   "tablespace and keeps its device busy."),
				 errhint("Ask a superuser, or a member of "
						 "pg_write_server_files.")));
	/* a standby is read-only, but the profile is not in its database */
	if (!RecoveryInProgress())
		PreventCommandIfReadOnly("ssdpar.calibrate()");
	PreventCommandIfParallelMode("ssdpar.calibrate()");
}

static Oid
find_tablespace(const char *name)
{
	Oid			tablespace = get_tablespace_oid(name, true);

	if (!OidIsValid(tablespace))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("tablespace \"%s\" does not exist", name),
				 errhint("List the tablespaces with SELECT spcname FROM "
						 "pg_tablespace.")));
	return tablespace;
}

/* The result is read from the extension's views, a minute later. */
static void
lock_extension(void)
{
	LockDatabaseObject(ExtensionRelationId, get_extension_oid("ssdpar", false),
					   0, AccessShareLock);
}

/*
 * The lock is held until the transaction ends, when other sessions can see the
 * result.  We do not wait for it, because that would take minutes.
 */
static void
lock_device(Oid tablespace, const char *name)
{
	if (!ssdpar_profiles_lock_calibration(tablespace))
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("the device of tablespace \"%s\" is already being calibrated",
						name),
				 errdetail("Two calibrations at once would measure each "
						   "other."),
				 errhint("Wait until the other session's transaction has "
						 "ended.")));
}

/* Reads an integer array argument; returns the number of values. */
static int
read_list(ArrayType *array, const char *what, int most, int32 *values)
{
	int			count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));

	if (ARR_NDIM(array) != 1 || array_contains_nulls(array) || count > most)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be an array of 1 to %d numbers", what,
						most)));
	memcpy(values, ARR_DATA_PTR(array), count * sizeof(int32));
	return count;
}

/* ssdpar_probe_check_options() checks the values. */
static void
read_arguments(FunctionCallInfo fcinfo, SsdparCalibration *calibration)
{
	ProbeOptions *options = &calibration->options;
	int32		kilobytes[PROBE_MAX_SIZES];

	ssdpar_probe_default_options(options);
	for (int i = 0; i < 7; i++)
		if (i != 4 && i != 5 && PG_ARGISNULL(i))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("argument %d of ssdpar.calibrate() must not be "
							"null",
							i + 1),
					 errhint("Omit the argument to use its default.")));
	calibration->name = pstrdup(NameStr(*PG_GETARG_NAME(0)));
	options->seconds = PG_GETARG_FLOAT8(1);
	options->file_size = (int64) PG_GETARG_INT32(2) * (1 << 20);
	options->writes = PG_GETARG_BOOL(3);
	if (PG_GETARG_BOOL(6))
	{
		ssdpar_calibration_check(calibration);
		ssdpar_calibration_make_quick(options);
	}
	if (!PG_ARGISNULL(4))
	{
		options->nsizes = read_list(PG_GETARG_ARRAYTYPE_P(4), "sizes_kb",
									PROBE_MAX_SIZES, kilobytes);
		for (int i = 0; i < options->nsizes; i++)
			options->sizes[i] = (int64) kilobytes[i] * 1024;
	}
	/* explicit points replace the whole sweep */
	if (!PG_ARGISNULL(4) || !PG_ARGISNULL(5))
		options->streams = false;
	if (!PG_ARGISNULL(5))
		options->ndepths = read_list(PG_GETARG_ARRAYTYPE_P(5), "depths",
									 PROBE_MAX_DEPTHS, options->depths);
}

/*
 * Returns a row of device_summary as the function's declared type, because a
 * row of type record could not be stored.  The tablespace may have been
 * renamed meanwhile.
 */
static Datum
summarize(FunctionCallInfo fcinfo, Oid tablespace)
{
	Oid			types[1] = {NAMEOID};
	Datum		values[1];
	HeapTupleHeader row;
	const char *found = get_tablespace_name(tablespace);
	NameData	name;
	TupleDesc	declared;

	if (get_call_result_type(fcinfo, NULL, &declared) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	namestrcpy(&name, found != NULL ? found : "");
	values[0] = NameGetDatum(&name);
	SPI_connect();
	if (SPI_execute_with_args("SELECT * FROM ssdpar.device_summary s WHERE "
							  "s.tablespace OPERATOR(pg_catalog.=) $1",
							  1, types, values, NULL, false,
							  0) != SPI_OK_SELECT ||
		SPI_processed != 1 ||
		SPI_tuptable->tupdesc->natts != declared->natts)
		elog(ERROR, "profile of tablespace %u is missing", tablespace);
	row = SPI_returntuple(SPI_tuptable->vals[0], declared);
	SPI_finish();
	return HeapTupleHeaderGetDatum(row);
}

/*
 * calibrate(tablespace name, seconds double precision, file_size_mb integer,
 * writes boolean, sizes_kb integer[], depths integer[], quick boolean) returns
 * ssdpar.device_summary.  NULL arrays choose the default sweep.
 */
Datum
ssdpar_sql_calibrate(PG_FUNCTION_ARGS)
{
	SsdparCalibration calibration = {0};

	check_allowed();
	read_arguments(fcinfo, &calibration);
	ssdpar_calibration_check(&calibration);
	calibration.tablespace = find_tablespace(calibration.name);
	lock_extension();
	lock_device(calibration.tablespace, calibration.name);
	ssdpar_calibration_run(&calibration);
	return summarize(fcinfo, calibration.tablespace);
}
