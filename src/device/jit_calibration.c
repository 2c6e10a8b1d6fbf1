/*
 * jit_calibration.c
 *		Measures what compiling expressions takes on this machine.
 *
 * By a query that is compiled whatever it costs, as EXPLAIN ANALYZE tells:
 * functions made, and the time for it.  That leaves out loading the compiler,
 * which a process does once: it is the CPU time that the first run takes beyond
 * the others.
 *
 * With jit off nothing is measured: a compiler that cannot be loaded raises an
 * error, and whoever has one turns jit off.
 */
#include "postgres.h"

#include <time.h>

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "jit/jit.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "base/jit_provider.h"
#include "device/jit_calibration.h"

/* Of each level; the lower quartile counts, as other work only lengthens it. */
#define RUNS 7

/*
 * Where the compiler has been loaded in this session, loading it cannot be
 * measured: it takes as long as compiling so many functions.
 */
#define LOAD_FUNCTIONS 40.0

/* Expressions of the usual kinds on the rows that every role may read. */
#define COMPILED_QUERY \
	"EXPLAIN (ANALYZE, FORMAT json) " \
	"SELECT p.prokind, pg_catalog.count(*), pg_catalog.sum(p.pronargs), " \
	"pg_catalog.max(p.procost) " \
	"FROM ONLY pg_catalog.pg_proc p " \
	"WHERE p.pronargs OPERATOR(pg_catalog.>=) 0::pg_catalog.int2 " \
	"AND p.procost OPERATOR(pg_catalog.>) 0::pg_catalog.float4 " \
	"GROUP BY p.prokind " \
	"HAVING pg_catalog.count(*) OPERATOR(pg_catalog.>) 0::pg_catalog.int8"

#define TIMES_QUERY \
	"SELECT pg_catalog.json_extract_path_text(j.plan, " \
	"'0', 'JIT', 'Functions')::pg_catalog.float8, " \
	"pg_catalog.json_extract_path_text(j.plan, " \
	"'0', 'JIT', 'Timing', 'Total')::pg_catalog.float8 " \
	"FROM (SELECT $1::pg_catalog.json) j(plan)"

typedef struct Run
{
	double		function_seconds;	/* to compile one; 0: none was */
	double		cpu_seconds;	/* of the whole run */
} Run;

static double
cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static void
set(const char *setting, const char *value)
{
	(void) set_config_option(setting, value, PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
}

/* One number of the row that SPI has; 0 for null. */
static double
get_number(int column)
{
	bool		isnull;
	Datum		value = SPI_getbinval(SPI_tuptable->vals[0],
									  SPI_tuptable->tupdesc, column, &isnull);

	return isnull ? 0.0 : DatumGetFloat8(value);
}

/* Seconds a function in what EXPLAIN said. */
static double
read_times(const char *plan)
{
	Oid			types[1] = {TEXTOID};
	Datum		values[1];
	double		functions;

	values[0] = CStringGetTextDatum(plan);
	if (SPI_execute_with_args(TIMES_QUERY, 1, types, values, NULL, true,
							  0) != SPI_OK_SELECT || SPI_processed != 1)
		elog(ERROR, "times of the JIT calibration could not be read");
	functions = get_number(1);
	return functions > 0.0 ? get_number(2) / 1000.0 / functions : 0.0;
}

static Run
run_once(void)
{
	double		before = cpu_seconds();
	Run			run;

	CHECK_FOR_INTERRUPTS();
	if (SPI_execute(COMPILED_QUERY, false, 0) != SPI_OK_UTILITY ||
		SPI_tuptable == NULL || SPI_tuptable->numvals != 1)
		elog(ERROR, "query for the JIT calibration failed");
	run.cpu_seconds = cpu_seconds() - before;
	run.function_seconds = read_times(SPI_getvalue(SPI_tuptable->vals[0],
												   SPI_tuptable->tupdesc, 1));
	return run;
}

static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

static double
lower_quartile(double *numbers)
{
	qsort(numbers, RUNS, sizeof(double), compare_doubles);
	return numbers[RUNS / 4];
}

/* The usual run at one level; a cost of 0 optimises always, -1 never. */
static Run
measure_level(const char *optimise_above)
{
	double		functions[RUNS];
	double		cpu[RUNS];
	Run			usual;

	set("jit_optimize_above_cost", optimise_above);
	set("jit_inline_above_cost", optimise_above);
	for (int i = 0; i < RUNS; i++)
	{
		Run			run = run_once();

		functions[i] = run.function_seconds;
		cpu[i] = run.cpu_seconds;
	}
	usual.function_seconds = lower_quartile(functions);
	usual.cpu_seconds = lower_quartile(cpu);
	return usual;
}

static void
measure(SsdparCompileTimes *times)
{
	bool		loaded = ssdpar_jit_is_loaded();
	Run			first;
	Run			plain;

	set("jit_optimize_above_cost", "-1");
	set("jit_inline_above_cost", "-1");
	first = run_once();
	if (first.function_seconds <= 0.0)
		return;					/* this server has no compiler */
	plain = measure_level("-1");
	times->function_seconds = plain.function_seconds;
	times->load_seconds = loaded || first.cpu_seconds <= plain.cpu_seconds ?
		LOAD_FUNCTIONS * plain.function_seconds :
		first.cpu_seconds - plain.cpu_seconds;
	times->optimized_seconds = Max(measure_level("0").function_seconds,
								   plain.function_seconds);
}

/* The settings are the session's again at the end, after an error too. */
void
ssdpar_jit_calibration_measure(SsdparCompileTimes *times)
{
	int			level;

	memset(times, 0, sizeof(*times));
	if (!jit_enabled)
		return;
	level = NewGUCNestLevel();
	set("jit_above_cost", "0");
	set("jit_expressions", "on");
	set("jit_tuple_deforming", "on");
	set("max_parallel_workers_per_gather", "0");
	set("ssdpar.enabled", "off");
	SPI_connect();
	measure(times);
	SPI_finish();
	AtEOXact_GUC(true, level);
}
