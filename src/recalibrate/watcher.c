/*
 * watcher.c
 *		Looks for tablespaces to calibrate again, and waits for a quiet moment.
 *
 * A background worker that sessions start, at most one, and not more often than
 * every ssdpar.auto_calibrate_quiet: a server on which nobody plans needs no
 * profile, and without ssdpar.auto_calibrate no place for a worker is taken.
 * It ends when there is nothing to do, or nothing to be done today:
 *
 *		look -> (no cause, or no budget) -> end
 *		look -> watch the device -> (busy) -> look
 *								 -> (quiet) -> calibrator -> look
 *
 * It is in no database, so none is kept from being dropped or copied while it
 * waits.  The calibration needs one, for the CPU's part: it is done by another
 * process (calibrator.c), which also keeps an error from ending this one, and
 * goes on when this one is terminated.  The next watcher leaves what is being
 * calibrated alone.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_database.h"
#include "commands/tablespace.h"
#include "miscadmin.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/elapsed.h"
#include "base/settings.h"
#include "device/profile_changes.h"
#include "recalibrate/cause.h"
#include "recalibrate/quiet.h"
#include "recalibrate/record.h"
#include "recalibrate/watcher.h"

/* Where a calibration does least harm: nobody drops or copies it. */
#define USUAL_DATABASE "postgres"

PGDLLEXPORT void ssdpar_watcher_main(Datum arg);

static uint32 wait_event = 0;

static void
fill_in(BackgroundWorker *worker, const char *name, const char *function,
		Datum argument)
{
	memset(worker, 0, sizeof(*worker));
	strlcpy(worker->bgw_name, name, BGW_MAXLEN);
	strlcpy(worker->bgw_type, name, BGW_MAXLEN);
	strlcpy(worker->bgw_library_name, "ssdpar", BGW_MAXLEN);
	strlcpy(worker->bgw_function_name, function, BGW_MAXLEN);
	worker->bgw_flags = BGWORKER_SHMEM_ACCESS |
		BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker->bgw_start_time = BgWorkerStart_ConsistentState;
	worker->bgw_restart_time = BGW_NEVER_RESTART;
	worker->bgw_main_arg = argument;
}

/* Where there is no place for a worker the next look will try again. */
void
ssdpar_watcher_start(void)
{
	BackgroundWorker worker;

	if (!ssdpar_records_available() || MyBackendType != B_BACKEND ||
		!ssdpar_records_take_look(GetCurrentStatementStartTimestamp(),
								  ssdpar_auto_calibrate_quiet * 1000))
		return;
	fill_in(&worker, "ssdpar watcher", "ssdpar_watcher_main",
			ObjectIdGetDatum(MyDatabaseId));
	(void) RegisterDynamicBackgroundWorker(&worker, NULL);
}

/* The place after that of the tablespace; the first if it has none. */
static int
place_after(const SsdparStored *stored, Oid tablespace)
{
	for (int i = 0; i < stored->ndevices; i++)
		if (stored->devices[i].tablespace == tablespace)
			return i + 1;
	return 0;
}

/*
 * The next tablespace, after the last one that was chosen, that should be
 * calibrated, and can be; why, in *CAUSE.  In turn: one that is never quiet
 * does not keep the others from theirs.  What is known of those that are passed
 * over is noted.
 */
static Oid
choose(Oid last, SsdparCause *cause)
{
	SsdparStored *stored = ssdpar_profiles_read().stored;
	int			first = place_after(stored, last);
	Oid			chosen = InvalidOid;

	for (int i = 0; i < stored->ndevices && !OidIsValid(chosen); i++)
	{
		SsdparStoredDevice *device =
			&stored->devices[(first + i) % stored->ndevices];
		Oid			tablespace = device->tablespace;

		*cause = ssdpar_cause_of(stored, device);
		if (*cause == SSDPAR_CAUSE_NONE)
			ssdpar_records_note(tablespace, *cause, SSDPAR_OUTCOME_NONE);
		if (!ssdpar_records_may_begin(tablespace, *cause))
			continue;
		if (ssdpar_records_afford(*cause) == SSDPAR_EXTENT_NONE)
			ssdpar_records_note(tablespace, *cause,
								SSDPAR_OUTCOME_UNAFFORDABLE);
		else
			chosen = tablespace;
	}
	return chosen;
}

/*
 * How well a database serves to calibrate in; 0: it cannot be connected to.  A
 * limit below -1 marks one whose removal did not come to its end.
 */
static int
rank(Form_pg_database database, Oid asker)
{
	if (!database->datallowconn || database->datconnlimit < -1)
		return 0;
	if (strcmp(NameStr(database->datname), USUAL_DATABASE) == 0)
		return 4;
	if (database->oid == asker)
		return 3;
	return database->datistemplate ? 1 : 2;
}

/*
 * The database to calibrate in: usually the same, else the one that is in use,
 * else any.  InvalidOid if none can be connected to.
 */
