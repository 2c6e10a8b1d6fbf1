/*
 * calibration.c
 *		One calibration of a tablespace: runs the measuring engine inside its
 *		directory, and keeps the result.
 *
 * The engine cannot be left by longjmp while requests are in flight.  So what
 * may raise an error while it runs (interrupts, notices) runs guarded: the
 * error is put aside, the engine is told to stop, and the error goes on once
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

/* Of a quick calibration; that of the CPU takes a second or two more. */
#define QUICK_SECONDS 5.0
#define QUICK_FILE ((int64) 256 << 20)

/* One that runs. */
typedef struct Run
{
	const SsdparCalibration *asked;
	char		directory[MAXPGPATH];
	MemoryContext context;
	TimestampTz last_notice;
	const char *stage;			/* for the guarded notices */
	double		share;
	int64		file_size;
	ErrorData  *failure;		/* put aside by run_guarded() */
} Run;

/*
 * For a first look: what counts most, with gaps where the planner interpolates,
 * short visits and a quarter of the file.  One visit more than in a whole one:
 * a stall covers more of a short one, so two of three are hit more often.  What
 * is asked for besides goes before it, unless it is more.  Depth 2 is no gap: a
 * device that two requests saturate would be taken for one that four do.
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
 * Runs STEP; an error is put aside and makes the answer false.  Without a
 * subtransaction, since no step takes a lock or changes anything.
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

/* The probe would say it of a directory, which nobody has named here. */
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
 * DROP TABLESPACE does not see a file without a name.  Waiting is shown anew:
 * to send a notice is a wait of its own, and ends it.
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

/* MB, that the engine wants free for a scratch file (probe/scratch.c). */
static int
free_for(int64 file_size)
{
	return (int) ((file_size + file_size / 16) >> 20);
}

/* Before the wait, not after it: the user may rather make room. */
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
 * A termination would end the process inside the engine: that waits for the
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

/*
 * What was measured, as the JSON document that ssdpar-probe prints.  What the
 * engine allocated is not the server's memory.
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

	/* nothing of the engine is left: errors may be raised again */
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

/* At a FATAL error, which PG_FINALLY() does not come to; else it is over. */
static void
show_no_more(int code, Datum arg)
{
	ssdpar_calibration_progress_end();
}

/*
 * The callback stays registered, and PG_ENSURE_ERROR_CLEANUP is not for this:
 * it takes back the latest callback, which after queries that the body runs,
 * and the daemon that they ask for the first time, is another one.
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
