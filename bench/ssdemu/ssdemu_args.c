/*
 * ssdemu_args.c
 *		Options of ssdemu and their valid values.
 */
#include "ssdemu_args.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ssdsim/ssdsim_number.h"
#include "bench/ssdsim/ssdsim_policy.h"

#define DEFAULT_DEVICE "ssd-s"
#define DEFAULT_REQUEST_KB 128
#define LEAST_CAPACITY (UINT64_C(64) << 20)

static const char help[] =
	"ssdemu shows a directory through an emulated SSD or disk.\n"
	"\n"
	"Usage: ssdemu [OPTION]... BACKING_DIR MOUNTPOINT\n"
	"\n"
	"Both may be the same directory.  ssdemu runs until SIGTERM or Ctrl-C, and\n"
	"then unmounts.\n"
	"\n"
	"  --device NAME      the device: the file of a description, or a name from\n"
	"                     --list (default " DEFAULT_DEVICE ")\n"
	"  --set 'NAME VALUE' change one line of the description; repeatable\n"
	"  --scheduler NAME   scheduler below the mapping, from ssdsim --list (default\n"
	"                     noop)\n"
	"  --age TIMES        first overwrite random pages, TIMES times the number of\n"
	"                     pages of the device, which is always full (default 0)\n"
	"  --discard          tell the device (TRIM) which parts of files were removed,\n"
	"                     truncated or punched out\n"
	"  --seed N           seed of the random numbers (default 1)\n"
	"  --request-kb N     largest request and kernel read-ahead, 4 to 1024\n"
	"                     (default 128)\n"
	"  --transport US     microseconds that the kernel adds to a request, which\n"
	"                     the device subtracts (default: measured)\n"
	"  --warm             read all of BACKING_DIR into the page cache first\n"
	"  --background       return as soon as it is mounted\n"
	"  --pid-file FILE    write the process ID to FILE, which is removed at the end\n"
	"  --follow PID       also end when process PID ends\n"
	"  --trace FILE       write the requests to FILE, for ssdsim\n"
	"  --list             list the devices and exit\n"
	"  --help             print this and exit\n"
	"  --version          print the version and exit\n"
	"\n"
	"MOUNTPOINT/.ssdemu/stats contains the device's counters.  Commands written\n"
	"to MOUNTPOINT/.ssdemu/control switch faults on and off:\n"
	"  eio read|write PROBABILITY, spike PROBABILITY MICROSECONDS,\n"
	"  read-only on|off, reset\n"
	"or, with --trace, name the requests that follow: mark NAME\n";

enum
{
	OPTION_DEVICE = 1,
	OPTION_SET,
	OPTION_SCHEDULER,
	OPTION_AGE,
	OPTION_DISCARD,
	OPTION_SEED,
	OPTION_REQUEST_KB,
	OPTION_TRANSPORT,
	OPTION_WARM,
	OPTION_BACKGROUND,
	OPTION_PID_FILE,
	OPTION_FOLLOW,
	OPTION_TRACE,
	OPTION_LIST,
	OPTION_HELP,
	OPTION_VERSION
};

static const struct option options[] = {
	{"device", required_argument, NULL, OPTION_DEVICE},
	{"set", required_argument, NULL, OPTION_SET},
	{"scheduler", required_argument, NULL, OPTION_SCHEDULER},
	{"age", required_argument, NULL, OPTION_AGE},
	{"discard", no_argument, NULL, OPTION_DISCARD},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"request-kb", required_argument, NULL, OPTION_REQUEST_KB},
	{"transport", required_argument, NULL, OPTION_TRANSPORT},
	{"warm", no_argument, NULL, OPTION_WARM},
	{"background", no_argument, NULL, OPTION_BACKGROUND},
	{"pid-file", required_argument, NULL, OPTION_PID_FILE},
	{"follow", required_argument, NULL, OPTION_FOLLOW},
	{"trace", required_argument, NULL, OPTION_TRACE},
	{"list", no_argument, NULL, OPTION_LIST},
	{"help", no_argument, NULL, OPTION_HELP},
	{"version", no_argument, NULL, OPTION_VERSION},
	{NULL, 0, NULL, 0}
};

