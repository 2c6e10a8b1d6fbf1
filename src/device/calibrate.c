/*
 * calibrate.c
 *		ssdpar.calibrate(): runs the measuring engine in a backend, inside a
 *		tablespace's directory, and keeps the result.
 *
 * The engine cannot be left by longjmp while requests are in flight.  So what
 * may raise an error while it runs (interrupts, notices) runs guarded: the
 * error is put aside, the engine is told to stop, and the error goes on once
 * the engine has returned.
 *
 * What the rows look like is known by ssdpar.store_profile() alone.
 */
#include "postgres.h"

#include <time.h>
#include <unistd.h>

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_type.h"
#include "commands/tablespace.h"
#include "common/relpath.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "device_row.h"
#include "cpu_calibration.h"
#include "profile_changes.h"
#include "probe/json.h"
#include "probe/plan.h"
#include "probe/probe.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_calibrate);

#define NOTICE_INTERVAL_MS 5000

/* Of a quick calibration; that of the CPU takes a second or two more. */
#define QUICK_SECONDS 5.0
#define QUICK_FILE ((int64) 256 << 20)

/* One running calibration. */
typedef struct Calibration
{
	const char *tablespace;
	ProbeOptions options;
	MemoryContext context;
	TimestampTz last_notice;
	const char *stage;			/* for the guarded notice */
	double		share;
	ErrorData  *failure;		/* put aside by run_guarded() */
} Calibration;

/*
 * EXECUTE alone is not enough: the server writes a file here on behalf of the
 * user, as COPY TO a file does, and the same role may.
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
	/* a standby is read-only; the profile is not in its database */
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

/*
 * Held until the transaction ends: until the result can be seen by others.  It
 * is not waited for, as that would take minutes.
 */
static void
lock_tablespace(Oid tablespace, const char *name)
{
	if (!ssdpar_profiles_lock_calibration(tablespace))
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("tablespace \"%s\" is already being calibrated", name),
				 errdetail("Two calibrations at once would measure each "
						   "other."),
				 errhint("Wait until the other session's transaction has "
						 "ended.")));
}

/* An integer array argument; returns the number of values. */
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

/*
 * For a first look: what counts most, with gaps where the planner interpolates,
 * two short visits a point and a quarter of the file.  What is asked for
 * besides goes before it, unless it is more.
 */
static void
make_quick(ProbeOptions *options)
{
	static const int64_t sizes[] = {8 * 1024, 64 * 1024, 256 * 1024};
	static const int depths[] = {1, 4, 8, 16, 32, 64};

	memcpy(options->sizes, sizes, sizeof(sizes));
	options->nsizes = lengthof(sizes);
	memcpy(options->depths, depths, sizeof(depths));
	options->ndepths = lengthof(depths);
	options->passes = 2;
	options->seconds = Min(options->seconds, QUICK_SECONDS);
	options->file_size = Min(options->file_size, QUICK_FILE);
}

/* What the values may be is for ssdpar_probe_check_options() to say. */
static void
read_arguments(FunctionCallInfo fcinfo, ProbeOptions *options)
{
	int32		kilobytes[PROBE_MAX_SIZES];

	ssdpar_probe_default_options(options);
	for (int i = 0; i < 7; i++)
		if (i != 4 && i != 5 && PG_ARGISNULL(i))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("argument %d of ssdpar.calibrate() must not be "
							"null",
							i + 1),
					 errhint("Leave it out for its default.")));
	options->seconds = PG_GETARG_FLOAT8(1);
	options->file_size = (int64) PG_GETARG_INT32(2) * (1 << 20);
	options->writes = PG_GETARG_BOOL(3);
	if (PG_GETARG_BOOL(6))
		make_quick(options);
	if (!PG_ARGISNULL(4))
	{
		options->nsizes = read_list(PG_GETARG_ARRAYTYPE_P(4), "sizes_kb",
									PROBE_MAX_SIZES, kilobytes);
		for (int i = 0; i < options->nsizes; i++)
			options->sizes[i] = (int64) kilobytes[i] * 1024;
	}
	if (!PG_ARGISNULL(5))
		options->ndepths = read_list(PG_GETARG_ARRAYTYPE_P(5), "depths",
									 PROBE_MAX_DEPTHS, options->depths);
}

