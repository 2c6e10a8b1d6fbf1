/*
 * cpu_calibration.c
 *		Measures the CPU time of the planner's cost unit, and of pages that are
 *		not read from the device.
 *
 * All times are CPU time of this process, user and kernel, so neither the
 * device nor other processes affect them.  The cost unit is measured under the
 * current cpu_* settings, and is valid for these only.
 *
 * The probe measures the device; the cost model uses the numbers.
 */
#include "postgres.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "access/table.h"
#include "catalog/pg_proc.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"
#include "utils/rel.h"

#include "cpu_calibration.h"
#include "base/compat.h"
#include "device/cpu_quota.h"
#include "probe/scratch.h"

/*
 * A step ends after this time even if it has not reached its number of runs.
 */
#define STEP_SECONDS 0.2

/* Bounds for the number of runs of the query. */
#define MIN_RUNS 5
#define MAX_RUNS 200

#define FILE_PAGES 2048
#define HIT_ROUNDS 20000

/* Rounds of each kind of reading, of which we take the median. */
#define READ_ROUNDS 5

/*
 * Distance between pages that prevents the kernel from reading ahead; must be
 * odd.
 */
#define SCATTERED 797

/*
 * pg_proc has thousands of rows even in a new database, and every role may
 * read it.  Its rows are about as wide as those of a fact table, and the
 * column that we read is in the middle.  A narrow table (pg_description)
 * underestimates the unit.
 */
#define UNIT_QUERY \
	"SELECT pg_catalog.count(*), pg_catalog.sum(p.pronargs) " \
	"FROM ONLY pg_catalog.pg_proc p " \
	"WHERE p.pronargs OPERATOR(pg_catalog.>=) 0::pg_catalog.int2"

static double
seconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

/* CPU time of one run of the query; *rows is set to the counted rows. */
static double
run_query(SPIPlanPtr plan, double *rows)
{
	double		before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
	double		used;
	bool		isnull;

	if (SPI_execute_plan(plan, NULL, NULL, true, 0) != SPI_OK_SELECT ||
		SPI_processed != 1)
		elog(ERROR, "query for the CPU calibration failed");
	used = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before;
	*rows = (double) DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0],
												 SPI_tuptable->tupdesc, 1,
												 &isnull));
	SPI_freetuptable(SPI_tuptable);
	return used;
}

/*
 * The lower quartile of many runs, in seconds, because other work can only
 * lengthen a run; *rows is set to the counted rows.
 */
static double
query_seconds(double *rows)
{
	double		runs[MAX_RUNS];
	double		begin = seconds_of(CLOCK_MONOTONIC);
	int			nruns = 0;
	SPIPlanPtr	plan;

	SPI_connect();
	plan = SPI_prepare(UNIT_QUERY, 0, NULL);
	if (plan == NULL)
		elog(ERROR, "query for the CPU calibration was not planned");
	run_query(plan, rows);		/* fills the caches */
	while (nruns < MIN_RUNS ||
		   (nruns < MAX_RUNS &&
			seconds_of(CLOCK_MONOTONIC) - begin < STEP_SECONDS))
	{
		CHECK_FOR_INTERRUPTS();
		runs[nruns++] = run_query(plan, rows);
	}
	SPI_finish();
	qsort(runs, nruns, sizeof(runs[0]), compare_doubles);
	return runs[nruns / 4];
}

/*
 * Time to find a page in shared buffers, lock it as a scan does, and release
 * it.
 */
static double
hit_seconds(Relation table, BlockNumber nblocks)
{
	double		before = 0.0;

	/* the first round reads the pages into shared buffers */
	for (int round = -(int) nblocks; round < HIT_ROUNDS; round++)
	{
		Buffer		buffer;

		if (round == 0)
			before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
		buffer = ReadBuffer(table, (BlockNumber)
							((uint32) (round + (int) nblocks) % nblocks));
		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		UnlockReleaseBuffer(buffer);
	}
	return (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before) / HIT_ROUNDS;
}

/*
 * For the planner, one row of the query costs a tuple, one operator and two
 * transitions (cost_seqscan, cost_agg).  We subtract the time for pages,
 * because it is priced separately.
 */
static void
measure_unit(SsdparMachine *machine)
{
	Relation	table = table_open(ProcedureRelationId, AccessShareLock);
	BlockNumber nblocks = Max(RelationGetNumberOfBlocks(table), 1);
	double		rows;
	double		seconds = query_seconds(&rows);

	machine->page_hit_seconds = hit_seconds(table, Min(nblocks, 64));
	table_close(table, AccessShareLock);
	seconds -= nblocks * machine->page_hit_seconds;
	machine->seconds_per_cost_unit = seconds /
		(Max(rows, 1.0) * (cpu_tuple_cost + 3.0 * cpu_operator_cost));
}

