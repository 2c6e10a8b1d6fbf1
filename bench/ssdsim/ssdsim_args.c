/*
 * ssdsim_args.c
 *		Options of ssdsim and their valid values.
 *
 * The order of options does not matter, except that --and starts another
 * closed loop, to which the following options apply.
 */
#include "ssdsim_args.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ssdsim_number.h"

#define DEFAULT_DEVICE "ssd-s"
#define DEFAULT_REQUESTS 100000

static const char help[] =
	"ssdsim computes how an SSD answers requests, on virtual time.\n"
	"\n"
	"Usage: ssdsim [OPTION]...\n"
	"\n"
	"  --device NAME      the device: the file of a description, or a name from\n"
	"                     --list (default " DEFAULT_DEVICE ")\n"
	"  --set 'NAME VALUE' change one line of the description; repeatable,\n"
	"                     each is checked after those before it\n"
	"  --scheduler NAME   scheduler below the mapping, from --list (default noop)\n"
	"  --host NAME        scheduler above the device, from --list (default none)\n"
	"  --host-depth N     requests that the host scheduler sends to the device at\n"
	"                     a time (default: the device's queue)\n"
	"  --age TIMES        first overwrite random pages, TIMES times the number of\n"
	"                     pages of the device, which is always filled before\n"
	"                     (default 0)\n"
	"  --fresh            write nothing first\n"
	"  --seed N           seed of the random numbers (default 1)\n"
	"\n"
	"A closed loop keeps a number of requests outstanding:\n"
	"  --depth N          number of outstanding requests (default 1)\n"
	"  --size SIZE        size of a request in bytes, kB or MB (default 4kB)\n"
	"  --large SIZE       another size, for a fraction of the requests\n"
	"  --large-share P    percentage of requests with that size (default 0)\n"
	"  --read-share P     percentage of reads; the others are writes (default 100)\n"
	"  --random P         percentage of requests at random positions; the others\n"
	"                     continue after the last one of their kind (default 100)\n"
	"  --random-writes P  the same for writes; give it after --random\n"
	"  --offset SIZE      start of the region that the loop uses (default 0)\n"
	"  --region SIZE      length of that region (default: to the device's end)\n"
	"  --and              add another loop, described by the options that follow\n"
	"  --rate N           open loop: N requests per second arrive\n"
	"  --burst N          average number of requests that arrive together\n"
	"                     (default 1)\n"
	"  --requests N       end after N requests of all loops (default 100000)\n"
	"  --seconds S        end after S seconds of virtual time\n"
	"\n"
	"  --trace FILE       replay lines of TIME KIND ADDRESS BYTES instead of loops:\n"
	"                     microseconds; read, write, trim or flush; - is standard\n"
	"                     input\n"
	"  --trace-depth N    ignore the times, and keep N requests outstanding\n"
	"  --trace-processes  for each mark, compute how long the reads take if each\n"
	"                     process waits for one before it starts the next\n"
	"  --trace-fold       wrap addresses beyond the end of the device\n"
	"\n"
	"  --list             list devices and schedulers and exit\n"
	"  --help             print this and exit\n"
	"  --version          print the version and exit\n";

enum
{
	OPTION_DEVICE = 1,
	OPTION_SET,
	OPTION_SCHEDULER,
	OPTION_HOST,
	OPTION_HOST_DEPTH,
	OPTION_AGE,
	OPTION_FRESH,
	OPTION_SEED,
	OPTION_DEPTH,
	OPTION_SIZE,
	OPTION_LARGE,
	OPTION_LARGE_SHARE,
	OPTION_READ_SHARE,
	OPTION_RANDOM,
	OPTION_RANDOM_WRITES,
	OPTION_OFFSET,
	OPTION_REGION,
	OPTION_AND,
	OPTION_RATE,
	OPTION_BURST,
	OPTION_REQUESTS,
	OPTION_SECONDS,
	OPTION_TRACE,
	OPTION_TRACE_DEPTH,
	OPTION_TRACE_PROCESSES,
	OPTION_TRACE_FOLD,
	OPTION_LIST,
	OPTION_HELP,
	OPTION_VERSION,
};