static int
error_code(ProbeErrorKind kind)
{
	switch (kind)
	{
		case PROBE_BAD_OPTION:
			return ERRCODE_INVALID_PARAMETER_VALUE;
		case PROBE_NO_ACCESS:
			return ERRCODE_INSUFFICIENT_PRIVILEGE;
		case PROBE_NO_SPACE:
			return ERRCODE_DISK_FULL;
		case PROBE_NO_MEMORY:
			return ERRCODE_INSUFFICIENT_RESOURCES;
		case PROBE_NOT_SUPPORTED:
			return ERRCODE_FEATURE_NOT_SUPPORTED;
		case PROBE_CANCELLED:
			return ERRCODE_QUERY_CANCELED;
		default:
			return ERRCODE_IO_ERROR;
	}
}

static void
raise_probe_error(const char *tablespace, const ProbeError *error)
{
	ereport(ERROR,
			(errcode(error_code(error->kind)),
			 errmsg("could not calibrate tablespace \"%s\": %s", tablespace,
					error->message),
			 error->detail[0] == '\0' ? 0 : errdetail("%s", error->detail),
			 error->hint[0] == '\0' ? 0 : errhint("%s", error->hint)));
}

/*
 * Runs STEP; an error is put aside and makes the answer false.  Without a
 * subtransaction, since no step takes a lock or changes anything.
 */
static bool
run_guarded(Calibration *calibration, void (*step) (Calibration *))
{
	volatile bool good = true;

	PG_TRY();
	{
		step(calibration);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(calibration->context);
		calibration->failure = CopyErrorData();
		FlushErrorState();
		good = false;
	}
	PG_END_TRY();
	return good;
}

/* Waiting is shown anew: to send a notice is a wait of its own, and ends it. */
static void
step_go_on(Calibration *calibration)
{
	static uint32 wait_event = 0;

	CHECK_FOR_INTERRUPTS();
	pgstat_report_wait_start(ssdpar_wait_event(&wait_event,
											   "SsdparCalibrate"));
}

static void
step_notice(Calibration *calibration)
{
	ereport(NOTICE,
			(errmsg("ssdpar: %s for tablespace \"%s\", %.0f %%",
					calibration->stage, calibration->tablespace,
					calibration->share * 100.0)));
}

/*
 * A termination would end the process inside the engine: that waits for the
 * check after the engine has returned.
 */
static bool
keep_going(void *arg)
{
	Calibration *calibration = arg;

	if (calibration->failure != NULL || ProcDiePending)
		return false;
	return run_guarded(calibration, step_go_on);
}

static void
show_progress(void *arg, const char *stage, double share)
{
	Calibration *calibration = arg;
	TimestampTz now = GetCurrentTimestamp();

	if (!TimestampDifferenceExceeds(calibration->last_notice, now,
									NOTICE_INTERVAL_MS))
		return;
	calibration->last_notice = now;
	calibration->stage = stage;
	calibration->share = share;
	run_guarded(calibration, step_notice);
}

/*
 * The engine's two descriptors, the ring and the scratch file.  The server
 * keeps count of all, and closes some of its own to make room for these.
 */
static void
reserve_descriptors(void)
{
	if (AcquireExternalFD())
	{
		if (AcquireExternalFD())
			return;
		ReleaseExternalFD();
	}
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
			 errmsg("out of file descriptors for a calibration"),
			 errhint("Raise max_files_per_process.")));
}

