/*
 * ssdsim.c
 *		main: reads the command line, runs, prints.
 *
 * Exit status: 0 done, 1 a trace that is invalid or cannot be read, or a
 * result that cannot be written, 2 a wrong command line or description.
 */
#include <errno.h>
#include <string.h>

#include "ssdsim_args.h"
#include "ssdsim_arrivals.h"
#include "ssdsim_replay.h"
#include "ssdsim_shipped.h"

static int
complain(const SsdsimError *error, int status)
{
	fprintf(stderr, "ssdsim: %s\n", error->text);
	return status;
}

static int
end(void)
{
	SsdsimError error;

	return ssdsim_written(&error) ? 0 : complain(&error, 1);
}

static int
list(void)
{
	SsdsimError error;

	if (!ssdsim_shipped_print(SSDSIM_DEVICES, "device     ", stdout, &error))
		return complain(&error, 2);
	for (int i = 0; ssdsim_policy_at(i) != NULL; i++)
		printf("scheduler  %-8s %s\n", ssdsim_policy_at(i)->name,
			   ssdsim_policy_at(i)->about);
	printf("host       %-13s %s\n", "none",
		   "requests go to the device as they come");
	for (int i = 0; ssdsim_host_policy_at(i) != NULL; i++)
		printf("host       %-13s %s\n", ssdsim_host_policy_at(i)->name,
			   ssdsim_host_policy_at(i)->about);
	return end();
}

/* A new array under the requested schedulers. */
static void
begin(const SsdsimArgs *args, SsdsimRun *run)
{
	ssdsim_run_begin(run, &args->spec, args->policy, args->load.seed,
					 args->age);
	if (args->host != NULL)
		ssdsim_run_schedule(run, args->host, args->host_depth > 0 ?
							args->host_depth : args->spec.queue);
}

static void
print_replayed(const SsdsimReplayed *replayed, void *argument)
{
	(void) argument;
	printf("%s requests=%llu bytes=%llu processes=%d ns=%lld\n",
		   replayed->name, (unsigned long long) replayed->requests,
		   (unsigned long long) replayed->bytes, replayed->processes,
		   (long long) replayed->time);
}

static bool
run_trace(const SsdsimArgs *args, SsdsimRun *run, SsdsimError *error)
{
	bool		standard = strcmp(args->trace, "-") == 0;
	SsdsimTrace trace = {
		.file = standard ? stdin : fopen(args->trace, "re"),
		.filename = standard ? "standard input" : args->trace,
		.spec = &args->spec,
		.fold = args->trace_fold, .error = error
	};
	bool		good;

	if (trace.file == NULL)
		return ssdsim_fail(error, "--trace %.200s: %s.", args->trace,
						   strerror(errno));
	if (args->trace_processes)
		good = ssdsim_replay_processes(&trace, args->policy, args->load.seed,
									   print_replayed, NULL);
	else
	{
		begin(args, run);
		good = ssdsim_replay(&trace, args->trace_depth, run);
	}
	if (!standard)
		fclose(trace.file);
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
	if (args->trace_processes)
		return end();
	printf("device %s\nscheduler %s\nseed %llu\n", args->device,
		   args->policy->name, (unsigned long long) args->load.seed);
	ssdsim_result_print(&run, stdout);
	return end();
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
			return end();
		case SSDSIM_VERSION_ONLY:
			printf("ssdsim %s\n", SSDSIM_VERSION);
			return end();
		case SSDSIM_RUN:
			break;
	}
	return simulate(&args);
}
