/*
 * ssdemu_args.c
 *		Options of ssdemu and what they may be.
 */
#include "ssdemu_args.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PROFILE "ssd-s"
#define DEFAULT_REQUEST_KB 128

static const char help[] =
	"ssdemu shows a directory through an emulated SSD or disk.\n"
	"\n"
	"Usage: ssdemu [OPTION]... BACKING_DIR MOUNTPOINT\n"
	"\n"
	"Both may be the same directory, which is then seen through the device\n"
	"until ssdemu ends.  Runs until SIGTERM or Ctrl-C and unmounts then.\n"
	"\n"
	"  --profile NAME     the device (default " DEFAULT_PROFILE "); --list "
	"shows them\n"
	"  --seed N           other chances, the same device (default 1)\n"
	"  --mapping POLICY   chunk to channel: stripe, hash or single\n"
	"                     (default: the profile's)\n"
	"  --request-kb N     largest request and kernel read-ahead, 4 to 1024\n"
	"                     (default 128)\n"
	"  --transport US     microseconds that the way through the kernel takes\n"
	"                     and the device is to be quicker by (default: "
	"measured)\n"
	"  --warm             read all of BACKING_DIR into the page cache first\n"
	"  --background       return as soon as it is mounted\n"
	"  --pid-file FILE    write the process id there; removed at the end\n"
	"  --follow PID       also end when that process ends\n"
	"  --trace FILE       write down what is read, by which process\n"
	"  --replay FILE      mount nothing; tell for each mark of that trace how\n"
	"                     long the device takes for its reads, if each process\n"
	"                     waits for one before it asks for the next and does\n"
	"                     nothing else\n"
	"  --list             list the profiles and exit\n"
	"  --help             print this and exit\n"
	"  --version          print the version and exit\n"
	"\n"
	"MOUNTPOINT/.ssdemu/stats tells what the device did; commands written to\n"
	"MOUNTPOINT/.ssdemu/control switch faults:\n"
	"  eio read|write PROBABILITY, spike PROBABILITY MICROSECONDS,\n"
	"  read-only on|off, reset\n"
	"or, with --trace, name what is read from there on: mark NAME\n";

enum
{
	OPTION_PROFILE = 1,
	OPTION_SEED,
	OPTION_MAPPING,
	OPTION_REQUEST_KB,
	OPTION_TRANSPORT,
	OPTION_WARM,
	OPTION_BACKGROUND,
	OPTION_PID_FILE,
	OPTION_FOLLOW,
	OPTION_TRACE,
	OPTION_REPLAY,
	OPTION_LIST,
	OPTION_HELP,
	OPTION_VERSION
};

static const struct option options[] = {
	{"profile", required_argument, NULL, OPTION_PROFILE},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"mapping", required_argument, NULL, OPTION_MAPPING},
	{"request-kb", required_argument, NULL, OPTION_REQUEST_KB},
	{"transport", required_argument, NULL, OPTION_TRANSPORT},
	{"warm", no_argument, NULL, OPTION_WARM},
	{"background", no_argument, NULL, OPTION_BACKGROUND},
	{"pid-file", required_argument, NULL, OPTION_PID_FILE},
	{"follow", required_argument, NULL, OPTION_FOLLOW},
	{"trace", required_argument, NULL, OPTION_TRACE},
	{"replay", required_argument, NULL, OPTION_REPLAY},
	{"list", no_argument, NULL, OPTION_LIST},
	{"help", no_argument, NULL, OPTION_HELP},
	{"version", no_argument, NULL, OPTION_VERSION},
	{NULL, 0, NULL, 0}
};

void
ssdemu_args_help(void)
{
	fputs(help, stdout);
}

void
ssdemu_args_list(void)
{
	const SsdemuProfile *profile;

	for (int i = 0; (profile = ssdemu_profile_at(i)) != NULL; i++)
		printf("%-8s %s\n", profile->name, profile->about);
}

static bool
parse_number(const char *option, const char *text, uint64_t least,
			 uint64_t most, uint64_t *value, SsdemuError *error)
{
	char	   *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (isdigit((unsigned char) text[0]) && *end == '\0' && errno == 0 &&
		*value >= least && *value <= most)
		return true;
	return ssdemu_fail(error, "--%s \"%.60s\": give a whole number from %llu "
					   "to %llu.", option, text, (unsigned long long) least,
					   (unsigned long long) most);
}