/* The profile as a document, in the caller's memory. */
static char *
measure(Calibration *calibration, const char *directory)
{
	ProbeCallbacks callbacks = {
		.keep_going = keep_going,
		.progress = show_progress,
		.arg = calibration,
	};
	ProbeResult result;
	ProbeError	error;
	char	   *json = NULL;
	char	   *document = NULL;
	bool		good;

	reserve_descriptors();
	good = ssdpar_probe_run(directory, &calibration->options, &callbacks,
							&result, &error);
	pgstat_report_wait_end();
	ReleaseExternalFD();
	ReleaseExternalFD();
	if (good)
		json = ssdpar_probe_json(&calibration->options, &result, time(NULL));
	ssdpar_probe_free(&result);

	/* nothing of the engine is left but JSON: errors may be raised again */
	if (json != NULL)
	{
		document = MemoryContextAllocExtended(CurrentMemoryContext,
											  strlen(json) + 1,
											  MCXT_ALLOC_NO_OOM);
		if (document != NULL)
			strcpy(document, json);
		free(json);
	}
	if (calibration->failure != NULL)
		ReThrowError(calibration->failure);
	CHECK_FOR_INTERRUPTS();
	if (!good)
		raise_probe_error(calibration->tablespace, &error);
	if (document == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	return document;
}

/* By SPI, to the function that knows the document. */
static void
store(const char *tablespace, const char *document)
{
	Oid			types[2] = {NAMEOID, TEXTOID};
	Datum		values[2];
	NameData	name;

	namestrcpy(&name, tablespace);
	values[0] = NameGetDatum(&name);
	values[1] = CStringGetTextDatum(document);
	SPI_connect();
	if (SPI_execute_with_args(
							  "SELECT ssdpar.store_profile($1, $2::pg_catalog.json)", 2, types,
							  values, NULL, false, 0) != SPI_OK_SELECT)
		elog(ERROR, "profile of tablespace \"%s\" was not stored", tablespace);
	SPI_finish();
}

/* The tablespace's row of device_summary. */
static Datum
summarize(const char *tablespace)
{
	Oid			types[1] = {NAMEOID};
	Datum		values[1];
	HeapTupleHeader row;
	NameData	name;

	namestrcpy(&name, tablespace);
	values[0] = NameGetDatum(&name);
	SPI_connect();
	if (SPI_execute_with_args("SELECT * FROM ssdpar.device_summary s WHERE "
							  "s.tablespace OPERATOR(pg_catalog.=) $1",
							  1, types, values, NULL, false,
							  0) != SPI_OK_SELECT ||
		SPI_processed != 1)
		elog(ERROR, "profile of tablespace \"%s\" is missing", tablespace);
	row = SPI_returntuple(SPI_tuptable->vals[0], SPI_tuptable->tupdesc);
	SPI_finish();
	return HeapTupleHeaderGetDatum(row);
}

/*
 * calibrate(tablespace name, seconds double precision, file_size_mb integer,
 * writes boolean, sizes_kb integer[], depths integer[], quick boolean) returns
 * ssdpar.device_summary.  The arrays may be null: the default sweep.
 */
Datum
ssdpar_sql_calibrate(PG_FUNCTION_ARGS)
{
	Calibration calibration = {0};
	ProbeError	error;
	SsdparMachine machine;
	char		directory[MAXPGPATH];
	char	   *document;
	Oid			tablespace;

	check_allowed();
	read_arguments(fcinfo, &calibration.options);
	calibration.tablespace = pstrdup(NameStr(*PG_GETARG_NAME(0)));
	calibration.context = CurrentMemoryContext;
	calibration.last_notice = GetCurrentTimestamp();
	if (!ssdpar_probe_check_options(&calibration.options, &error))
		raise_probe_error(calibration.tablespace, &error);
	tablespace = find_tablespace(calibration.tablespace);
	lock_tablespace(tablespace, calibration.tablespace);
	ssdpar_tablespace_directory(tablespace, directory, sizeof(directory));
	if (calibration.options.file_size < PROBE_MAX_FILE)
		ereport(NOTICE,
				(errmsg("ssdpar: the scratch file has only %d MB",
						(int) (calibration.options.file_size >> 20)),
				 errdetail("A cache in the device may hold much of it.")));

	/* all is measured before anything is stored: a profile is whole, or old */
	document = measure(&calibration, directory);
	ssdpar_cpu_calibration_measure(directory, &machine);
	store(calibration.tablespace, document);
	ssdpar_cpu_calibration_store(tablespace, &machine);
	return summarize(calibration.tablespace);
}
