/*
 * suggest.c
 *		ssdpar.suggest_for(): suggests settings of plain PostgreSQL for a
 *		calibrated tablespace, for servers that do not use the cost model.
 *
 * It suggests what a single number can express, and changes nothing.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "commands/tablespace.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"
#include "utils/spccache.h"
#include "utils/tuplestore.h"

#include "base/declared_row.h"
#include "cost/tablespace_model.h"
#include "device/profile.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_suggest_for);

/* Enough pages of a scan to make its startup negligible. */
#define MANY_PAGES 1e6

/*
 * The kernel's read-ahead suffices if it reaches this share of the best rate.
 */
#define GOOD_READ_AHEAD 0.9
#define LARGEST_READ_AHEAD_KB 16384

/* setting, current, suggested, command, reason */
#define COLUMNS 5

static const Oid column_types[COLUMNS] = {
	TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID,
};

/* Destination of the suggestions for one tablespace. */
typedef struct Suggestions
{
	const char *tablespace;
	Oid			oid;
	SsdparModel model;
	double		memory;			/* share of pages in the page cache */
	ReturnSetInfo *rows;
} Suggestions;

static void
suggest(const Suggestions *suggestions, const char *setting,
		const char *now, const char *value, const char *command,
		const char *reason)
{
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {false};

	values[0] = CStringGetTextDatum(setting);
	values[1] = CStringGetTextDatum(now);
	values[2] = CStringGetTextDatum(value);
	values[3] = CStringGetTextDatum(command);
	values[4] = CStringGetTextDatum(reason);
	tuplestore_putvalues(suggestions->rows->setResult,
						 suggestions->rows->setDesc, values, nulls);
}

/* A setting that can be set for a tablespace. */
static void
suggest_option(const Suggestions *suggestions, const char *setting,
			   const char *now, const char *value, const char *reason)
{
	suggest(suggestions, setting, now, value,
			psprintf("ALTER TABLESPACE %s SET (%s = %s)",
					 quote_identifier(suggestions->tablespace), setting,
					 value),
			reason);
}

/* Rounds to two digits, because more would suggest a false precision. */
static const char *
rounded(double value)
{
	double		unit = pow(10.0, floor(log10(value)) - 1.0);

	return psprintf("%g", rint(value / unit) * unit);
}

/*
 * Assumes one process without concurrent load, because a setting applies at
 * any load and cannot be right for all.
 */
static double
page_seconds(const Suggestions *suggestions, SsdparReads reads)
{
	return ssdpar_model_price_one(&suggestions->model, &reads, 0.0,
								  1.0).total / reads.pages;
}

/*
 * There is one cost for bitmap scans, which read ahead, and index scans, which
 * do not.  We suggest that of index scans, because nested loops that are
 * priced too low are much worse.
 */
static void
suggest_page_costs(const Suggestions *suggestions)
{
	const SsdparModel *model = &suggestions->model;
	int			depth = ssdpar_profile_saturation_depth(model->profile);
	SsdparResidency resident = {0.0, suggestions->memory};
	double		sequential =
		page_seconds(suggestions,
					 ssdpar_model_read_ahead(MANY_PAGES, model->read_ahead_kb,
											 resident));
	double		waited =
		page_seconds(suggestions,
					 ssdpar_model_random(MANY_PAGES, 1.0, false, resident));
	double		ahead =
		page_seconds(suggestions,
					 ssdpar_model_random(MANY_PAGES, depth, true, resident));
	double		random_now;
	double		sequential_now;

	get_tablespace_page_costs(suggestions->oid, &random_now, &sequential_now);
	suggest_option(suggestions, "seq_page_cost",
				   psprintf("%g", sequential_now),
				   rounded(ssdpar_model_units(model->machine, sequential)),
				   psprintf("A page of a sequential scan takes %.1f us, and "
							"cost 1 of the cpu_* settings %.1f us of CPU.",
							sequential * 1e6,
							model->machine->seconds_per_cost_unit * 1e6));
	suggest_option(suggestions, "random_page_cost",
				   psprintf("%g", random_now),
				   rounded(ssdpar_model_units(model->machine, waited)),
				   psprintf("An index scan waits %.1f us for each page. A "
							"bitmap scan that reads %d ahead takes %.1f us, "
							"which the same setting cannot say; "
							"ssdpar.cost_model can.",
							waited * 1e6, depth, ahead * 1e6));
}

