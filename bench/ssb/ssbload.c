/*
 * ssbload.c
 *		Options and their effects.  Other files do the work: ssb_gen.c
 *		generates rows, ssb_load.c loads them.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ssb_factors.h"
#include "ssb_load.h"

#define DEFAULT_SEED 1

static const char help[] =
	"ssbload loads the Star Schema Benchmark into PostgreSQL.\n"
	"\n"
	"Usage:\n"
	"  ssbload --scale SF [OPTION]... CONNINFO    generate and load\n"
	"  ssbload --data DIR [OPTION]... CONNINFO    load the reference tool's\n"
	"                                             .tbl files\n"
	"  ssbload --scale SF --table T --stdout      print generated rows\n"
	"  ssbload --scale SF --count-factors         count what each query "
	"selects\n"
	"\n"
	"Options:\n"
	"  --scale SF      scale factor, 0.01 to 100 (1: 6 million lineorder "
	"rows)\n"
	"  --data DIR      directory of lineorder.tbl (or lineorder.tbl.1, .2, "
	"...),\n"
	"                  customer.tbl, supplier.tbl, part.tbl, date.tbl\n"
	"  --seed S        other data of the same shape (default 1)\n"
	"  --table T       only this table: lineorder, customer, supplier, part, "
	"date\n"
	"  --jobs J        connections, 1 to 64 (default: cores, at most 4)\n"
	"  --stdout        print rows as COPY text, load nothing\n"
	"  --tbl           with --stdout: print rows as .tbl files have them\n"
	"  --chunk I/N     with --stdout: only the I-th of N parts\n"
	"  --count-factors print each query's number of lineorder rows\n"
	"  --help          print this and exit\n"
	"  --version       print the version and exit\n"
	"\n"
	"CONNINFO is a libpq connection string, such as \"dbname=ssb\".  The "
	"tables\n"
	"(schema.sql) must be there and empty; either all rows are loaded or "
	"none.\n";

typedef struct Options
{
	const char *scale;
	const char *data;
	const char *seed;
	const char *table;
	const char *jobs;
	const char *chunk;
	const char *conninfo;
	int			to_stdout;
	int			tbl;
	int			count_factors;

	/* What the texts above mean. */
	SsbGen		gen;
	uint64_t	seed_value;
	SsbTable	table_value;
	uint32_t	jobs_value;
	uint32_t	chunk_value;
	uint32_t	nchunks;
} Options;

static void
print_help(void)
{
	fputs(help, stdout);
	exit(0);
}

static void
print_version(void)
{
	puts("ssbload (ssdpar) " SSB_VERSION);
	exit(0);
}

/* Digits only, up to a limit; false for anything else. */
static bool
parse_number(const char *text, uint64_t limit, uint64_t *value)
{
	*value = 0;
	if (*text == '\0')
		return false;
	for (const char *c = text; *c != '\0'; c++)
	{
		uint64_t	digit = (uint64_t) (*c - '0');

		if (*c < '0' || *c > '9' || *value > (limit - digit) / 10)
			return false;
		*value = *value * 10 + digit;
	}
	return true;
}

static bool
take_options(int argc, char **argv, Options *options, SsbError *error)
{
	enum
	{
		SCALE = 256, DATA, SEED, TABLE, JOBS, CHUNK, HELP, VERSION,
	};
	const struct option known[] = {
		{"scale", required_argument, NULL, SCALE},
		{"data", required_argument, NULL, DATA},
		{"seed", required_argument, NULL, SEED},
		{"table", required_argument, NULL, TABLE},
		{"jobs", required_argument, NULL, JOBS},
		{"chunk", required_argument, NULL, CHUNK},
		{"stdout", no_argument, &options->to_stdout, 1},
		{"tbl", no_argument, &options->tbl, 1},
		{"count-factors", no_argument, &options->count_factors, 1},
		{"help", no_argument, NULL, HELP},
		{"version", no_argument, NULL, VERSION},
		{NULL, 0, NULL, 0},
	};
	const char **texts[] = {
		&options->scale, &options->data, &options->seed, &options->table,
		&options->jobs, &options->chunk,
	};
	int			c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", known, NULL)) != -1)
	{
		if (c == HELP)
			print_help();
		else if (c == VERSION)
			print_version();
		else if (c == ':')
			return ssb_fail(error, "option %s needs a value (see --help)",
							argv[optind - 1]);
		else if (c == '?')
			return ssb_fail(error, "unknown option \"%s\" (see --help)",
							argv[optind - 1]);
		else if (c != 0)
			*texts[c - SCALE] = optarg;
	}
	if (argc - optind > 1)
		return ssb_fail(error, "unexpected argument \"%s\": one connection "
						"string is expected, in quotes if it holds blanks",
						argv[optind + 1]);
	options->conninfo = argv[optind];	/* NULL if there is none */
	return true;
}