static const struct option options[] = {
	{"device", required_argument, NULL, OPTION_DEVICE},
	{"set", required_argument, NULL, OPTION_SET},
	{"scheduler", required_argument, NULL, OPTION_SCHEDULER},
	{"host", required_argument, NULL, OPTION_HOST},
	{"host-depth", required_argument, NULL, OPTION_HOST_DEPTH},
	{"age", required_argument, NULL, OPTION_AGE},
	{"fresh", no_argument, NULL, OPTION_FRESH},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"depth", required_argument, NULL, OPTION_DEPTH},
	{"size", required_argument, NULL, OPTION_SIZE},
	{"large", required_argument, NULL, OPTION_LARGE},
	{"large-share", required_argument, NULL, OPTION_LARGE_SHARE},
	{"read-share", required_argument, NULL, OPTION_READ_SHARE},
	{"random", required_argument, NULL, OPTION_RANDOM},
	{"random-writes", required_argument, NULL, OPTION_RANDOM_WRITES},
	{"offset", required_argument, NULL, OPTION_OFFSET},
	{"region", required_argument, NULL, OPTION_REGION},
	{"and", no_argument, NULL, OPTION_AND},
	{"rate", required_argument, NULL, OPTION_RATE},
	{"burst", required_argument, NULL, OPTION_BURST},
	{"requests", required_argument, NULL, OPTION_REQUESTS},
	{"seconds", required_argument, NULL, OPTION_SECONDS},
	{"trace", required_argument, NULL, OPTION_TRACE},
	{"trace-depth", required_argument, NULL, OPTION_TRACE_DEPTH},
	{"trace-processes", no_argument, NULL, OPTION_TRACE_PROCESSES},
	{"trace-fold", no_argument, NULL, OPTION_TRACE_FOLD},
	{"list", no_argument, NULL, OPTION_LIST},
	{"help", no_argument, NULL, OPTION_HELP},
	{"version", no_argument, NULL, OPTION_VERSION},
	{NULL, 0, NULL, 0}
};

/* Checked when all options are known. */
typedef struct Given
{
	SsdsimChanges changes;
	bool		loops;			/* options that a trace does not use */
	bool		depth;			/* of a loop */
	bool		fresh;
} Given;

void
ssdsim_args_help(void)
{
	fputs(help, stdout);
}

static const char *
name_of(int option)
{
	return options[option - 1].name;
}

static bool
parse_real(int option, const char *text, double least, double most,
		   double *value, SsdsimError *error)
{
	if (ssdsim_parse_number(text, value) && *value >= least && *value <= most)
		return true;
	return ssdsim_fail(error, "--%s \"%.60s\": give a number from %g to %g.",
					   name_of(option), text, least, most);
}

static bool
parse_whole(int option, const char *text, uint64_t least, uint64_t most,
			uint64_t *value, SsdsimError *error)
{
	char	   *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 &&
		*value >= least && *value <= most)
		return true;
	return ssdsim_fail(error, "--%s \"%.60s\": give a whole number from %llu to %llu.",
					   name_of(option), text, (unsigned long long) least,
					   (unsigned long long) most);
}

/* Bytes, or with kB, MB or GB. */
static bool
parse_size(int option, const char *text, uint64_t least, uint64_t *value,
		   SsdsimError *error)
{
	static const struct
	{
		const char *unit;
		uint64_t	factor;
	}			units[] = {
		{"", 1}, {"B", 1}, {"kB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}
	};
	char	   *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units) && errno == 0 &&
		 text[0] >= '0' && text[0] <= '9'; i++)
		if (strcmp(end, units[i].unit) == 0 && *value >= least &&
			*value < (UINT64_C(1) << 60) / units[i].factor)
		{
			*value *= units[i].factor;
			return true;
		}
	return ssdsim_fail(error, "--%s \"%.60s\": give a size of at least %llu bytes, such as 4096, 4kB or 1MB.",
					   name_of(option), text, (unsigned long long) least);
}

static bool
parse_share(int option, const char *text, double *share, SsdsimError *error)
{
	double		percent;

	if (!parse_real(option, text, 0, 100, &percent, error))
		return false;
	*share = percent / 100;
	return true;
}

static bool
parse_depth(int option, const char *text, int64_t *depth, SsdsimError *error)
{
	uint64_t	value;

	if (!parse_whole(option, text, 1, SSDSIM_MAX_DEPTH, &value, error))
		return false;
	*depth = (int64_t) value;
	return true;
}

