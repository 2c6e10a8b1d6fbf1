/*
 * main.c
 *		ssdpar-probe: the measuring engine as a program.
 *
 * Results go to stdout, progress and messages to stderr.  Exit codes: 0
 * success, 1 failure, 2 wrong command line, 128 + signal if stopped by a
 * signal.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "inside_file.h"
#include "json.h"
#include "probe.h"
#include "report.h"
#include "store.h"

static volatile sig_atomic_t probe_signal = 0;

/*
 * The engine calls keep_going() and ends properly; nothing else is safe here.
 */
static void
note_signal(int signum)
{
	probe_signal = signum;
}

/*
 * Outside of the measurement there is nothing to undo, so signals simply kill.
 * Ignored signals remain ignored: SIGHUP under nohup, SIGINT in a background
 * job.
 */
static void
handle_signals(void (*handler) (int))
{
	static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action;
	struct sigaction before;

	/*
	 * Without SA_RESTART, so that the wait for completions ends with EINTR
	 * and the engine calls keep_going() immediately instead of at the next
	 * tick.
	 */
	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		if (sigaction(caught[i], NULL, &before) == 0 &&
			before.sa_handler != SIG_IGN)
			sigaction(caught[i], &action, NULL);
}

static bool
keep_going(void *arg)
{
	(void) arg;
	return probe_signal == 0;
}

/* Progress shown so far. */
typedef struct Progress
{
	bool		terminal;
	int			shown;			/* quarters already reported as plain lines */
	char		stage[64];
	int64_t		file_size;		/* requested size */
} Progress;

/*
 * On a terminal one line is rewritten; in a log there is one line per quarter.
 */
static void
show_progress(void *arg, const char *stage, double share)
{
	Progress   *progress = arg;

	if (progress->terminal)
	{
		fprintf(stderr, "\rssdpar-probe: %s, %3.0f %%\033[K", stage,
				share * 100.0);
		return;
	}
	if (strcmp(stage, progress->stage) != 0)
	{
		snprintf(progress->stage, sizeof(progress->stage), "%s", stage);
		progress->shown = -1;
	}
	if ((int) (share * 4.0) > progress->shown)
	{
		progress->shown = (int) (share * 4.0);
		fprintf(stderr, "ssdpar-probe: %s, %.0f %%\n", stage, share * 100.0);
	}
}

static void
show_reserved(void *arg, uint64_t file_size)
{
	const Progress *progress = arg;

	if (file_size >= PROBE_MAX_FILE)
		return;
	fprintf(stderr, "ssdpar-probe: the scratch file has only %.0f MB",
			(double) file_size / (1 << 20));
	if (file_size < (uint64_t) progress->file_size)
		fprintf(stderr, ", as there is no room for %.0f MB",
				(double) progress->file_size / (1 << 20));
	fputs(": a cache in the device may hold much of it\n", stderr);
}

/* Uses the words and the order of psql.  Returns the exit code. */
static int
report_error(const ProbeError *error)
{
	fprintf(stderr, "ssdpar-probe: %s\n", error->message);
	if (error->detail[0] != '\0')
		fprintf(stderr, "DETAIL: %s\n", error->detail);
	if (error->hint[0] != '\0')
		fprintf(stderr, "HINT: %s\n", error->hint);

	/* the shell's code for death by a signal, which stops scripts */
	if (error->kind == PROBE_CANCELLED && probe_signal != 0)
		return 128 + probe_signal;
	return error->kind == PROBE_BAD_OPTION ? 2 : 1;
}

/* Runs the measurement while catching signals. */
static bool
run_caught(const ProbeArgs *args, ProbeResult *result,
		   ProbeInsideResult *inside, ProbeError *error)
{
	Progress	progress = {
		.terminal = isatty(STDERR_FILENO) == 1,
		.file_size = args->options.file_size,
	};
	ProbeCallbacks callbacks = {
		.keep_going = keep_going,
		.progress = show_progress,
		.reserved = show_reserved,
		.arg = &progress,
	};
	bool		good;

	handle_signals(note_signal);
	good = args->action == PROBE_ACTION_INSIDE
		? ssdpar_probe_inside_file(args->directory, &args->options,
								   &callbacks, inside, error)
		: ssdpar_probe_run(args->directory, &args->options, &callbacks,
						   result, error);
	handle_signals(SIG_DFL);
	if (progress.terminal)
		fputs("\r\033[K", stderr);

	/* consider a signal after the engine's last call */
	if (!good || probe_signal == 0)
		return good;
	ssdpar_probe_error(error, PROBE_CANCELLED,
					   "the measurement was cancelled");
	ssdpar_probe_detail(error, "Nothing is kept.");
	return false;
}