static void
fail_on_file(const char *directory, const char *what)
{
	ereport(ERROR,
			(errcode_for_file_access(),
			 errmsg("could not %s a scratch file in \"%s\": %m", what,
					directory),
			 errdetail("The CPU time of cached pages was to be measured with "
					   "it; no profile has been stored."),
			 errhint("See that the tablespace's directory can be written and "
					 "has %d MB free, and calibrate again.",
					 FILE_PAGES * BLCKSZ / (1024 * 1024))));
}

/* Fills the file and flushes it to the device. */
static void
fill_file(int fd, const char *directory)
{
	PGAlignedBlock block;

	for (int page = 0; page < FILE_PAGES; page++)
	{
		memset(block.data, page % 255 + 1, BLCKSZ);
		errno = ENOSPC;
		if (write(fd, block.data, BLCKSZ) != BLCKSZ)
			fail_on_file(directory, "write");
	}
	if (fdatasync(fd) != 0)
		fail_on_file(directory, "flush");
}

/*
 * CPU time of reading one page.  Reads up to *npages, and sets it to the
 * number that was read in time.  With a stride of 1 the kernel can read ahead;
 * any other odd stride visits every page once.
 */
static double
read_seconds(int fd, const char *directory, int stride, int *npages)
{
	PGAlignedBlock block;
	double		begin = seconds_of(CLOCK_MONOTONIC);
	double		before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
	int			done = 0;

	while (done < *npages &&
		   seconds_of(CLOCK_MONOTONIC) - begin < STEP_SECONDS)
	{
		off_t		page = (done * stride) % FILE_PAGES;

		errno = EIO;
		if (pread(fd, block.data, BLCKSZ, page * BLCKSZ) != BLCKSZ)
			fail_on_file(directory, "read");
		done++;
		CHECK_FOR_INTERRUPTS();
	}
	*npages = done;
	return (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before) / done;
}

/* Seconds per page of each kind of reading, in each round. */
typedef struct Reads
{
	double		stream[READ_ROUNDS];	/* in order, from the device */
	double		fill[READ_ROUNDS];	/* scattered, from the device */
	double		copy[READ_ROUNDS];	/* scattered, from the page cache */
} Reads;

static double
median(double *rounds)
{
	qsort(rounds, READ_ROUNDS, sizeof(double), compare_doubles);
	return rounds[READ_ROUNDS / 2];
}

/*
 * Alternates between the three kinds of reading, so that a busy moment of the
 * machine does not affect only one of them.
 */
static void
measure_file(int fd, const char *directory, SsdparMachine *machine)
{
	double		hit = machine->page_hit_seconds;
	Reads		reads;

	fill_file(fd, directory);
	for (int round = 0; round < READ_ROUNDS; round++)
	{
		int			npages = FILE_PAGES;

		(void) posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		(void) posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL);
		reads.stream[round] = read_seconds(fd, directory, 1, &npages);
		(void) posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		(void) posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
		npages = FILE_PAGES;
		reads.fill[round] = read_seconds(fd, directory, SCATTERED, &npages);
		/* only those pages that the previous step read into the page cache */
		reads.copy[round] = read_seconds(fd, directory, SCATTERED, &npages);
	}

	/*
	 * The server also needs to find a buffer for the page, which takes about
	 * as long as a hit.  A page from the device is copied from the page cache
	 * too, so reading it cannot take less than a copy, whatever was measured.
	 */
	machine->page_copy_seconds = median(reads.copy) + hit;
	machine->page_stream_seconds = Max(median(reads.stream) + hit,
									   machine->page_copy_seconds);
	machine->page_fill_seconds = Max(median(reads.fill) + hit,
									 machine->page_copy_seconds);
}

/*
 * The server does not know of this file, so we must close it after errors too.
 */
static void
measure_pages(const char *directory, SsdparMachine *machine)
{
	int			fd = ssdpar_probe_scratch_nameless(directory, 0);

	if (fd < 0)
		fail_on_file(directory, "make");
	PG_TRY();
	{
		measure_file(fd, directory, machine);
	}
	PG_FINALLY();
	{
		close(fd);
	}
	PG_END_TRY();
}

/*
 * Number of processors that this process may use, according to its CPU
 * affinity and quota.  A fraction counts as one.
 */
static double
count_cores(void)
{
	cpu_set_t	set;
	double		allowed;

	/* fails if there are more than the set can hold; then use all of them */
	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		allowed = CPU_COUNT(&set);
	else
		allowed = (double) sysconf(_SC_NPROCESSORS_ONLN);
	return Max(fmin(allowed, ssdpar_cpu_quota("")), 1.0);
}

void
ssdpar_cpu_calibration_measure(const char *directory, SsdparMachine *machine)
{
	const char *problem;

	machine->cores = count_cores();

	/* measures a hit, which is a part of the page times */
	measure_unit(machine);
	measure_pages(directory, machine);
	problem = ssdpar_machine_problem(machine);
	if (problem != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("measured CPU times are not plausible: %s",
						problem),
				 errdetail("No profile has been stored."),
				 errhint("See that the cpu_* cost settings are positive and "
						 "calibrate again while the machine is less busy.")));
}
