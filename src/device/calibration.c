/*
 * calibration.c
 *		Calibrates a tablespace: runs the measuring engine in its directory,
 *		and stores the result.
 *
 * We must not longjmp out of the engine while requests are in flight.  So code
 * that may raise an error while it runs (interrupts, notices) is guarded: the
 * error is saved, the engine is told to stop, and the error is rethrown when
 * the engine has returned.
 */
#include "postgres.h"

#include <sys/stat.h>
#include <time.h>

#include "commands/tablespace.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "storage/ipc.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/elapsed.h"
#include "device/calibration.h"
#include "device/calibration_progress.h"
#include "device/cpu_calibration.h"
#include "device/device_row.h"
#include "device/profile_file.h"
#include "device/profile_store.h"
#include "probe/json.h"

#define NOTICE_INTERVAL_MS 5000

/* For a quick calibration; calibrating the CPU takes additional time. */
#define QUICK_SECONDS 5.0
#define QUICK_FILE ((int64) 256 << 20)

/* A running calibration. */
typedef struct Run
{
	const SsdparCalibration *asked;
	char		directory[MAXPGPATH];
	MemoryContext context;
	TimestampTz last_notice;
	const char *stage;			/* for the guarded notices */
	double		share;
	int64		file_size;
	ErrorData  *failure;		/* saved by run_guarded() */
} Run;

/*
 * For a first look: only the most important points, with gaps where the
 * planner interpolates, shorter measurements, and a smaller file.  There is
 * one pass more than in a full calibration, because a stall affects a larger
 * part of a short measurement, so it distorts two of three passes more often.
 * Depth 2 must not be a gap: otherwise a device that two requests saturate
 * would seem to need four.  More modest options of the user have precedence.
 */
void
ssdpar_calibration_make_quick(ProbeOptions *options)
{
	static const int64_t sizes[] = {8 * 1024, 64 * 1024, 256 * 1024};
	static const int depths[] = {1, 2, 8, 16, 32, 64};

	memcpy(options->sizes, sizes, sizeof(sizes));
	options->nsizes = lengthof(sizes);
	memcpy(options->depths, depths, sizeof(depths));
	options->ndepths = lengthof(depths);
	options->streams = false;
	options->passes = 4;
	options->seconds = Min(options->seconds, QUICK_SECONDS);
	options->file_size = Min(options->file_size, QUICK_FILE);
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
fail(const char *tablespace, const ProbeError *error)
{
	ereport(ERROR,
			(errcode(error_code(error->kind)),
			 errmsg("could not calibrate tablespace \"%s\": %s", tablespace,
					error->message),
			 error->detail[0] == '\0' ? 0 : errdetail("%s", error->detail),
			 error->hint[0] == '\0' ? 0 : errhint("%s", error->hint)));
}

void
ssdpar_calibration_check(const SsdparCalibration *calibration)
{
	ProbeError	error;

	if (!ssdpar_probe_check_options(&calibration->options, &error))
		fail(calibration->name, &error);
}

/*
 * Runs STEP; saves an error and returns false.  No subtransaction is needed,
 * because no step takes a lock or changes anything.
 */
static bool
run_guarded(Run *run, void (*step) (Run *))
{
	volatile bool good = true;

	PG_TRY();
	{
		step(run);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(run->context);
		run->failure = CopyErrorData();
		FlushErrorState();
		good = false;
	}
	PG_END_TRY();
	return good;
}

/*
 * The probe's own message would be about a directory that the user did not
 * name.
 */
static void
check_directory(const char *tablespace, const char *directory)
{
	struct stat found;

	if (stat(directory, &found) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not calibrate tablespace \"%s\": its directory \"%s\" cannot be reached: %m",
						tablespace, directory),
				 errhint("Was the tablespace dropped, or its file system unmounted?")));
}

/*
 * DROP TABLESPACE does not see a file without a name, so check the directory.
 * Sending a notice waits too, which clears our wait event, so set it again.
 */
static void
step_go_on(Run *run)
{
	static uint32 wait_event = 0;

	CHECK_FOR_INTERRUPTS();
	check_directory(run->asked->name, run->directory);
	pgstat_report_wait_start(ssdpar_wait_event(&wait_event,
											   "SsdparCalibrate"));
}

static void
step_notice(Run *run)
{
	ereport(NOTICE,
			(errmsg("ssdpar: %s for tablespace \"%s\", %.0f %%",
					run->stage, run->asked->name,
					run->share * 100.0)));
}

/*
 * MB of free space that the engine needs for a scratch file (probe/scratch.c).
 */
static int
free_for(int64 file_size)
{
	return (int) ((file_size + file_size / 16) >> 20);
}

