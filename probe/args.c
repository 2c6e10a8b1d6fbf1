/*
 * args.c
 *		Command line of ssdpar-probe.
 *
 * Malformed arguments are reported here.  plan.c decides whether a well-formed
 * value can be measured, also for ssdpar.calibrate(), so that both refuse the
 * same values with the same messages.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "args.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "plan.h"

/* Size of the scratch file for --inside: more than most device caches hold. */
#define INSIDE_FILE ((int64_t) 256 << 20)

/* The letters only serve as numbers for getopt; there are no short options. */
static const struct option long_options[] = {
	{"inside", no_argument, NULL, 'i'},
	{"json", no_argument, NULL, 'j'},
	{"store", required_argument, NULL, 's'},
	{"tablespace", required_argument, NULL, 't'},
	{"writes", no_argument, NULL, 'w'},
	{"sizes", required_argument, NULL, 'z'},
	{"depths", required_argument, NULL, 'd'},
	{"seconds", required_argument, NULL, 'n'},
	{"file-size", required_argument, NULL, 'f'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

void
ssdpar_probe_print_help(void)
{
	fputs("ssdpar-probe measures what the device under a directory can do.\n\n"
		  "Usage:\n  ssdpar-probe [OPTION]... DIR\n\n"
		  "Options:\n"
		  "  --inside           show chunk size, interleaving degree and "
		  "mapping\n"
		  "                     instead of a profile\n"
		  "  --json             print one JSON document instead of tables\n"
		  "  --store=CONNINFO   store the profile in this database\n"
		  "  --tablespace=NAME  with --store, tablespace of the profile\n"
		  "                     (default: the one that contains DIR)\n"
		  "  --writes           measure writes too\n"
		  "  --sizes=LIST       request sizes in kB "
		  "(default: 8,16,32,64,128,256)\n"
		  "  --depths=LIST      queue depths (default: 1,2,4,8,16,32,64)\n"
		  "  --seconds=NUMBER   duration of the whole run (default: 45)\n"
		  "  --file-size=SIZE   size of the scratch file, 16MB to 1GB\n"
		  "                     (default: 1GB; with --inside 256MB)\n"
		  "  --help             show this help\n"
		  "  --version          show the version\n\n"
		  "The scratch file has no name, so it is removed even if the program "
		  "fails.\n",
		  stdout);
}

static bool
bad_argument(ProbeError *error, const char *what, const char *text,
			 const char *hint)
{
	ssdpar_probe_error(error, PROBE_BAD_OPTION, "%s \"%s\" is not understood",
					   what, text);
	ssdpar_probe_detail(error, "Nothing was measured.");
	ssdpar_probe_hint(error, "%s", hint);
	return false;
}

/*
 * Parses "8,32,256" to numbers of at least 1 and sets COUNT.  strtol alone
 * would accept blanks, signs, and values outside the range of int.
 */
static bool
parse_list(const char *text, const char *what, int max_count, int *values,
		   int *count, ProbeError *error)
{
	const char *rest = text;

	*count = 0;
	for (;;)
	{
		char	   *end;
		long		value;

		errno = 0;
		value = strtol(rest, &end, 10);
		if (end == rest || *rest < '0' || *rest > '9' || errno != 0 ||
			value < 1 || value > INT_MAX || *count >= max_count ||
			(*end != ',' && *end != '\0'))
			return bad_argument(error, what, text,
								"Give up to 16 whole numbers with commas "
								"between them and nothing else.");
		values[(*count)++] = (int) value;
		if (*end == '\0')
			return true;
		rest = end + 1;
	}
}

/*
 * Parses "64", "64MB", "1GB", "65536kB" to bytes; no unit means MB, as in
 * GUCs.
 */
static bool
parse_file_size(const char *text, int64_t *bytes, ProbeError *error)
{
	static const struct
	{
		const char *name;
		int			shift;
	}			units[] = {{"", 20}, {"kB", 10}, {"MB", 20}, {"GB", 30}};
	char	   *end;
	unsigned long long value;

	/* strtoull would accept a sign and blanks, so require a digit first */
	errno = 0;
	value = strtoull(text, &end, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
	{
		if (*text < '0' || *text > '9' || errno != 0 ||
			value > (uint64_t) INT64_MAX >> units[i].shift ||
			strcasecmp(end, units[i].name) != 0)
			continue;
		*bytes = (int64_t) value << units[i].shift;
		return true;
	}
	return bad_argument(error, "file size", text,
						"Give a whole number with kB, MB or GB, for example "
						"256MB.");
}

/* Accepts "nan" and "inf", which ssdpar_probe_check_options refuses. */
static bool
parse_seconds(const char *text, double *seconds, ProbeError *error)
{
	char	   *end;

	/* the locale is never set, so the decimal point does not depend on LANG */
	*seconds = strtod(text, &end);
	if (end == text || *end != '\0')
		return bad_argument(error, "duration", text,
							"Give a number of seconds, for example 10.");
	return true;
}

static bool
parse_sizes(const char *text, ProbeOptions *options, ProbeError *error)
{
	int			kilobytes[PROBE_MAX_SIZES];

	/*
	 * As bytes, even INT_MAX kB must be distinguishable from a valid size, so
	 * that plan.c can show what the user wrote when it refuses it.
	 */
	if (!parse_list(text, "list of sizes", PROBE_MAX_SIZES, kilobytes,
					&options->nsizes, error))
		return false;
	for (int i = 0; i < options->nsizes; i++)
		options->sizes[i] = (int64_t) kilobytes[i] * 1024;
	return true;
}

/* getopt returns ':' if the value is missing. */
static bool
unknown_option(char **argv, int option, ProbeError *error)
{
	/* long options only: getopt has just passed the offending word */
	const char *word = argv[optind - 1];

	ssdpar_probe_error(error, PROBE_BAD_OPTION,
					   option == ':' ? "option \"%s\" needs a value"
					   : "there is no option \"%s\"",
					   word);
	ssdpar_probe_detail(error, "Nothing was measured.");
	ssdpar_probe_hint(error, "See ssdpar-probe --help.");
	return false;
}

static bool
apply_option(int option, char **argv, ProbeArgs *args, ProbeError *error)
{
	ProbeOptions *options = &args->options;

	switch (option)
	{
		case 'i':
			args->action = PROBE_ACTION_INSIDE;
			return true;
		case 'j':
			args->json = true;
			return true;
		case 's':
			args->store = optarg;
			args->of_sweep = "--store";
			return true;
		case 't':
			args->tablespace = optarg;
			return true;
		case 'w':
			options->writes = true;
			args->of_sweep = "--writes";
			return true;
		case 'z':
			args->of_sweep = "--sizes";
			options->streams = false;
			return parse_sizes(optarg, options, error);
		case 'd':
			args->of_sweep = "--depths";
			options->streams = false;
			return parse_list(optarg, "list of depths", PROBE_MAX_DEPTHS,
							  options->depths, &options->ndepths, error);
		case 'n':
			return parse_seconds(optarg, &options->seconds, error);
		case 'f':
			args->sized = true;
			return parse_file_size(optarg, &options->file_size, error);
		case 'h':
			args->action = PROBE_ACTION_HELP;
			return true;
		case 'V':
			args->action = PROBE_ACTION_VERSION;
			return true;
		default:
			return unknown_option(argv, option, error);
	}
}

/*
 * The rest of the command line must be one directory.  The current one is not
 * a default, because reading for a minute and writing 1 GB should be
 * requested.
 */
static bool
check_words(int argc, char **argv, ProbeArgs *args, ProbeError *error)
{
	if (argc - optind == 1)
	{
		args->directory = argv[optind];
		if (args->tablespace == NULL || args->store != NULL)
			return true;

		/*
		 * refused instead of ignored, because a profile was meant to be
		 * stored
		 */
		ssdpar_probe_error(error, PROBE_BAD_OPTION,
						   "--tablespace without --store has no meaning");
		ssdpar_probe_detail(error, "A tablespace is named to keep the profile "
							"in a database.");
		ssdpar_probe_hint(error, "Add --store, or leave --tablespace out.");
		return false;
	}
	ssdpar_probe_error(error, PROBE_BAD_OPTION,
					   "%s given; it must be exactly one",
					   argc == optind ? "no directory"
					   : "more than one directory");
	ssdpar_probe_detail(error, "Nothing was measured.");
	ssdpar_probe_hint(error, "Give a directory on the device to measure; see "
					  "ssdpar-probe --help.");
	return false;
}

/* Pairs of small requests, and a file that is not overwritten for a minute. */
static bool
plan_inside(ProbeArgs *args, ProbeError *error)
{
	ProbeOptions *options = &args->options;

	if (args->of_sweep != NULL)
	{
		ssdpar_probe_error(error, PROBE_BAD_OPTION,
						   "%s does not go with --inside", args->of_sweep);
		ssdpar_probe_detail(error, "It belongs to a device profile, which "
							"--inside does not make.");
		ssdpar_probe_hint(error, "Leave one of them out.");
		return false;
	}
	options->sizes[0] = PROBE_MIN_SIZE;
	options->nsizes = 1;
	if (!args->sized)
		options->file_size = INSIDE_FILE;
	return true;
}

bool
ssdpar_probe_parse_args(int argc, char **argv, ProbeArgs *args,
						ProbeError *error)
{
	int			option;

	memset(args, 0, sizeof(*args));
	memset(error, 0, sizeof(*error));
	ssdpar_probe_default_options(&args->options);
	optind = 0;					/* glibc: start over, for unit tests */
	opterr = 0;					/* we print the messages */
	while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1)
	{
		if (!apply_option(option, argv, args, error))
			return false;
		if (args->action == PROBE_ACTION_HELP ||
			args->action == PROBE_ACTION_VERSION)
			return true;
	}
	if (args->action == PROBE_ACTION_INSIDE && !plan_inside(args, error))
		return false;
	return check_words(argc, argv, args, error) &&
		ssdpar_probe_check_options(&args->options, error);
}