static bool
parse_profile(const char *text, SsdemuArgs *args, SsdemuError *error)
{
	const SsdemuProfile *profile = ssdemu_profile_find(text);

	if (profile == NULL)
		return ssdemu_fail(error, "--profile \"%.60s\": there is no such "
						   "device. ssdemu --list shows which there are.",
						   text);
	args->profile = *profile;
	return true;
}

static bool
parse_mapping(const char *text, SsdemuArgs *args, SsdemuError *error)
{
	static const char *const names[] = {
		[SSDEMU_MAP_STRIPE] = "stripe",
		[SSDEMU_MAP_HASH] = "hash",
		[SSDEMU_MAP_SINGLE] = "single",
	};

	for (int i = SSDEMU_MAP_STRIPE; i <= SSDEMU_MAP_SINGLE; i++)
	{
		if (strcmp(text, names[i]) != 0)
			continue;
		args->profile.mapping = (SsdemuMapping) i;
		return true;
	}
	return ssdemu_fail(error, "--mapping \"%.60s\": give stripe, hash or "
					   "single.", text);
}

/* The options that take a number. */
static bool
parse_numeric(int option, const char *text, SsdemuArgs *args,
			  SsdemuError *error)
{
	uint64_t	value;

	switch (option)
	{
		case OPTION_SEED:
			return parse_number("seed", text, 0, UINT64_MAX, &args->seed,
								error);
		case OPTION_REQUEST_KB:
			if (!parse_number("request-kb", text, 4, 1024, &value, error))
				return false;
			if (value % 4 != 0)
				return ssdemu_fail(error, "--request-kb %s: give a multiple "
								   "of 4, the size of a page.", text);
			args->request_bytes = (uint32_t) value * 1024;
			return true;
		case OPTION_TRANSPORT:
			if (!parse_number("transport", text, 0, 100000, &value, error))
				return false;
			args->transport = (int64_t) value * 1000;
			return true;
		default:
			if (!parse_number("follow", text, 1, INT32_MAX, &value, error))
				return false;
			args->follow = (pid_t) value;
			return true;
	}
}

static bool
apply_option(int option, char **argv, SsdemuArgs *args,
			 const char **mapping, SsdemuError *error)
{
	switch (option)
	{
		case OPTION_PROFILE:
			return parse_profile(optarg, args, error);
		case OPTION_MAPPING:
			*mapping = optarg;	/* a later --profile must not undo it */
			return true;
		case OPTION_WARM:
			args->warm = true;
			return true;
		case OPTION_BACKGROUND:
			args->background = true;
			return true;
		case OPTION_PID_FILE:
			args->pid_file = optarg;
			return true;
		case OPTION_TRACE:
			args->trace = optarg;
			return true;
		case OPTION_REPLAY:
			args->action = SSDEMU_REPLAY;
			args->trace = optarg;
			return true;
		case OPTION_LIST:
			args->action = SSDEMU_LIST;
			return true;
		case OPTION_HELP:
			args->action = SSDEMU_HELP;
			return true;
		case OPTION_VERSION:
			args->action = SSDEMU_VERSION_ONLY;
			return true;
		case '?':
			return ssdemu_fail(error, "unknown option %.60s. See ssdemu "
							   "--help.", argv[optind - 1]);
		case ':':
			return ssdemu_fail(error, "option %.60s needs a value. See "
							   "ssdemu --help.", argv[optind - 1]);
		default:
			return parse_numeric(option, optarg, args, error);
	}
}

bool
ssdemu_args_parse(int argc, char **argv, SsdemuArgs *args,
				  SsdemuError *error)
{
	const char *mapping = NULL;
	int			option;

	memset(args, 0, sizeof(*args));
	args->profile = *ssdemu_profile_find(DEFAULT_PROFILE);
	args->seed = 1;
	args->request_bytes = DEFAULT_REQUEST_KB * 1024;
	args->transport = -1;
	optind = 0;
	while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1)
		if (!apply_option(option, argv, args, &mapping, error))
			return false;
	if (mapping != NULL && !parse_mapping(mapping, args, error))
		return false;
	if (args->action != SSDEMU_RUN)
		return true;
	if (argc - optind != 2)
		return ssdemu_fail(error, "give two directories, BACKING_DIR and "
						   "MOUNTPOINT. See ssdemu --help.");
	args->backing = argv[optind];
	args->mountpoint = argv[optind + 1];
	return true;
}