static Oid
find_database(Oid asker)
{
	Relation	databases = table_open(DatabaseRelationId, AccessShareLock);
	TableScanDesc scan = table_beginscan_catalog(databases, 0, NULL);
	HeapTuple	tuple;
	Oid			found = InvalidOid;
	int			best = 0;

	while ((tuple = heap_getnext(scan, ForwardScanDirection)) != NULL)
	{
		Form_pg_database database = (Form_pg_database) GETSTRUCT(tuple);

		if (rank(database, asker) <= best)
			continue;
		best = rank(database, asker);
		found = database->oid;
	}
	table_endscan(scan);
	table_close(databases, AccessShareLock);
	return found;
}

/* Is it still allowed, by the configuration as it is now? */
static bool
is_allowed(void)
{
	if (ConfigReloadPending)
	{
		ConfigReloadPending = false;
		ProcessConfigFile(PGC_SIGHUP);
	}
	return ssdpar_auto_calibrate;
}

static void
rest(long ms)
{
	(void) WaitLatch(MyLatch,
					 WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, ms,
					 ssdpar_wait_event(&wait_event, "SsdparAutoCalibrate"));
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
}

/* The latch is set for other reasons, too: none makes the time shorter. */
static bool
is_quiet(Oid tablespace)
{
	SsdparQuietWatch watch;

	ssdpar_quiet_begin(&watch, tablespace);
	while (is_allowed())
	{
		int64		wait = ssdpar_auto_calibrate_quiet * INT64CONST(1000000);
		int64		waited = ssdpar_monotonic_us() - watch.begun;

		if (waited >= wait)
			return ssdpar_quiet_end(&watch);
		rest((wait - waited) / 1000 + 1);
	}
	return false;
}

/* One that ended without a word could not start. */
static void
check_ended(Oid tablespace)
{
	SsdparRecord record;

	if (ssdpar_records_get(tablespace, &record) &&
		record.outcome == SSDPAR_OUTCOME_WAITING)
		ssdpar_records_end(tablespace, SSDPAR_OUTCOME_FAILED,
						   "its process has ended, see the server's log");
}

static void
run_calibrator(Oid tablespace, Oid database)
{
	BackgroundWorker worker;
	BackgroundWorkerHandle *handle;

	fill_in(&worker, "ssdpar calibrator", "ssdpar_calibrator_main",
			ObjectIdGetDatum(tablespace));
	memcpy(worker.bgw_extra, &database, sizeof(database));
	worker.bgw_notify_pid = MyProcPid;
	if (!RegisterDynamicBackgroundWorker(&worker, &handle))
		return;
	(void) WaitForBackgroundWorkerShutdown(handle);
	check_ended(tablespace);
	pfree(handle);
}

static void
tell_no_database(Oid tablespace)
{
	char	   *name = get_tablespace_name(tablespace);

	ssdpar_records_end(tablespace, SSDPAR_OUTCOME_FAILED,
					   "no database accepts connections");
	if (name != NULL)
		ereport(LOG,
				(errmsg("could not calibrate tablespace \"%s\" in the background: no database accepts connections",
						name),
				 errdetail("What processors take is measured by queries, in a database."),
				 errhint("Run ALTER DATABASE ... ALLOW_CONNECTIONS true for one, best for \"%s\".",
						 USUAL_DATABASE)));
}

/* The database is looked for now: the quiet moment was waited for. */
static void
calibrate(Oid tablespace, Oid asker)
{
	Oid			database;

	StartTransactionCommand();
	database = find_database(asker);
	if (!OidIsValid(database))
		tell_no_database(tablespace);
	CommitTransactionCommand();
	if (OidIsValid(database))
		run_calibrator(tablespace, database);
}

/* One turn; false if there is nothing more to do. */
static bool
take_turn(Oid asker)
{
	static Oid	tablespace = InvalidOid;
	SsdparCause cause = SSDPAR_CAUSE_NONE;

	SetCurrentStatementStartTimestamp();
	StartTransactionCommand();
	tablespace = choose(tablespace, &cause);
	CommitTransactionCommand();
	if (!OidIsValid(tablespace))
		return false;
	ssdpar_records_note(tablespace, cause, SSDPAR_OUTCOME_WAITING);
	if (is_quiet(tablespace))
		calibrate(tablespace, asker);
	else if (!ssdpar_auto_calibrate)
		ssdpar_records_note(tablespace, cause, SSDPAR_OUTCOME_NONE);
	return true;
}

static void
end_look(int code, Datum arg)
{
	ssdpar_records_end_look();
}

/* The worker; its argument is the database of the session that started it. */
void
ssdpar_watcher_main(Datum arg)
{
	pqsignal(SIGTERM, die);
	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	BackgroundWorkerUnblockSignals();
	if (!ssdpar_records_begin_look())
		proc_exit(0);
	before_shmem_exit(end_look, (Datum) 0);
	BackgroundWorkerInitializeConnection(NULL, NULL, 0);
	while (is_allowed() && take_turn(DatumGetObjectId(arg)))
		;
	proc_exit(0);
}