/* Checks which options exclude or need each other. */
static bool
check_options(const Options *options, SsbError *error)
{
	bool		prints = options->to_stdout || options->count_factors;

	if ((options->scale == NULL) == (options->data == NULL))
		return ssb_fail(error, "give either --scale, to generate rows, or "
						"--data, to load files (see --help)");
	if (prints && options->data != NULL)
		return ssb_fail(error, "--stdout and --count-factors work on "
						"generated rows: give --scale and not --data");
	if (options->to_stdout && options->count_factors)
		return ssb_fail(error, "give --stdout or --count-factors, not both");
	if (options->to_stdout && options->table == NULL)
		return ssb_fail(error, "--stdout prints one table: name it with "
						"--table");
	if ((options->tbl || options->chunk != NULL) && !options->to_stdout)
		return ssb_fail(error, "--tbl and --chunk belong to --stdout");
	if (options->seed != NULL && options->data != NULL)
		return ssb_fail(error, "--seed has no meaning with --data");
	if (prints && options->jobs != NULL)
		return ssb_fail(error, "--jobs has no meaning when rows are printed "
						"or counted");
	if (prints && options->conninfo != NULL)
		return ssb_fail(error, "nothing is loaded with --stdout or "
						"--count-factors: leave out \"%s\"",
						options->conninfo);
	if (!prints && options->conninfo == NULL)
		return ssb_fail(error, "where to load to is missing: give a "
						"connection string, such as \"dbname=ssb\"");
	return true;
}

static uint32_t
default_jobs(void)
{
	long		cores = sysconf(_SC_NPROCESSORS_ONLN);

	return cores < 1 ? 1 : cores > 4 ? 4 : (uint32_t) cores;
}

static bool
parse_jobs(Options *options, SsbError *error)
{
	uint64_t	value;

	options->jobs_value = default_jobs();
	if (options->jobs == NULL)
		return true;
	if (!parse_number(options->jobs, SSB_MAX_JOBS, &value) || value < 1)
		return ssb_fail(error, "\"%.40s\" is not a number of jobs: give a "
						"whole number from 1 to %d", options->jobs,
						SSB_MAX_JOBS);
	options->jobs_value = (uint32_t) value;
	return true;
}

static bool
parse_chunk(Options *options, SsbError *error)
{
	char		text[32] = "1/1";
	char	   *slash;
	uint64_t	chunk;
	uint64_t	nchunks;

	if (options->chunk != NULL)
		snprintf(text, sizeof(text), "%s", options->chunk);
	slash = strchr(text, '/');
	if (slash != NULL)
		*slash++ = '\0';
	if (slash == NULL || !parse_number(text, 1000000, &chunk) ||
		!parse_number(slash, 1000000, &nchunks) || chunk < 1 ||
		chunk > nchunks)
		return ssb_fail(error, "\"%.40s\" is not a chunk: give I/N with I "
						"from 1 to N and N at most 1000000", options->chunk);
	options->chunk_value = (uint32_t) chunk;
	options->nchunks = (uint32_t) nchunks;
	return true;
}

