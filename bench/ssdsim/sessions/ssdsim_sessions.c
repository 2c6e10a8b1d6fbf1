/*
 * ssdsim_sessions.c
 *		main: runs Figure 12's pairs, or scans of partitions, and prints one
 *		line of CSV each.
 *
 * Exit status: 0 done, 1 a pair got worse, 2 a wrong command line or a result
 * that cannot be written.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "ssdsim_collecting.h"
#include "bench/ssdsim/ssdsim_number.h"
#include "ssdsim_partitions.h"
#include "ssdsim_shards.h"
#include "ssdsim_recorded.h"
#include "prefetch/page_lead.h"

static const char help[] =
	"ssdsim-sessions runs the readers and writers of Figure 12, alone and in\n"
	"pairs, on a simulated device with the prefetch daemon's own scheduler, on\n"
	"virtual time.\n"
	"\n"
	"Usage: ssdsim-sessions [OPTION]...\n"
	"\n"
	"  --device NAME      a name from ssdsim --list (default nvme)\n"
	"  --plain            run without the daemon\n"
	"  --protect MS       readers yield to writers, as with\n"
	"                     ssdpar.write_protection: 0 to 1000\n"
	"  --depth N          the daemon's device_depth: 1 to 1024 (default: the\n"
	"                     device's saturation depth)\n"
	"  --partitions       instead, scan a table in four partitions on one, two and\n"
	"                     four devices\n"
	"  --shards PAGES     instead, read PAGES pages, 64 to 10000000, distributed\n"
	"                     over 1 to 64 devices\n"
	"  --collecting       instead, read a list of pages while others write, with\n"
	"                     and without holding back reads from dies that collect\n"
	"                     garbage\n"
	"  --against FILE     run the pairs in FILE, and list those that differ by\n"
	"                     more than 5 %; fails if one is slower\n"
	"  --help             print this and exit\n";

enum
{
	OPTION_DEVICE = 1,
	OPTION_PLAIN,
	OPTION_PROTECT,
	OPTION_DEPTH,
	OPTION_PARTITIONS,
	OPTION_SHARDS,
	OPTION_COLLECTING,
	OPTION_AGAINST,
	OPTION_HELP,
};

static const struct option options[] = {
	{"device", required_argument, NULL, OPTION_DEVICE},
	{"plain", no_argument, NULL, OPTION_PLAIN},
	{"protect", required_argument, NULL, OPTION_PROTECT},
	{"depth", required_argument, NULL, OPTION_DEPTH},
	{"partitions", no_argument, NULL, OPTION_PARTITIONS},
	{"shards", required_argument, NULL, OPTION_SHARDS},
	{"collecting", no_argument, NULL, OPTION_COLLECTING},
	{"against", required_argument, NULL, OPTION_AGAINST},
	{"help", no_argument, NULL, OPTION_HELP},
	{NULL, 0, NULL, 0}
};

typedef struct Asked
{
	const char *device;
	const char *against;
	bool		plain;
	bool		partitions;
	uint64_t	shards_pages;	/* 0: not requested */
	bool		collecting;
	bool		protects;
	double		may_lose;		/* ms */
	SsdpardRules rules;
} Asked;

static int
complain(const char *text, int status)
{
	fprintf(stderr, "ssdsim-sessions: %s\n", text);
	return status;
}

/* STATUS, unless the output could not be written. */
static int
end(int status)
{
	SsdsimError error;

	return ssdsim_written(&error) ? status : complain(error.text, 2);
}

static int
run_all(const Asked *asked)
{
	SsdsimError error;
	SsdsimSpec	spec;
	SsdsimPair	pair = {
		.rules = asked->plain ? NULL : &asked->rules,
		.protects = asked->protects, .may_lose = asked->may_lose
	};

	if (!ssdsim_pair_device(asked->device, SSDSIM_DEVICES, &spec, &error))
		return complain(error.text, 2);
	pair.depth = ssdsim_saturation_depth(&spec);
	ssdsim_recorded_head(stdout);
	for (int i = 0; (pair.target = ssdsim_work_at(i)) != NULL; i++)
		for (int j = -1; j < 0 || ssdsim_work_at(j) != NULL; j++)
		{
			pair.beside = ssdsim_work_at(j);
			ssdsim_recorded_line(stdout, asked->device, &pair,
								 ssdsim_pair_run(&spec, &pair).time);
		}
	return end(0);
}

/* Partitions on devices, or shards with one each: 1 to MOST of them. */
static int
divide(const Asked *asked, const char *among, int most)
{
	SsdsimError error;
	SsdsimSpec	spec;
	uint32_t	depth;

	if (!ssdsim_pair_device(asked->device, SSDSIM_DEVICES, &spec, &error))
		return complain(error.text, 2);
	depth = ssdsim_saturation_depth(&spec);
	printf("device,%s,microseconds\n", among);
	for (int count = 1; count <= most; count *= 2)
	{
		int64_t		time = asked->partitions ?
			ssdsim_partitions_scan(&spec, count, depth) :
			ssdsim_shards_read(&spec, count, asked->shards_pages, depth);

		printf("%s,%d,%.3f\n", asked->device, count, (double) time / 1e3);
	}
	return end(0);
}