/* The options of a loop. */
static bool
apply_to_loop(int option, const char *text, SsdsimLoad *load,
			  SsdsimError *error)
{
	SsdsimLoop *loop = &load->loops[load->nloops - 1];

	switch (option)
	{
		case OPTION_DEPTH:
			return parse_depth(option, text, &loop->depth, error);
		case OPTION_RATE:
			return parse_real(option, text, 1e-3, 1e9, &load->rate, error);
		case OPTION_BURST:
			return parse_real(option, text, 1, 1e4, &load->burst, error);
		case OPTION_SIZE:
			return parse_size(option, text, 1, &loop->bytes, error);
		case OPTION_READ_SHARE:
			return parse_share(option, text, &loop->read_share, error);
		case OPTION_RANDOM:
			if (!parse_share(option, text, &loop->random_share[0], error))
				return false;
			loop->random_share[1] = loop->random_share[0];
			return true;
		case OPTION_RANDOM_WRITES:
			return parse_share(option, text, &loop->random_share[1], error);
		case OPTION_LARGE:
			return parse_size(option, text, 1, &loop->large_bytes, error);
		case OPTION_LARGE_SHARE:
			return parse_share(option, text, &loop->large_share, error);
		case OPTION_OFFSET:
			return parse_size(option, text, 0, &loop->first, error);
		default:
			return parse_size(option, text, 1, &loop->length, error);
	}
}

static bool
begin_loop(SsdsimLoad *load, SsdsimError *error)
{
	if (load->nloops == SSDSIM_MAX_LOOPS)
		return ssdsim_fail(error, "--and: there are %d loops at most.",
						   SSDSIM_MAX_LOOPS);
	load->loops[load->nloops++] = (SsdsimLoop)
	{
		.depth = 1, .read_share = 1, .random_share =
		{
			1, 1
		}, .bytes = 4096
	};
	return true;
}

static bool
find_scheduler(const char *name, SsdsimArgs *args, SsdsimError *error)
{
	args->policy = ssdsim_policy_find(name);
	if (args->policy == NULL)
		return ssdsim_fail(error, "--scheduler \"%.60s\": there is no such scheduler. --list shows which there are.",
						   name);
	return true;
}

static bool
find_host(const char *name, SsdsimArgs *args, SsdsimError *error)
{
	args->host = ssdsim_host_policy_find(name);
	if (args->host == NULL && strcmp(name, "none") != 0)
		return ssdsim_fail(error, "--host \"%.60s\": there is no such scheduler. --list shows which there are.",
						   name);
	return true;
}

static bool
parse_seconds(const char *text, SsdsimLoad *load, SsdsimError *error)
{
	double		seconds;

	if (!parse_real(OPTION_SECONDS, text, 1e-6, 1e9, &seconds, error))
		return false;
	load->time = llround(seconds * 1e9);
	return true;
}

/* The options with a value for the whole run. */
static bool
apply_value(int option, const char *text, SsdsimArgs *args, Given *given,
			SsdsimError *error)
{
	switch (option)
	{
		case OPTION_DEVICE:
			args->device = text;
			return true;
		case OPTION_SET:
			return ssdsim_changes_add(&given->changes, text, error);
		case OPTION_SCHEDULER:
			return find_scheduler(text, args, error);
		case OPTION_AGE:
			return parse_real(option, text, 0, 1000, &args->age, error);
		case OPTION_SEED:
			return parse_whole(option, text, 0, UINT64_MAX, &args->load.seed,
							   error);
		case OPTION_REQUESTS:
			given->loops = true;
			return parse_whole(option, text, 1, UINT64_MAX,
							   &args->load.requests, error);
		case OPTION_SECONDS:
			given->loops = true;
			return parse_seconds(text, &args->load, error);
		case OPTION_TRACE:
			args->trace = text;
			return true;
		case OPTION_TRACE_DEPTH:
			return parse_depth(option, text, &args->trace_depth, error);
		case OPTION_HOST:
			return find_host(text, args, error);
		case OPTION_HOST_DEPTH:
			return parse_depth(option, text, &args->host_depth, error);
		default:
			given->loops = true;
			given->depth = given->depth || option == OPTION_DEPTH;
			return apply_to_loop(option, text, &args->load, error);
	}
}