/* Checked when all options are known. */
typedef struct Given
{
	SsdsimChanges changes;
} Given;

void
ssdemu_args_help(void)
{
	fputs(help, stdout);
}

static bool
parse_number(const char *option, const char *text, uint64_t least,
			 uint64_t most, uint64_t *value, SsdsimError *error)
{
	char	   *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (isdigit((unsigned char) text[0]) && *end == '\0' && errno == 0 &&
		*value >= least && *value <= most)
		return true;
	return ssdsim_fail(error, "--%s \"%.60s\": give a whole number from %llu "
					   "to %llu.", option, text, (unsigned long long) least,
					   (unsigned long long) most);
}

static bool
parse_age(const char *text, double *age, SsdsimError *error)
{
	if (ssdsim_parse_number(text, age) && *age >= 0 && *age <= 1000)
		return true;
	return ssdsim_fail(error, "--age \"%.60s\": give a number from 0 to 1000.",
					   text);
}

static bool
find_scheduler(const char *name, SsdemuArgs *args, SsdsimError *error)
{
	args->device.policy = ssdsim_policy_find(name);
	return args->device.policy != NULL ||
		ssdsim_fail(error, "--scheduler \"%.60s\": there is no such scheduler. "
					"ssdsim --list shows which there are.", name);
}

/* The options with a number. */
static bool
parse_numeric(int option, const char *text, SsdemuArgs *args,
			  SsdsimError *error)
{
	uint64_t	value;

	switch (option)
	{
		case OPTION_SEED:
			return parse_number("seed", text, 0, UINT64_MAX,
								&args->device.seed, error);
		case OPTION_REQUEST_KB:
			if (!parse_number("request-kb", text, 4, 1024, &value, error))
				return false;
			if (value % 4 != 0)
				return ssdsim_fail(error, "--request-kb %s: give a multiple "
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
			 Given *given, SsdsimError *error)
{
	switch (option)
	{
		case OPTION_DEVICE:
			args->device.name = optarg;
			return true;
		case OPTION_SET:
			return ssdsim_changes_add(&given->changes, optarg, error);
		case OPTION_SCHEDULER:
			return find_scheduler(optarg, args, error);
		case OPTION_AGE:
			return parse_age(optarg, &args->device.age, error);
		case OPTION_DISCARD:
			args->discard = true;
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
			return ssdsim_fail(error, "unknown option %.60s. See ssdemu "
							   "--help.", argv[optind - 1]);
		case ':':
			return ssdsim_fail(error, "option %.60s needs a value. See "
							   "ssdemu --help.", argv[optind - 1]);
		default:
			return parse_numeric(option, optarg, args, error);
	}
}

static bool
find_device(SsdemuDeviceSpec *device, const Given *given, const char *folder,
			SsdsimError *error)
{
	if (!ssdsim_spec_find(device->name, folder, &given->changes,
						  &device->spec, error))
		return false;
	return ssdsim_spec_capacity(&device->spec) >= LEAST_CAPACITY ||
		ssdsim_fail(error, "%.200s: the device has %llu bytes, and files need "
					"%llu at least.", device->name,
					(unsigned long long) ssdsim_spec_capacity(&device->spec),
					(unsigned long long) LEAST_CAPACITY);
}

bool
ssdemu_args_parse(int argc, char **argv, const char *folder,
				  SsdemuArgs *args, SsdsimError *error)
{
	Given		given = {0};
	int			option;

	memset(args, 0, sizeof(*args));
	args->device.name = DEFAULT_DEVICE;
	args->device.policy = ssdsim_policy_at(0);
	args->device.seed = 1;
	args->request_bytes = DEFAULT_REQUEST_KB * 1024;
	args->transport = -1;
	optind = 0;
	while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1)
		if (!apply_option(option, argv, args, &given, error))
			return false;
	if (args->action != SSDEMU_RUN)
		return true;
	if (argc - optind != 2)
		return ssdsim_fail(error, "give two directories, BACKING_DIR and "
						   "MOUNTPOINT. See ssdemu --help.");
	args->backing = argv[optind];
	args->mountpoint = argv[optind + 1];
	return find_device(&args->device, &given, folder, error);
}