static int
read_while_collecting(const Asked *asked)
{
	static const SsdsimCollecting cases[] = {
		{.lead = 2}, {.lead = 0}, {.hold = 1000000}, {.hold = 20000000},
		{.writers = 4, .rest = 1000000, .lead = 2},
		{.writers = 4, .rest = 1000000},
		{.writers = 4, .rest = 1000000, .hold = 1000000},
		{.writers = 4, .rest = 1000000, .hold = 20000000},
		{.writers = 4, .rest = 300000, .lead = 2},
		{.writers = 4, .rest = 300000},
		{.writers = 4, .rest = 300000, .hold = 1000000},
		{.writers = 4, .rest = 300000, .hold = 20000000},
	};
	SsdsimError error;
	SsdsimSpec	spec;
	uint32_t	depth;

	if (!ssdsim_collecting_device(asked->device, SSDSIM_DEVICES, &spec,
								  &error))
		return complain(error.text, 2);
	depth = ssdsim_saturation_depth(&spec);
	printf("device,writers,rest,hold,lead,microseconds,wait_p99,writes,held\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		SsdsimCollectingResult result =
			ssdsim_collecting_run(&spec, &cases[i], depth);

		printf("%s,%d,%.0f,%.0f,%d,%.3f,%.1f,%.0f,%llu\n", asked->device,
			   cases[i].writers, (double) cases[i].rest / 1e3,
			   (double) cases[i].hold / 1e3,
			   cases[i].lead > 0 ? (int) cases[i].lead : SSDPAR_LEAD_DEPTHS,
			   (double) result.time / 1e3, (double) result.wait99 / 1e3,
			   result.writes, (unsigned long long) result.held);
	}
	return end(0);
}

static int
compare(const Asked *asked)
{
	SsdsimError error;
	FILE	   *file = fopen(asked->against, "re");
	int			worse;

	if (file == NULL)
		return complain("the file of --against cannot be opened.", 2);
	worse = ssdsim_recorded_compare(file, asked->against, SSDSIM_DEVICES,
									&asked->rules, stdout, &error);
	fclose(file);
	if (worse < 0)
		return complain(error.text, 2);
	return end(worse > 0);
}

/* False if DEPTH is invalid. */
static bool
parse_depth(const char *text, uint32_t *depth)
{
	char	   *end;
	long		value = strtol(text, &end, 10);

	*depth = (uint32_t) value;
	return end != text && *end == '\0' && value >= 1 && value <= 1024;
}

static bool
parse_pages(const char *text, uint64_t *pages)
{
	char	   *end;
	long		value = strtol(text, &end, 10);

	*pages = (uint64_t) value;
	return end != text && *end == '\0' && value >= SSDSIM_MOST_SHARDS &&
		value <= 10000000;
}

static bool
parse_milliseconds(const char *text, double *milliseconds)
{
	return ssdsim_parse_number(text, milliseconds) && *milliseconds >= 0 &&
		*milliseconds <= 1000;
}

static int
runs_asked_for(const Asked *asked)
{
	return (asked->against != NULL) + asked->collecting + asked->partitions +
		(asked->shards_pages > 0);
}

int
main(int argc, char **argv)
{
	Asked		asked = {.device = "nvme", .rules = ssdsim_ssdpard_usual};
	int			option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option)
		{
			case OPTION_DEVICE:
				asked.device = optarg;
				break;
			case OPTION_PLAIN:
				asked.plain = true;
				break;
			case OPTION_PROTECT:
				if (!parse_milliseconds(optarg, &asked.may_lose))
					return complain("--protect: give milliseconds, 0 to 1000.",
									2);
				asked.protects = true;
				break;
			case OPTION_DEPTH:
				if (!parse_depth(optarg, &asked.rules.depth))
					return complain("--depth: give a whole number from 1 to 1024.",
									2);
				break;
			case OPTION_PARTITIONS:
				asked.partitions = true;
				break;
			case OPTION_SHARDS:
				if (!parse_pages(optarg, &asked.shards_pages))
					return complain("--shards: give a whole number of pages "
									"from 64 to 10000000.", 2);
				break;
			case OPTION_COLLECTING:
				asked.collecting = true;
				break;
			case OPTION_AGAINST:
				asked.against = optarg;
				break;
			case OPTION_HELP:
				fputs(help, stdout);
				return end(0);
			default:
				return 2;
		}
	if (optind < argc)
		return complain("it takes options alone. See ssdsim-sessions --help.",
						2);
	if (runs_asked_for(&asked) > 1)
		return complain("give one of --against, --collecting, --partitions and --shards.",
						2);
	if (asked.against != NULL)
		return compare(&asked);
	if (asked.collecting)
		return read_while_collecting(&asked);
	if (asked.partitions)
		return divide(&asked, "devices", SSDSIM_PARTITIONS);
	if (asked.shards_pages > 0)
		return divide(&asked, "shards", SSDSIM_MOST_SHARDS);
	return run_all(&asked);
}