static bool
apply_option(int option, char **argv, SsdsimArgs *args, Given *given,
			 SsdsimError *error)
{
	switch (option)
	{
		case OPTION_FRESH:
			given->fresh = true;
			return true;
		case OPTION_AND:
			given->loops = true;
			return begin_loop(&args->load, error);
		case OPTION_TRACE_PROCESSES:
			args->trace_processes = true;
			return true;
		case OPTION_TRACE_FOLD:
			args->trace_fold = true;
			return true;
		case OPTION_LIST:
			args->action = SSDSIM_LIST;
			return true;
		case OPTION_HELP:
			args->action = SSDSIM_HELP;
			return true;
		case OPTION_VERSION:
			args->action = SSDSIM_VERSION_ONLY;
			return true;
		case '?':
			return ssdsim_fail(error, "unknown option %.60s. See ssdsim --help.",
							   argv[optind - 1]);
		case ':':
			return ssdsim_fail(error, "option %.60s needs a value. See ssdsim --help.",
							   argv[optind - 1]);
		default:
			return apply_value(option, optarg, args, given, error);
	}
}

static bool
fit_size(uint64_t bytes, uint64_t length, SsdsimError *error)
{
	if (bytes > 1 << 30)
		return ssdsim_fail(error, "--size, --large: the largest request is 1GB.");
	if (bytes > length)
		return ssdsim_fail(error, "--size, --large: a request of %llu bytes is larger than the region of %llu.",
						   (unsigned long long) bytes,
						   (unsigned long long) length);
	return true;
}

/* Sets the regions, once the size of the device is known. */
static bool
fit_loops(SsdsimArgs *args, SsdsimError *error)
{
	uint64_t	capacity = ssdsim_spec_capacity(&args->spec);

	for (int i = 0; i < args->load.nloops; i++)
	{
		SsdsimLoop *loop = &args->load.loops[i];

		if (loop->length == 0 && loop->first < capacity)
			loop->length = capacity - loop->first;
		if (loop->first >= capacity || loop->length > capacity - loop->first)
			return ssdsim_fail(error, "--offset, --region: the device has %llu bytes.",
							   (unsigned long long) capacity);
		if (!fit_size(loop->bytes, loop->length, error) ||
			!fit_size(loop->large_bytes, loop->length, error))
			return false;
	}
	return true;
}

bool
ssdsim_args_parse(int argc, char **argv, const char *folder,
				  SsdsimArgs *args, SsdsimError *error)
{
	Given		given = {0};
	int			option;

	memset(args, 0, sizeof(*args));
	args->device = DEFAULT_DEVICE;
	args->policy = ssdsim_policy_at(0);
	args->load.seed = 1;
	args->load.time = SSDSIM_NEVER;
	args->load.burst = 1;
	begin_loop(&args->load, error);
	optind = 0;
	while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1)
		if (!apply_option(option, argv, args, &given, error))
			return false;
	if (args->action != SSDSIM_RUN)
		return true;
	if (optind != argc)
		return ssdsim_fail(error, "\"%.60s\" is no option. See ssdsim --help.",
						   argv[optind]);
	if (args->trace != NULL ? given.loops : args->trace_depth > 0 ||
		args->trace_processes || args->trace_fold)
		return ssdsim_fail(error, "give loops or a trace: --trace-depth, --trace-processes and --trace-fold go with --trace, and nothing about loops does, nor --requests and --seconds.");
	if (args->trace_processes && (args->trace_depth > 0 ||
								  args->host != NULL || args->age != 0 ||
								  given.fresh))
		return ssdsim_fail(error, "--trace-processes goes without --trace-depth, --host, --age and --fresh.");
	if (args->host == NULL && args->host_depth > 0)
		return ssdsim_fail(error, "--host-depth goes with --host.");
	if (args->load.rate > 0 ? given.depth : args->load.burst > 1)
		return ssdsim_fail(error, "--rate goes without --depth, and --burst with --rate.");
	if (args->load.rate > 0 && args->load.nloops > 1)
		return ssdsim_fail(error, "--rate goes with one loop, not with --and.");
	if (given.fresh && args->age > 0)
		return ssdsim_fail(error, "give --age or --fresh.");
	if (given.fresh)
		args->age = -1;
	/* the given limit ends it */
	if (args->load.requests == 0)
		args->load.requests = args->load.time == SSDSIM_NEVER ?
			DEFAULT_REQUESTS : UINT64_MAX;
	return ssdsim_spec_find(args->device, folder, &given.changes,
							&args->spec, error) &&
		fit_loops(args, error);
}