/* Sent before measuring, so that the user can cancel and make room first. */
static void
step_reserved(Run *run)
{
	const SsdparCalibration *asked = run->asked;
	bool		no_room = run->file_size < asked->options.file_size;

	if (run->file_size >= PROBE_MAX_FILE)
		return;
	ereport(NOTICE,
			(errmsg("ssdpar: the scratch file has only %d MB",
					(int) (run->file_size >> 20)),
			 no_room ?
			 errdetail("There is no room for %d MB in tablespace \"%s\". A cache in the device may hold much of it.",
					   (int) (asked->options.file_size >> 20),
					   asked->name) :
			 errdetail("A cache in the device may hold much of it."),
			 no_room ?
			 errhint("Calibrate again when %d MB are free.",
					 free_for(asked->options.file_size)) : 0));
}

/*
 * A termination would end the process inside the engine, so we leave it to the
 * check after the engine has returned.
 */
static bool
keep_going(void *arg)
{
	Run		   *run = arg;

	if (run->failure != NULL || ProcDiePending)
		return false;
	return run_guarded(run, step_go_on);
}

static void
show_progress(void *arg, const char *stage, double share)
{
	Run		   *run = arg;
	TimestampTz now = GetCurrentTimestamp();

	ssdpar_calibration_progress_put(stage, share);
	if (!ssdpar_is_past(run->last_notice, now, NOTICE_INTERVAL_MS))
		return;
	run->last_notice = now;
	run->stage = stage;
	run->share = share;
	run_guarded(run, step_notice);
}

static void
note_reserved(void *arg, uint64_t file_size)
{
	Run		   *run = arg;

	run->file_size = (int64) file_size;
	run_guarded(run, step_reserved);
}

/*
 * The engine needs two descriptors, for the ring and the scratch file.  The
 * server counts all descriptors and closes other files to make room.
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

/*
 * Returns the results as the JSON document that ssdpar-probe prints.  The
 * engine allocates outside the server's memory contexts.
 */
static char *
take_result(const ProbeOptions *options, ProbeResult *result)
{
	char	   *document = ssdpar_probe_json(options, result, time(NULL));
	char	   *kept;

	ssdpar_probe_free(result);
	if (document == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory for what was measured")));
	kept = pstrdup(document);
	free(document);
	return kept;
}

static char *
measure(Run *run)
{
	ProbeCallbacks callbacks = {
		.keep_going = keep_going,
		.progress = show_progress,
		.reserved = note_reserved,
		.arg = run,
	};
	ProbeResult result;
	ProbeError	error;
	char	   *document = NULL;
	bool		good;

	reserve_descriptors();
	good = ssdpar_probe_run(run->directory, &run->asked->options, &callbacks,
							&result, &error);
	pgstat_report_wait_end();
	ReleaseExternalFD();
	ReleaseExternalFD();

	/* the engine has released everything, so errors are allowed again */
	if (good)
		document = take_result(&run->asked->options, &result);
	if (run->failure != NULL)
		ReThrowError(run->failure);
	CHECK_FOR_INTERRUPTS();
	if (!good)
		fail(run->asked->name, &error);
	return document;
}

static void
run_shown(const SsdparCalibration *calibration)
{
	Run			run = {
		.asked = calibration,
		.context = CurrentMemoryContext,
		.last_notice = GetCurrentTimestamp(),
	};
	char	   *document;
	SsdparMachine machine = {0};

	ssdpar_tablespace_directory(calibration->tablespace, run.directory,
								sizeof(run.directory));
	check_directory(calibration->name, run.directory);
	ssdpar_profiles_check_changeable();

	/* all is measured before anything is stored: a profile is whole, or old */
	document = measure(&run);
	ssdpar_calibration_progress_put("measuring the processors", 0.0);
	ssdpar_cpu_calibration_measure(run.directory, &machine);
	ssdpar_calibration_progress_put("keeping the profile", 0.0);
	ssdpar_profile_store_measured(calibration->tablespace, document, &machine);
}

/*
 * For FATAL errors, which do not reach PG_FINALLY(); otherwise it does
 * nothing.
 */
static void
show_no_more(int code, Datum arg)
{
	ssdpar_calibration_progress_end();
}

/*
 * The callback stays registered.  PG_ENSURE_ERROR_CLEANUP does not work here:
 * it removes the latest callback, which may be another one after the body has
 * run queries and started the daemon.
 */
void
ssdpar_calibration_run(const SsdparCalibration *calibration)
{
	static bool registered = false;

	if (!registered)
		before_shmem_exit(show_no_more, (Datum) 0);
	registered = true;
	ssdpar_calibration_progress_begin(calibration->tablespace);
	PG_TRY();
	{
		run_shown(calibration);
	}
	PG_FINALLY();
	{
		ssdpar_calibration_progress_end();
	}
	PG_END_TRY();
}