/*
 * The smallest depth that saturates the device: bitmap scans that read further
 * ahead wait equally long, and delay others.
 */
static void
suggest_depth(const Suggestions *suggestions)
{
	const SsdparProfile *profile = suggestions->model.profile;
	Oid			tablespace = suggestions->oid;
	int			maintenance;
	int			depth = ssdpar_profile_saturation_depth(profile);
	const char *value = psprintf("%d", Min(depth, MAX_IO_CONCURRENCY));
	const char *reason =
		psprintf("The device serves %.0f random reads a second one at a time "
				 "and %.0f with %d outstanding, at least 90 %% of its most.",
				 ssdpar_profile_iops(profile, SSDPAR_RANDOM,
									 SSDPAR_PAGE_BYTES, 1.0),
				 ssdpar_profile_iops(profile, SSDPAR_RANDOM,
									 SSDPAR_PAGE_BYTES, depth), depth);

	suggest_option(suggestions, "effective_io_concurrency",
				   psprintf("%d", get_tablespace_io_concurrency(tablespace)),
				   value, reason);
	maintenance = get_tablespace_maintenance_io_concurrency(tablespace);
	suggest_option(suggestions, "maintenance_io_concurrency",
				   psprintf("%d", maintenance), value, "The same for VACUUM, CREATE INDEX and ANALYZE.");
}

/*
 * One process per processor.  The device needs no more, because one process
 * that reads ahead saturates it.
 */
static void
suggest_workers(const Suggestions *suggestions)
{
	int			cores = (int) suggestions->model.machine->cores;
	const char *value = psprintf("%d", cores);

	suggest(suggestions, "max_parallel_workers_per_gather",
			psprintf("%d", max_parallel_workers_per_gather), value,
			psprintf("ALTER SYSTEM SET max_parallel_workers_per_gather = %s",
					 value),
			psprintf("There are %d processors; sequential scans gain nothing "
					 "from more processes.", cores));
}

/*
 * The smallest read-ahead that is nearly as good as any.  More does harm: a
 * scan that ends early, or reads at random for a while, has read pages in
 * vain.
 */
static void
suggest_read_ahead(const Suggestions *suggestions)
{
	const SsdparModel *model = &suggestions->model;
	SsdparResidency cold = {0.0, 0.0};
	double		best =
		page_seconds(suggestions,
					 ssdpar_model_read_ahead(MANY_PAGES,
											 LARGEST_READ_AHEAD_KB, cold));
	int			kb = 128;

	while (kb < LARGEST_READ_AHEAD_KB &&
		   page_seconds(suggestions,
						ssdpar_model_read_ahead(MANY_PAGES, kb, cold)) *
		   GOOD_READ_AHEAD > best)
		kb *= 2;
	suggest(suggestions, "read_ahead_kb",
			psprintf("%.0f", model->read_ahead_kb), psprintf("%d", kb),
			psprintf("echo %d > /sys/block/DISK/queue/read_ahead_kb", kb),
			"The kernel's, for sequential scans, to be set as root; from "
			"there on they take at most a tenth longer than with any other.");
}

/*
 * suggest_for(tablespace name, in_memory double precision) returns setof
 * (setting, current, suggested, command, reason), all text.
 */
Datum
ssdpar_sql_suggest_for(PG_FUNCTION_ARGS)
{
	Suggestions suggestions;
	const char *problem;

	suggestions.tablespace = NameStr(*PG_GETARG_NAME(0));
	suggestions.memory = PG_GETARG_FLOAT8(1);
	if (!(suggestions.memory >= 0.0 && suggestions.memory <= 1.0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("in_memory must be a share between 0 and 1")));
	suggestions.oid = get_tablespace_oid(suggestions.tablespace, false);
	problem = ssdpar_device_problem(suggestions.oid);
	if (problem != NULL ||
		!ssdpar_model_load(suggestions.oid, &suggestions.model))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("there are no suggestions for tablespace \"%s\": %s",
						suggestions.tablespace,
						problem != NULL ? problem : "its profile has changed"),
				 errhint("Run SELECT * FROM ssdpar.calibrate('%s').",
						 suggestions.tablespace)));
	ssdpar_begin_rows(fcinfo, column_types, COLUMNS);
	suggestions.rows = (ReturnSetInfo *) fcinfo->resultinfo;
	suggest_page_costs(&suggestions);
	suggest_depth(&suggestions);
	suggest_read_ahead(&suggestions);
	suggest_workers(&suggestions);
	return (Datum) 0;
}
