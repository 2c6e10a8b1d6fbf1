/*
 * jit_calibration.c
 *		Measures what compiling expressions takes on this machine.
 *
 * By a query that is compiled whatever it costs: the CPU time that it takes
 * beyond what it takes interpreted, over the functions that EXPLAIN ANALYZE
 * counts.  EXPLAIN's own times are not CPU time, and grow with what else the
 * machine does.  Loading the compiler, which a process does once, is what the
 * first run takes beyond the others.
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
#define LOAD_FUNCTIONS 16.0

/* No function is compiled in less: what was measured was noise. */
#define LEAST_SECONDS 1e-6

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

#define FUNCTIONS_QUERY \
	"SELECT pg_catalog.json_extract_path_text(j.plan, " \
	"'0', 'JIT', 'Functions')::pg_catalog.float8 " \
	"FROM (SELECT $1::pg_catalog.json) j(plan)"

typedef struct Run
{
	double		functions;		/* that were compiled */
	double		cpu_seconds;
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

/* How many functions were compiled, in what EXPLAIN said. */
static double
read_functions(const char *plan)
{
	Oid			types[1] = {TEXTOID};
	Datum		values[1];
	Datum		functions;
	bool		isnull;

	values[0] = CStringGetTextDatum(plan);
	if (SPI_execute_with_args(FUNCTIONS_QUERY, 1, types, values, NULL, true,
							  0) != SPI_OK_SELECT || SPI_processed != 1)
		elog(ERROR, "plan of the JIT calibration could not be read");
	functions = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1,
							  &isnull);
	return isnull ? 0.0 : DatumGetFloat8(functions);
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
	run.functions = read_functions(SPI_getvalue(SPI_tuptable->vals[0],
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

/*
 * The usual run when plans are compiled, inlined and optimised above these
 * costs: 0 does it always, -1 never.
 */
static Run
measure_level(const char *compile_above, const char *optimise_above)
{
	double		cpu[RUNS];
	Run			run = {0};

	set("jit_above_cost", compile_above);
	set("jit_optimize_above_cost", optimise_above);
	set("jit_inline_above_cost", optimise_above);
	for (int i = 0; i < RUNS; i++)
	{
		run = run_once();
		cpu[i] = run.cpu_seconds;
	}
	run.cpu_seconds = lower_quartile(cpu);
	return run;
}

/* A function in a run, where the same takes so long without compiling. */
static double
function_seconds(Run run, Run interpreted)
{
	return Max((run.cpu_seconds - interpreted.cpu_seconds) / run.functions,
			   LEAST_SECONDS);
}

static void
measure(SsdparCompileTimes *times)
{
	bool		loaded = ssdpar_jit_is_loaded();
	Run			interpreted = measure_level("-1", "-1");
	Run			first;
	Run			plain;
	Run			optimized;

	set("jit_above_cost", "0");
	first = run_once();
	if (first.functions <= 0.0)
		return;					/* this server has no compiler */
	plain = measure_level("0", "-1");
	optimized = measure_level("0", "0");
	times->function_seconds = function_seconds(plain, interpreted);
	times->optimized_seconds = function_seconds(optimized, interpreted);
	times->load_seconds = loaded || first.cpu_seconds <= plain.cpu_seconds ?
		LOAD_FUNCTIONS * times->function_seconds :
		first.cpu_seconds - plain.cpu_seconds;
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
	set("jit_expressions", "on");
	set("jit_tuple_deforming", "on");
	set("max_parallel_workers_per_gather", "0");
	set("ssdpar.enabled", "off");
	SPI_connect();
	measure(times);
	SPI_finish();
	AtEOXact_GUC(true, level);
}
