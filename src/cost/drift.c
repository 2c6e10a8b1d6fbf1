/*
 * drift.c
 *		Does a device still take what its profile says?
 *
 * Compared is time waited with time predicted, for the bytes that a query has
 * in fact read from the device.  Both are the kernel's count of this process:
 * waited is what it neither computed nor stood in the queue for a processor.
 * So wrong row counts, cached pages and busy processors do not look like a
 * device that has changed; whole statements held against their predictions
 * would.
 *
 * That can be told only of queries that wait for their own reads, in one
 * pattern: index scans below nested loops, one page after another, and
 * sequential scans with nothing but the kernel reading ahead.  Of the latter
 * only bounds are known: the reads took at least what was waited, and at most
 * what the query took, as they overlap with its computing.  Where reads are
 * further ahead, or another process's, what is waited says little.
 *
 * The error of a tablespace is a running mean of logarithms, in shared memory.
 * It is an observation: nothing is planned by it.
 */
#include "postgres.h"

#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "access/parallel.h"
#include "commands/tablespace.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "storage/spin.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "cost/company.h"
#include "cost/drift.h"
#include "settings.h"

/* Tablespaces that are watched; no server is likely to have more devices. */
#define PLACES 64

/* 8 MB: below, single waits for something else weigh too much. */
#define LEAST_PAGES 1024.0

/* So many queries until anything is said; then each counts a twentieth. */
#define LEAST_QUERIES 10
#define LAST_QUERIES 20

/* A profile fits as long as reads take between half and twice its times. */
#define TOO_FAR 2.0

#define DAY_MS (24 * 60 * 60 * 1000)

typedef struct Place
{
	Oid			tablespace;		/* InvalidOid: free */
	int			queries;
	double		log_error;		/* mean of ln(waited / predicted) */
	TimestampTz told;			/* in the log; kept when forgotten */
} Place;

typedef struct SharedDrift
{
	slock_t		mutex;
	Place		places[PLACES];
} SharedDrift;

/* The scans of a plan, as far as they have been looked at. */
typedef struct Look
{
	PlannedStmt *statement;
	SsdparDriftRun *run;
	int			scans;			/* of large tables */
	bool		unclear;
} Look;

static SharedDrift *shared = NULL;
static int	depth = 0;			/* of queries that run inside one another */

void
ssdpar_drift_request_shmem(void)
{
	RequestAddinShmemSpace(sizeof(SharedDrift));
}

void
ssdpar_drift_attach_shmem(void)
{
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared = ShmemInitStruct("ssdpar drift", sizeof(SharedDrift), &found);
	if (!found)
	{
		memset(shared, 0, sizeof(SharedDrift));
		SpinLockInit(&shared->mutex);
	}
	LWLockRelease(AddinShmemInitLock);
}

/* Time stood in the queue for a processor; 0 where the kernel does not say. */
static double
queued_seconds(void)
{
	char		text[64];
	unsigned long long queued;
	int			fd = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
	ssize_t		length;

	if (fd < 0)
		return 0.0;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return 0.0;
	text[length] = '\0';
	return sscanf(text, "%*u %llu", &queued) == 1 ? queued * 1e-9 : 0.0;
}

static double
seconds_of(const struct timeval *time)
{
	return time->tv_sec + time->tv_usec * 1e-6;
}

/* What this process has used up to now. */
static void
take_times(double *seconds, double *busy_seconds, int64 *device_bytes)
{
	struct rusage used;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	getrusage(RUSAGE_SELF, &used);
	*seconds = now.tv_sec + now.tv_nsec * 1e-9;
	*busy_seconds = seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime) +
		queued_seconds();
	*device_bytes = (int64) used.ru_inblock * 512;
}

/*
 * How the scan waits for its pages; false if it does not simply wait.  Only
 * parameterised index scans read at random for sure: the others may follow the
 * order of the table, and the kernel then reads ahead.
 */
static bool
scan_reads(const Plan *plan, const SsdparModel *model, Oid tablespace,
		   BlockNumber npages, SsdparReads *reads)
{
	SsdparResidency none = {0.0, 0.0};

	switch (nodeTag(plan))
	{
		case T_SeqScan:
			*reads = ssdpar_model_seqscan(model, tablespace, npages, false,
										  none);
			return reads->overlap < SSDPAR_WINDOW_OVERLAP;
		case T_IndexScan:
		case T_IndexOnlyScan:
			*reads = ssdpar_model_random(npages, 1.0, false, none);
			return !bms_is_empty(plan->allParam);
		default:
			return false;
	}
}

/* All large tables must be read in the same way, on one tablespace. */
static void
look_at_scan(Look *look, const Plan *plan)
{
	SsdparModel model;
	SsdparReads reads;
	Oid			table;
	Oid			tablespace;
	BlockNumber npages;

	if (!ssdpar_company_large_table(look->statement,
									((const Scan *) plan)->scanrelid, &table,
									&tablespace, &npages))
		return;
	if (!ssdpar_model_get(tablespace, &model) ||
		!scan_reads(plan, &model, tablespace, npages, &reads) ||
		(look->scans > 0 && (tablespace != look->run->tablespace ||
							 reads.pattern != look->run->reads.pattern)))
	{
		look->unclear = true;
		return;
	}
	look->run->tablespace = tablespace;
	look->run->reads = reads;
	look->scans++;
}

