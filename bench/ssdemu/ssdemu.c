/*
 * ssdemu.c
 *		main: arguments, becoming a background process, messages.
 *
 * Exit status: 0 ended as requested (in the background: mounted), 1 could not
 * be mounted, 2 wrong usage.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench/ssdsim/ssdsim_shipped.h"
#include "ssdemu_mount.h"

static int
complain(const SsdsimError *error, int status)
{
	fprintf(stderr, "ssdemu: %s\n", error->text);
	return status;
}

/* Detaches from the terminal and pipes of the caller. */
static void
let_go_of_caller(void)
{
	int			nothing = open("/dev/null", O_RDWR);

	for (int fd = 0; nothing >= 0 && fd <= 2; fd++)
		dup2(nothing, fd);
	if (nothing > 2)
		close(nothing);
}

/* The child's part; its message goes to the parent, which prints it. */
static int
run_in_background(const SsdemuArgs *args, int to_parent)
{
	SsdsimError error = {""};

	setsid();
	let_go_of_caller();
	if (ssdemu_mount_run(args, to_parent, &error))
		return 0;
	if (write(to_parent, error.text, strlen(error.text)) < 0)
		return 2;
	return 1;
}

/* Waits for "R", or for an error message. */
static int
wait_for_child(int from_child)
{
	SsdsimError error = {""};
	size_t		length = 0;
	ssize_t		got;

	while (length < sizeof(error.text) - 1 &&
		   ((got = read(from_child, error.text + length,
						sizeof(error.text) - 1 - length)) > 0 ||
			(got < 0 && errno == EINTR)))
		length += got > 0 ? (size_t) got : 0;
	if (strcmp(error.text, "R") == 0)
		return 0;
	if (length == 0)
		ssdsim_fail(&error, "ended before it was mounted. Run it without "
					"--background to see why.");
	return complain(&error, 1);
}

static int
go_into_background(const SsdemuArgs *args)
{
	SsdsimError error;
	int			pipes[2];
	pid_t		child = -1;

	if (pipe2(pipes, O_CLOEXEC) == 0)
		child = fork();
	if (child < 0)
	{
		ssdsim_fail(&error, "could not go into the background: %s. Nothing "
					"is mounted.", strerror(errno));
		return complain(&error, 1);
	}
	if (child == 0)
	{
		close(pipes[0]);
		return run_in_background(args, pipes[1]);
	}
	close(pipes[1]);
	return wait_for_child(pipes[0]);
}

/* 0, unless the output could not be written. */
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

	return ssdsim_shipped_print(SSDSIM_DEVICES, "", stdout, &error) ? end() :
		complain(&error, 2);
}

static int
run(const SsdemuArgs *args)
{
	SsdsimError error;

	if (args->background)
		return go_into_background(args);
	return ssdemu_mount_run(args, -1, &error) ? 0 : complain(&error, 1);
}

/*
 * Each file that was looked up keeps a descriptor, and a database cluster has
 * more of them than the usual soft limit of 1024.
 */
static void
raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
		limit.rlim_cur < limit.rlim_max)
	{
		limit.rlim_cur = limit.rlim_max;
		(void) setrlimit(RLIMIT_NOFILE, &limit);
	}
}

int
main(int argc, char **argv)
{
	SsdemuArgs	args;
	SsdsimError error;

	if (!ssdemu_args_parse(argc, argv, SSDSIM_DEVICES, &args, &error))
		return complain(&error, 2);
	switch (args.action)
	{
		case SSDEMU_HELP:
			ssdemu_args_help();
			return end();
		case SSDEMU_VERSION_ONLY:
			puts("ssdemu " SSDEMU_VERSION);
			return end();
		case SSDEMU_LIST:
			return list();
		case SSDEMU_RUN:
			break;
	}
	raise_descriptor_limit();
	return run(&args);
}
