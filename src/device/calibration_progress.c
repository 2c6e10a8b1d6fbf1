/*
 * calibration_progress.c
 *		Reports the progress of running calibrations, through shared memory, in
 *		the rows of ssdpar.calibrations_running().
 *
 * The server's own progress views have a fixed list of commands, so extensions
 * cannot use them.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "commands/tablespace.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/spin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "base/compat.h"
#include "base/declared_row.h"
#include "device/calibration_progress.h"

/* Calibrations shown at a time; each is of a different tablespace. */
#define PLACES 16

typedef struct Progress
{
	int			pid;			/* 0: free */
	Oid			database;		/* its process is connected to */
	Oid			tablespace;
	TimestampTz began;
	char		phase[32];
	double		share;			/* of the phase, 0 to 1 */
} Progress;

typedef struct SharedProgress
{
	slock_t		mutex;
	Progress	places[PLACES];
} SharedProgress;

PG_FUNCTION_INFO_V1(ssdpar_sql_calibrations_running);

/* The columns of the function's result. */
enum Column
{
	PID,
	DATABASE,
	TABLESPACE,
	PHASE,
	SHARE,
	BEGAN_AT,
	COLUMNS
};

static const Oid column_types[COLUMNS] = {
	INT4OID, OIDOID, NAMEOID, TEXTOID, FLOAT8OID, TIMESTAMPTZOID,
};

static SharedProgress *shared = NULL;
static Progress *mine = NULL;

Size
ssdpar_calibration_progress_shmem_size(void)
{
	return sizeof(SharedProgress);
}

void
ssdpar_calibration_progress_shmem_init(void *part)
{
	shared = part;
	memset(shared, 0, sizeof(SharedProgress));
	SpinLockInit(&shared->mutex);
}

/* If all places are taken, this calibration is not shown. */
void
ssdpar_calibration_progress_begin(Oid tablespace)
{
	TimestampTz now = GetCurrentTimestamp();

	if (shared == NULL)
		return;
	SpinLockAcquire(&shared->mutex);
	for (int i = 0; i < PLACES && mine == NULL; i++)
		if (shared->places[i].pid == 0)
			mine = &shared->places[i];
	if (mine != NULL)
	{
		mine->pid = MyProcPid;
		mine->database = MyDatabaseId;
		mine->tablespace = tablespace;
		mine->began = now;
		strlcpy(mine->phase, "beginning", sizeof(mine->phase));
		mine->share = 0.0;
	}
	SpinLockRelease(&shared->mutex);
}

void
ssdpar_calibration_progress_end(void)
{
	if (mine == NULL)
		return;
	SpinLockAcquire(&shared->mutex);
	mine->pid = 0;
	SpinLockRelease(&shared->mutex);
	mine = NULL;
}

void
ssdpar_calibration_progress_put(const char *phase, double share)
{
	if (mine == NULL)
		return;
	SpinLockAcquire(&shared->mutex);
	strlcpy(mine->phase, phase, sizeof(mine->phase));
	mine->share = Min(Max(share, 0.0), 1.0);
	SpinLockRelease(&shared->mutex);
}

static void
put_row(ReturnSetInfo *result, const Progress *progress)
{
	char	   *name = get_tablespace_name(progress->tablespace);
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {0};

	values[PID] = Int32GetDatum(progress->pid);
	values[DATABASE] = ObjectIdGetDatum(progress->database);
	nulls[TABLESPACE] = name == NULL;
	values[TABLESPACE] = name == NULL ? (Datum) 0 :
		DirectFunctionCall1(namein, CStringGetDatum(name));
	values[PHASE] = CStringGetTextDatum(progress->phase);
	values[SHARE] = Float8GetDatum(progress->share);
	values[BEGAN_AT] = TimestampTzGetDatum(progress->began);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* calibrations_running(): the source of ssdpar.pg_stat_progress_calibrate. */
Datum
ssdpar_sql_calibrations_running(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Progress	places[PLACES];

	ssdpar_begin_rows(fcinfo, column_types, COLUMNS);
	if (shared == NULL)
		return (Datum) 0;
	SpinLockAcquire(&shared->mutex);
	memcpy(places, shared->places, sizeof(places));
	SpinLockRelease(&shared->mutex);
	for (int i = 0; i < PLACES; i++)
		if (places[i].pid != 0)
			put_row(result, &places[i]);
	return (Datum) 0;
}