/* A full disk is detected only here; half a profile must not look complete. */
static bool
flush_stdout(ProbeError *error)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	ssdpar_probe_error(error, PROBE_IO_FAILED,
					   "could not write the result: %s", strerror(errno));
	ssdpar_probe_detail(error, "The printed result is not complete.");
	ssdpar_probe_hint(error, "Check where standard output goes.");
	return false;
}

static bool
lost(ProbeError *error, const char *what)
{
	ssdpar_probe_error(error, PROBE_NO_MEMORY, "out of memory");
	ssdpar_probe_detail(error, "The measured %s is lost.", what);
	ssdpar_probe_hint(error, "Free memory and try again.");
	return false;
}

/*
 * Prints before storing, so the result is not lost if the database has gone,
 * and ssdpar.store_profile() can still create a profile from --json's output.
 */
static bool
deliver(const ProbeArgs *args, ProbeStore *store, const ProbeResult *result,
		ProbeError *error)
{
	char	   *json = ssdpar_probe_json(&args->options, result, time(NULL));
	bool		good;

	if (json == NULL)
		return lost(error, "profile");
	if (args->json)
		fputs(json, stdout);
	else
		ssdpar_probe_report(stdout, &args->options, result);
	good = flush_stdout(error);
	if (good && store != NULL)
	{
		good = ssdpar_probe_store_save(store, json, error);
		if (good)
			fprintf(stderr,
					"ssdpar-probe: kept as the profile of tablespace %s\n",
					ssdpar_probe_store_tablespace(store));
	}
	free(json);
	return good;
}

static bool
measure_and_deliver(const ProbeArgs *args, ProbeStore *store,
					ProbeError *error)
{
	ProbeResult result;
	bool		good;

	good = run_caught(args, &result, NULL, error) &&
		deliver(args, store, &result, error);
	ssdpar_probe_free(&result);
	return good;
}

static bool
run(const ProbeArgs *args, ProbeError *error)
{
	ProbeStore *store = NULL;
	bool		good;

	/* first, to find out before measuring whether it can be stored */
	if (args->store != NULL)
	{
		store = ssdpar_probe_store_open(args->store, args->directory,
										args->tablespace, error);
		if (store == NULL)
			return false;
	}
	good = measure_and_deliver(args, store, error);
	if (store != NULL)
		ssdpar_probe_store_close(store);
	return good;
}

static bool
run_inside(const ProbeArgs *args, ProbeError *error)
{
	ProbeInsideResult result;
	char	   *json;

	if (!run_caught(args, NULL, &result, error))
		return false;
	if (strncmp(result.device.file_system, "fuse", 4) == 0)
		fputs("ssdpar-probe: this is a FUSE file system: what shows may be "
			  "its own doing, not a device's\n", stderr);
	if (!args->json)
	{
		ssdpar_probe_report_inside(stdout, &result);
		return flush_stdout(error);
	}
	json = ssdpar_probe_inside_json(&result, time(NULL));
	if (json == NULL)
		return lost(error, "pattern");
	fputs(json, stdout);
	free(json);
	return flush_stdout(error);
}

int
main(int argc, char **argv)
{
	ProbeArgs	args;
	ProbeError	error;

	if (!ssdpar_probe_parse_args(argc, argv, &args, &error))
		return report_error(&error);
	if (args.action == PROBE_ACTION_HELP)
		ssdpar_probe_print_help();
	else if (args.action == PROBE_ACTION_VERSION)
		puts("ssdpar-probe " SSDPAR_PROBE_VERSION);
	if (args.action == PROBE_ACTION_HELP || args.action == PROBE_ACTION_VERSION)
		return flush_stdout(&error) ? 0 : report_error(&error);

	/* a closed pipe or a file limit is an error and must not kill us */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (args.action == PROBE_ACTION_INSIDE)
		return run_inside(&args, &error) ? 0 : report_error(&error);
	return run(&args, &error) ? 0 : report_error(&error);
}