static bool
parse_values(Options *options, SsbError *error)
{
	SsbScale	scale = SSB_SCALE_ONE;

	options->seed_value = DEFAULT_SEED;
	if (options->seed != NULL &&
		!parse_number(options->seed, UINT64_MAX, &options->seed_value))
		return ssb_fail(error, "\"%.40s\" is not a seed: give a whole number "
						"from 0 to 18446744073709551615", options->seed);
	if (options->table != NULL &&
		!ssb_find_table(options->table, &options->table_value))
		return ssb_fail(error, "there is no table \"%.40s\" in the "
						"benchmark: choose lineorder, customer, supplier, "
						"part or date", options->table);
	if (options->scale != NULL &&
		!ssb_parse_scale(options->scale, &scale, error))
		return false;
	return parse_jobs(options, error) && parse_chunk(options, error) &&
		ssb_gen_init(&options->gen, scale, options->seed_value, error);
}

static bool
print_piece(void *arg, const char *text, size_t length, uint32_t units,
			uint64_t rows)
{
	(void) units;
	(void) rows;
	return fwrite(text, 1, length, arg) == length;
}

static bool
print_failed(SsbError *error)
{
	return ssb_fail(error, "cannot write to standard output: %s; the output "
					"is not complete", strerror(errno));
}

static bool
print_rows(const Options *options, SsbError *error)
{
	uint64_t	units = options->gen.sizes.units[options->table_value];
	uint64_t	first = units * (options->chunk_value - 1) / options->nchunks;
	uint64_t	last = units * options->chunk_value / options->nchunks;

	/* Pieces are large, so a second buffer would only add a copy. */
	setvbuf(stdout, NULL, _IONBF, 0);
	if (!ssb_emit(&options->gen, options->tbl ? SSB_TBL : SSB_COPY,
				  options->table_value, (uint32_t) first, (uint32_t) last,
				  print_piece, stdout))
		return print_failed(error);
	return true;
}

static bool
print_factors(const Options *options, SsbError *error)
{
	SsbCounts	counts;

	if (!ssb_count_factors(&options->gen, &counts, error))
		return false;
	for (int i = 0; i < SSB_NQUERIES; i++)
		printf("q%s\t%llu\n", ssb_queries[i].name,
			   (unsigned long long) counts.selected[i]);
	return fflush(stdout) == 0 || print_failed(error);
}

static void
print_loaded(const SsbWork *work, const SsbLoaded *loaded)
{
	const char *between = "";

	fputs("ssbload: loaded ", stderr);
	for (int i = 0; i < SSB_NTABLES; i++)
	{
		if (!work->wanted[i])
			continue;
		fprintf(stderr, "%s%s %llu", between, ssb_tables[i].name,
				(unsigned long long) loaded->rows[i]);
		between = ", ";
	}
	fprintf(stderr, " rows in %.1f s\n", loaded->seconds);
}

static bool
load(const Options *options, SsbError *error)
{
	SsbWork		work = {0};
	SsbLoaded	loaded;
	bool		ok;

	for (int i = 0; i < SSB_NTABLES; i++)
		work.wanted[i] =
			options->table == NULL || options->table_value == (SsbTable) i;
	ok = ssb_work_plan(&work, options->data == NULL ? &options->gen : NULL,
					   options->data, (int) options->jobs_value, error) &&
		ssb_load(options->conninfo, &work, (int) options->jobs_value,
				 &loaded, error);
	if (ok)
		print_loaded(&work, &loaded);
	ssb_work_free(&work);
	return ok;
}

int
main(int argc, char **argv)
{
	static Options options;
	SsbError	error;
	bool		ok;

	ok = take_options(argc, argv, &options, &error) &&
		check_options(&options, &error) && parse_values(&options, &error);
	if (ok && options.to_stdout)
		ok = print_rows(&options, &error);
	else if (ok && options.count_factors)
		ok = print_factors(&options, &error);
	else if (ok)
		ok = load(&options, &error);
	if (ok)
		return 0;
	fprintf(stderr, "ssbload: error: %s\n", error.text);
	return ssb_load_interrupted() ? 130 : 1;
}
