/*
 * calibrator.c
 *		Calibrates one tablespace in the background, and ends.
 *
 * It is in nobody's way: a query that is going to read the device ends it,
 * as do a budget that is spent and a setting that is turned off, within a tenth
 * of a second while the device is measured.  Nothing is kept then.
 */
#include "postgres.h"

#include "access/xact.h"
#include "commands/tablespace.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/settings.h"
#include "device/calibration.h"
#include "device/profile_changes.h"
#include "recalibrate/cause.h"
#include "recalibrate/quiet.h"
#include "recalibrate/record.h"
#include "recalibrate/room.h"

/* Of the budget, what is left to the CPU calibration, which asks nobody. */
#define CPU_SECONDS 3.0

PGDLLEXPORT void ssdpar_calibrator_main(Datum arg);

/* What it is at. */
typedef struct Task
{
	SsdparCalibration calibration;
	SsdparStored *stored;		/* all profiles, as it began */
	SsdparCause cause;
	SsdparExtent extent;
	TimestampTz until;			/* then the budget is spent */
	bool		writes;			/* it has come so far */
	bool		no_room;		/* for the whole scratch file */
	const char *in_the_way;		/* why it was ended; NULL: it was not */
} Task;

static bool
go_on(void *arg)
{
	Task	   *task = arg;

	task->writes = true;
	if (ConfigReloadPending)
	{
		ConfigReloadPending = false;
		ProcessConfigFile(PGC_SIGHUP);
	}
	if (!ssdpar_auto_calibrate)
		task->in_the_way = "ssdpar.auto_calibrate was turned off";
	else if (ssdpar_is_read(task->calibration.tablespace))
		task->in_the_way = "a query began to read its device";
	else if (GetCurrentTimestamp() > task->until)
		task->in_the_way = "the time of the day's budget was spent";
	return task->in_the_way == NULL;
}

static void
note_reserved(void *arg, int64 file_size)
{
	Task	   *task = arg;

	task->no_room = file_size < task->calibration.options.file_size;
	ssdpar_records_reserved(task->calibration.tablespace, file_size);
}

/* Somebody's change in the midst of it is newer than what it measured. */
static bool
is_unchanged(void *arg)
{
	Task	   *task = arg;
	SsdparStored *now = ssdpar_profiles_read_locked().stored;

	if (!ssdpar_stored_same(task->stored, now, task->calibration.tablespace))
		task->in_the_way = "its profile was changed meanwhile";
	return task->in_the_way == NULL;
}

/* Enters VALUE into an ascending list without repeats, if there is room. */
#define ENTER(list, count, most, value) \
	do { \
		int			at_ = 0; \
		while (at_ < (count) && (list)[at_] < (value)) \
			at_++; \
		if ((at_ == (count) || (list)[at_] != (value)) && (count) < (most)) \
		{ \
			memmove(&(list)[at_ + 1], &(list)[at_], \
					((count) - at_) * sizeof((list)[0])); \
			(list)[at_] = (value); \
			(count)++; \
		} \
	} while (0)

/*
 * A whole calibration has the sizes and depths of the profile that it replaces,
 * which somebody may have chosen; streams have their own.  Writes are never
 * measured: they would be many times the budget.
 */
static void
keep_sweep(const SsdparStored *stored, Oid tablespace, ProbeOptions *options)
{
	ProbeOptions kept = *options;
	ProbeError	error;

	kept.nsizes = 0;
	kept.ndepths = 0;
	for (int i = 0; i < stored->npoints; i++)
	{
		const SsdparStoredPoint *point = &stored->points[i];

		if (point->tablespace != tablespace ||
			strcmp(point->operation, "read") != 0 ||
			strcmp(point->pattern, SSDPAR_STREAMS) == 0)
			continue;
		ENTER(kept.sizes, kept.nsizes, PROBE_MAX_SIZES, point->request_size);
		ENTER(kept.depths, kept.ndepths, PROBE_MAX_DEPTHS,
			  point->queue_depth);
	}
	if (ssdpar_probe_check_options(&kept, &error))
		*options = kept;
}

/*
 * Why, and how much, asked again under the lock: somebody may have calibrated
 * since.  False if there is nothing to do.
 */
static bool
make_task(Oid tablespace, Task *task)
{
	SsdparStored *stored = ssdpar_profiles_read().stored;
	SsdparStoredDevice *device = ssdpar_stored_find(stored, tablespace);
	SsdparBudget left = ssdpar_records_left();
	SsdparCalibration *calibration = &task->calibration;

	memset(task, 0, sizeof(*task));
	task->stored = stored;
	task->cause = device == NULL ? SSDPAR_CAUSE_NONE :
		ssdpar_cause_of(stored, device);
	task->extent = ssdpar_records_afford(task->cause);
	calibration->tablespace = tablespace;
	calibration->name = get_tablespace_name(tablespace);
	calibration->go_on = go_on;
	calibration->reserved = note_reserved;
	calibration->may_keep = is_unchanged;
	calibration->arg = task;
	ssdpar_probe_default_options(&calibration->options);
	if (task->extent == SSDPAR_EXTENT_QUICK)
		ssdpar_calibration_make_quick(&calibration->options);
	else if (task->cause != SSDPAR_CAUSE_QUICK)
		keep_sweep(stored, tablespace, &calibration->options);
	calibration->options.room = ssdpar_room_for_others(tablespace);
	task->until = GetCurrentTimestamp() +
		(int64) ((left.seconds - CPU_SECONDS) * 1e6);
	return task->cause != SSDPAR_CAUSE_NONE &&
		task->extent != SSDPAR_EXTENT_NONE && calibration->name != NULL;
}

