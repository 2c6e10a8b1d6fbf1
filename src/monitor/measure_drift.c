/*
 * measure_drift.c
 *		Measures whether a device is still as fast as its profile says.
 *
 * We compare the time that a query waited with the time predicted for the
 * bytes that it actually read from the device.  Both come from the kernel's
 * accounting of this process: it waited whenever it neither computed nor
 * queued for a processor.  So wrong row counts, cached pages and busy
 * processors do not look like a changed device, as they would if we compared
 * whole statements with their predictions.
 *
 * This works only for queries that wait for their own reads, in one pattern:
 * index scans below nested loops, which read one page after another, and
 * sequential scans for which only the kernel reads ahead.  For the latter we
 * know only bounds: the reads took at least the waiting time, and at most the
 * query's elapsed time, because they overlap with computing.  If pages are
 * read further ahead, or by another process, the waiting time says little.
 *
 * The results are kept in device/profile_drift.c.
 */
#include "postgres.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

#include "access/parallel.h"
#include "miscadmin.h"

#include "base/plan_walker.h"
#include "base/settings.h"
#include "device/busy_clock.h"
#include "device/profile_drift.h"
#include "monitor/measure_drift.h"
#include "monitor/plan_io.h"
#include "prefetch/counters.h"

/* 8 MB.  In less, single waits for other causes have too much weight. */
#define LEAST_PAGES 1024.0

/* The scans of a plan, as far as they have been visited. */
typedef struct Look
{
	PlannedStmt *statement;
	SsdparDriftRun *run;
	int			scans;			/* of large tables */
	bool		unclear;
} Look;

/*
 * Nesting of measurable queries, which functions may run inside one another.
 * Only the outermost one is measured, because the process's times cannot be
 * attributed to one of them.
 */
static int	depth = 0;

static double
seconds_of(const struct timeval *time)
{
	return time->tv_sec + time->tv_usec * 1e-6;
}

/* Number of requests that this process has made ahead of its reads. */
static uint64
asked_ahead(void)
{
	return ssdpar_counted(SSDPAR_COUNT_REQUESTS) +
		ssdpar_counted(SSDPAR_COUNT_LOCAL);
}

/* Resources that this process has used so far. */
static void
take_times(double *seconds, double *busy_seconds, int64 *device_bytes)
{
	struct rusage used;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	getrusage(RUSAGE_SELF, &used);
	*seconds = now.tv_sec + now.tv_nsec * 1e-9;
	*busy_seconds = seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime) +
		ssdpar_queued_seconds();
	/* sectors read by this process itself, not by the daemon for it */
	*device_bytes = (int64) used.ru_inblock * 512;
}

/*
 * Sets *reads to how the scan waits for its pages; returns false if it does
 * not simply wait.  Only parameterized index scans are sure to read at random;
 * other index scans may follow the order of the table, so the kernel reads
 * ahead.
 */
static bool
scan_reads(const Plan *plan, const SsdparModel *model, Oid tablespace,
		   BlockNumber npages, SsdparReads *reads)
{
	SsdparResidency none = {0.0, 0.0};

	switch (nodeTag(plan))
	{
		case T_SeqScan:
			*reads = ssdpar_model_seqscan(model, tablespace, npages, none);
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

	if (!ssdpar_plan_large_table(look->statement,
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

/*
 * The workers of a Gather wait in their own processes, and a foreign scan does
 * not wait for the device.
 */
static bool
look_at_node(PlanState *node, SsdparPlanWalk *walk)
{
	Look	   *look = walk->context;

	switch (nodeTag(node->plan))
	{
		case T_Gather:
		case T_GatherMerge:
		case T_ForeignScan:
			look->unclear = true;
			break;
		default:
			if (ssdpar_plan_reads_table(node->plan))
				look_at_scan(look, node->plan);
			break;
	}
	return look->unclear || ssdpar_plan_walk_below(node, walk);
}

bool
ssdpar_drift_wanted(const QueryDesc *query)
{
	return ssdpar_cost_model && query->operation == CMD_SELECT &&
		!ssdpar_plan_is_short(query->plannedstmt) &&
		ssdpar_drift_recorded() && !IsParallelWorker();
}

void
ssdpar_drift_begin(SsdparDriftRun *run, QueryDesc *query)
{
	Look		look = {.statement = query->plannedstmt, .run = run};

	run->measured = false;
	if (depth++ > 0)
		return;
	ssdpar_plan_walk(query, look_at_node, &look);
	if (look.unclear || look.scans == 0)
		return;
	run->measured = true;
	run->asked = asked_ahead();
	take_times(&run->seconds, &run->busy_seconds, &run->device_bytes);
}

void
ssdpar_drift_failed(void)
{
	Assert(depth > 0);
	depth--;
}

void
ssdpar_drift_end(const SsdparDriftRun *run)
{
	SsdparModel model;
	SsdparReads reads;
	double		seconds;
	double		busy_seconds;
	double		predicted;
	double		elapsed;
	double		taken;
	int64		device_bytes;

	Assert(depth > 0);
	depth--;

	/*
	 * An index scan may have been read ahead after all, and the profile may
	 * have been removed, because the query itself can calibrate.
	 */
	if (!run->measured || run->asked != asked_ahead() ||
		!ssdpar_model_get(run->tablespace, &model))
		return;
	take_times(&seconds, &busy_seconds, &device_bytes);
	reads = run->reads;
	reads.pages = (double) (device_bytes - run->device_bytes) / BLCKSZ;
	if (reads.pages < LEAST_PAGES)
		return;
	predicted = ssdpar_model_io_seconds(model.profile, &model.load, &reads,
										1.0);
	if (!(predicted > 0.0))
		return;

	/*
	 * If reads overlap with computing, we know only bounds of their time, and
	 * accept a prediction between them as correct.
	 */
	elapsed = seconds - run->seconds;
	taken = elapsed - (busy_seconds - run->busy_seconds);
	if (reads.overlap > 0.0)
		taken = Max(taken, Min(predicted, elapsed));
	elog(DEBUG1, "%.0f pages took the device %.3f ms, predicted were %.3f ms",
		 reads.pages, taken * 1e3, predicted * 1e3);

	ssdpar_drift_record(run->tablespace, taken / predicted);
}