static bool
look_at_node(PlanState *node, void *context)
{
	Look	   *look = context;

	switch (nodeTag(node->plan))
	{
		case T_Gather:
		case T_GatherMerge:
		case T_ForeignScan:
			look->unclear = true;
			break;
		default:
			if (ssdpar_company_is_scan(node->plan))
				look_at_scan(look, node->plan);
			break;
	}
	return look->unclear || planstate_tree_walker(node, look_at_node, look);
}

void
ssdpar_drift_begin(SsdparDriftRun *run, QueryDesc *query, bool complete)
{
	Look		look = {.statement = query->plannedstmt,.run = run};

	run->measured = false;
	if (depth++ > 0 || shared == NULL || !complete || !ssdpar_enabled ||
		!ssdpar_cost_model || IsParallelWorker() ||
		query->operation != CMD_SELECT || query->planstate == NULL)
		return;
	look_at_node(query->planstate, &look);
	if (look.unclear || look.scans == 0)
		return;
	run->measured = true;
	take_times(&run->seconds, &run->busy_seconds, &run->device_bytes);
}

void
ssdpar_drift_failed(void)
{
	depth--;
}

/* The place of a tablespace, taken if need be; NULL if there is none left. */
static Place *
find_place(Oid tablespace, bool take)
{
	for (int i = 0; i < PLACES; i++)
	{
		Place	   *place = &shared->places[i];

		if (take && !OidIsValid(place->tablespace))
			place->tablespace = tablespace;
		if (place->tablespace == tablespace)
			return place;
	}
	return NULL;
}

static bool
is_too_far(const Place *place)
{
	return place->queries >= LEAST_QUERIES &&
		fabs(place->log_error) > log(TOO_FAR);
}

/* Adds one query; true, at most once a day, if the profile does not fit. */
static bool
add_error(Oid tablespace, double log_error, Place *result)
{
	TimestampTz now = GetCurrentTimestamp();
	Place	   *place;
	bool		tell = false;

	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, true);
	if (place != NULL)
	{
		place->queries = Min(place->queries + 1, PG_INT16_MAX);
		place->log_error += (log_error - place->log_error) /
			Min(place->queries, LAST_QUERIES);
		tell = is_too_far(place) &&
			(place->told == 0 ||
			 TimestampDifferenceExceeds(place->told, now, DAY_MS));
		if (tell)
			place->told = now;
		*result = *place;
	}
	SpinLockRelease(&shared->mutex);
	return tell;
}

static void
tell_drift(const Place *place)
{
	char	   *name = get_tablespace_name(place->tablespace);

	if (name == NULL)
		return;
	ereport(LOG,
			(errmsg("reads in tablespace \"%s\" take %.2f times as long as its device profile says",
					name, exp(place->log_error)),
			 errdetail("This is the mean of the last queries that read it; plans are chosen by the profile."),
			 errhint("Run SELECT * FROM ssdpar.calibrate('%s') when the device is not busy.",
					 name)));
	pfree(name);
}

/*
 * What the device has taken, as far as it can be told: where reads overlap with
 * computing, the prediction is right within its bounds.
 */
static double
device_seconds(const SsdparReads *reads, double predicted, double elapsed,
			   double busy)
{
	double		waited = elapsed - busy;

	if (!(reads->overlap > 0.0))
		return waited;
	return Max(waited, Min(predicted, elapsed));
}

void
ssdpar_drift_end(const SsdparDriftRun *run)
{
	SsdparModel model;
	SsdparReads reads;
	Place		place;
	double		seconds;
	double		busy_seconds;
	double		predicted;
	double		taken;
	int64		device_bytes;

	depth--;
	if (!run->measured || !ssdpar_model_get(run->tablespace, &model))
		return;
	take_times(&seconds, &busy_seconds, &device_bytes);
	reads = run->reads;
	reads.pages = (double) (device_bytes - run->device_bytes) / BLCKSZ;
	if (reads.pages < LEAST_PAGES)
		return;
	predicted = ssdpar_model_io_seconds(model.profile, &model.company, &reads,
										1.0);
	if (!(predicted > 0.0))
		return;
	taken = device_seconds(&reads, predicted, seconds - run->seconds,
						   busy_seconds - run->busy_seconds);
	elog(DEBUG1, "%.0f pages took the device %.3f ms, predicted were %.3f ms",
		 reads.pages, taken * 1e3, predicted * 1e3);

	/* less than a hundredth cannot be a device: something was read ahead */
	if (add_error(run->tablespace, log(Max(taken / predicted, 0.01)), &place))
		tell_drift(&place);
}

double
ssdpar_drift_of(Oid tablespace)
{
	Place	   *place;
	double		error = 0.0;

	if (shared == NULL)
		return 0.0;
	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, false);
	if (place != NULL && place->queries >= LEAST_QUERIES)
		error = exp(place->log_error);
	SpinLockRelease(&shared->mutex);
	return error;
}

void
ssdpar_drift_forget(void)
{
	if (shared == NULL)
		return;
	SpinLockAcquire(&shared->mutex);
	for (int i = 0; i < PLACES; i++)
	{
		shared->places[i].queries = 0;
		shared->places[i].log_error = 0.0;
	}
	SpinLockRelease(&shared->mutex);
}