/*
 * To the end of the transaction, from which on it is kept.  Errors go on, to
 * the log: the process ends by them.
 */
static bool
run(Task *task)
{
	Oid			tablespace = task->calibration.tablespace;
	volatile bool measured = false;

	ssdpar_records_begin(tablespace, task->cause, task->extent);
	PG_TRY();
	{
		measured = ssdpar_calibration_run(&task->calibration);
		CommitTransactionCommand();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(TopMemoryContext);
		error = CopyErrorData();
		if (task->writes)
			ssdpar_records_end(tablespace, SSDPAR_OUTCOME_FAILED,
							   error->message);
		else
			ssdpar_records_refuse(tablespace, error->message);
		PG_RE_THROW();
	}
	PG_END_TRY();
	return measured;
}

static void
tell(const Task *task)
{
	SsdparBudget left = ssdpar_records_left();
	SsdparRecord record;

	if (!ssdpar_records_get(task->calibration.tablespace, &record))
		return;
	if (task->in_the_way != NULL)
		ereport(LOG,
				(errmsg("calibrating tablespace \"%s\" in the background was ended after %.1f s: %s",
						task->calibration.name, record.seconds,
						task->in_the_way),
				 errdetail("What it measured is not kept.")));
	else
		ereport(LOG,
				(errmsg("calibrated tablespace \"%s\" in the background, as %s",
						task->calibration.name,
						ssdpar_cause_reason(task->cause)),
				 errdetail("The %s calibration took %.1f s and wrote %d MB; %.0f s and %d MB of the day's budget are left.",
						   task->extent == SSDPAR_EXTENT_WHOLE ? "whole" :
						   "quick",
						   record.seconds, (int) (record.bytes >> 20),
						   left.seconds, (int) (left.bytes >> 20)),
				 task->no_room ?
				 errhint("There was no room for a scratch file of %d MB: a cache in the device may have held much of a smaller one.",
						 (int) (task->calibration.options.file_size >> 20)) :
				 0));
}

/* False if there is nothing to do, or somebody else is at it. */
static bool
begin(Oid tablespace, Task *task)
{
	if (!ssdpar_profiles_lock_calibration(tablespace))
	{
		ssdpar_records_end(tablespace, SSDPAR_OUTCOME_ENDED,
						   "another session is calibrating its device");
		return false;
	}
	if (make_task(tablespace, task))
		return true;
	ssdpar_records_note(tablespace, SSDPAR_CAUSE_NONE, SSDPAR_OUTCOME_NONE);
	return false;
}

/*
 * Settings that are meant for sessions would end a calibration, or its
 * transaction: the same are overruled as for autovacuum.
 */
static void
overrule_settings(void)
{
	static const char *const none[] = {
		"statement_timeout", "lock_timeout",
		"idle_in_transaction_session_timeout", "transaction_timeout",
	};

	for (int i = 0; i < (int) lengthof(none); i++)
		if (GetConfigOption(none[i], true, false) != NULL)	/* since 17 */
			SetConfigOption(none[i], "0", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_isolation", "read committed",
					PGC_SUSET, PGC_S_OVERRIDE);
}

static void
calibrate(Oid tablespace)
{
	Task		task;
	bool		measured;

	StartTransactionCommand();
	MemoryContextSwitchTo(TopMemoryContext);
	if (!begin(tablespace, &task))
	{
		CommitTransactionCommand();
		return;
	}
	measured = run(&task);
	ssdpar_records_end(tablespace, measured ? SSDPAR_OUTCOME_DONE :
					   SSDPAR_OUTCOME_ENDED,
					   measured ? "" : task.in_the_way);
	tell(&task);
}

/* A termination ends the process wherever it is; others would wait for it. */
static void
end_interrupted(int code, Datum arg)
{
	Oid			tablespace = DatumGetObjectId(arg);
	SsdparRecord record;

	if (ssdpar_records_get(tablespace, &record) &&
		record.outcome == SSDPAR_OUTCOME_RUNNING &&
		record.runner == MyProcPid)
		ssdpar_records_end(tablespace, SSDPAR_OUTCOME_INTERRUPTED,
						   "its process was interrupted");
}

/*
 * The worker; its argument is the tablespace, the database comes beside it.  A
 * termination must not end the process within the engine: die() waits for the
 * next check.
 */
void
ssdpar_calibrator_main(Datum arg)
{
	Oid			database;

	pqsignal(SIGTERM, die);
	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	BackgroundWorkerUnblockSignals();
	before_shmem_exit(end_interrupted, arg);
	memcpy(&database, MyBgworkerEntry->bgw_extra, sizeof(database));
	BackgroundWorkerInitializeConnectionByOid(database, InvalidOid, 0);
	overrule_settings();
	SetCurrentStatementStartTimestamp();
	pgstat_report_activity(STATE_RUNNING,
						   "ssdpar: calibrates a tablespace in the background");
	calibrate(DatumGetObjectId(arg));
	proc_exit(0);
}
