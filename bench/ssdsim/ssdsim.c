/*
 * ssdsim.c
 *		main: reads the command line, runs, prints.
 *
 * Exit status: 0 done, 1 a trace that makes no sense or cannot be read, 2 a
 * wrong command line or description.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ssdsim_args.h"
#include "ssdsim_arrivals.h"
#include "ssdsim_trace.h"

#define SUFFIX ".ssd"

static int
complain(const SsdsimError *error, int status)
{
	fprintf(stderr, "ssdsim: %s\n", error->text);
	return status;
}

static int
is_device(const struct dirent *entry)
{
	size_t		length = strlen(entry->d_name);

	return length > strlen(SUFFIX) &&
		strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

static int
list(void)
{
	SsdsimError error;
	struct dirent **entries;
	int			count = scandir(SSDSIM_DEVICES, &entries, is_device,
								alphasort);

	if (count < 0)
	{
		ssdsim_fail(&error, "%s: %s.", SSDSIM_DEVICES, strerror(errno));
		return complain(&error, 1);
	}
	for (int i = 0; i < count; i++)
	{
		char	   *name = entries[i]->d_name;
		SsdsimSpec	spec;

		name[strlen(name) - strlen(SUFFIX)] = '\0';
		if (!ssdsim_spec_load(name, SSDSIM_DEVICES, &spec, &error))
			return complain(&error, 2);
		printf("device     %-8s %s\n", name, spec.about);
		free(entries[i]);
	}
	free(entries);
	for (int i = 0; ssdsim_policy_at(i) != NULL; i++)
		printf("scheduler  %-8s %s\n", ssdsim_policy_at(i)->name,
			   ssdsim_policy_at(i)->about);
	for (int i = 0; ssdsim_host_policy_at(i) != NULL; i++)
		printf("host       %-13s %s\n", ssdsim_host_policy_at(i)->name,
			   ssdsim_host_policy_at(i)->about);
	return 0;
}

/* A new array under the schedulers asked for. */
static void
begin(const SsdsimArgs *args, SsdsimRun *run)
{
	ssdsim_run_begin(run, &args->spec, args->policy, args->load.seed,
					 args->age);
	if (args->host != NULL)
		ssdsim_run_schedule(run, args->host, args->host_depth > 0 ?
							args->host_depth : args->spec.queue);
}

static bool
run_trace(const SsdsimArgs *args, SsdsimRun *run, SsdsimError *error)
{
	bool		standard = strcmp(args->trace, "-") == 0;
	FILE	   *file = standard ? stdin : fopen(args->trace, "re");
	bool		good;

	if (file == NULL)
		return ssdsim_fail(error, "--trace %.200s: %s.", args->trace,
						   strerror(errno));
	begin(args, run);
	good = ssdsim_trace_run(file, args->trace, args->trace_depth, run, error);
	if (!standard)
		fclose(file);
	return good;
}

static int
simulate(const SsdsimArgs *args)
{
	static SsdsimRun run;
	SsdsimError error;

	if (args->trace == NULL)
	{
		begin(args, &run);
		if (args->load.rate > 0)
			ssdsim_arrivals_run(&args->load, &run);
		else
			ssdsim_load_run(&args->load, &run);
	}
	else if (!run_trace(args, &run, &error))
		return complain(&error, 1);
	printf("device %s\nscheduler %s\nseed %llu\n", args->device,
		   args->policy->name, (unsigned long long) args->load.seed);
	ssdsim_result_print(&run, stdout);
	return 0;
}

int
main(int argc, char **argv)
{
	SsdsimArgs	args;
	SsdsimError error;

	if (!ssdsim_args_parse(argc, argv, SSDSIM_DEVICES, &args, &error))
		return complain(&error, 2);
	switch (args.action)
	{
		case SSDSIM_LIST:
			return list();
		case SSDSIM_HELP:
			ssdsim_args_help();
			return 0;
		case SSDSIM_VERSION_ONLY:
			printf("ssdsim %s\n", SSDSIM_VERSION);
			return 0;
		case SSDSIM_RUN:
			break;
	}
	return simulate(&args);
}
