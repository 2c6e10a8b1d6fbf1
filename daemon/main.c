/*
 * main.c
 *		ssdpard: reads ahead for PostgreSQL, into the page cache.
 *
 * It stays in the foreground and logs to stderr; the process that starts it
 * (systemd, the extension's supervisor, a shell) keeps it running.  Exit
 * codes: 0 stopped as requested, 1 could not start or stop, 2 wrong settings.
 */
#include <errno.h>
#include <signal.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "server.h"

#define VERSION "1.0"

/* Differs from EXIT_FAILURE, so that a script can tell who has to act. */
#define EXIT_BAD_SETTINGS 2

/* The only server of this process; too large for a stack. */
static SsdpardServer ssdpard_server;

/*
 * If one of the three standard descriptors were closed, a socket could get its
 * number, and the log would go to a client.
 */
static void
open_standard_descriptors(void)
{
	int			fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

/*
 * Reports readiness by systemd's protocol, and by a byte to FD unless it is
 * -1.
 */
static bool
tell_ready(int fd)
{
	ssdpard_notify("READY=1");
	if (fd < 0)
		return true;
	if (write(fd, "\n", 1) != 1)
	{
		ssdpard_log(SSDPARD_LOG_ERROR, "could not write to the descriptor %d "
					"of --ready-fd: %s; give one that is open for writing",
					fd, strerror(errno));
		return false;
	}
	if (fd > STDERR_FILENO)
		close(fd);
	return true;
}

static int
run(const SsdpardCommand *command, const SsdpardOptions *options)
{
	char		problem[SSDPARD_PROBLEM];
	bool		told;

	ssdpard_server.options = *options;
	ssdpard_log_level((SsdpardLevel) options->log_level);

	/* now, because later we may have opened a descriptor with this number */
	if (command->ready_fd >= 0 && fcntl(command->ready_fd, F_GETFD) < 0)
	{
		ssdpard_log(SSDPARD_LOG_ERROR, "the descriptor %d of --ready-fd is "
					"not open; give one that is open for writing",
					command->ready_fd);
		return EXIT_BAD_SETTINGS;
	}
	if (!ssdpard_server_start(&ssdpard_server, command->parent_fd, problem))
	{
		ssdpard_log(SSDPARD_LOG_ERROR, "%s", problem);
		return EXIT_FAILURE;
	}
	told = tell_ready(command->ready_fd);
	if (told)
		ssdpard_log(SSDPARD_LOG_INFO, "ready, reading with %s",
					ssdpard_server.state.reader->method->name);
	else
		raise(SIGTERM);			/* blocked: the loop reads it in its first
								 * turn */
	return ssdpard_server_run(&ssdpard_server, command) && told ?
		EXIT_SUCCESS : EXIT_FAILURE;
}

int
main(int argc, char **argv)
{
	SsdpardCommand command;
	SsdpardOptions options;
	char		problem[SSDPARD_PROBLEM];

	open_standard_descriptors();
	if (!ssdpard_options_parse(argc, argv, &command, &options, problem))
	{
		ssdpard_log(SSDPARD_LOG_ERROR, "%s", problem);
		return EXIT_BAD_SETTINGS;
	}
	switch (command.action)
	{
		case SSDPARD_HELP:
			ssdpard_options_help();
			return EXIT_SUCCESS;
		case SSDPARD_VERSION:
			puts("ssdpard (ssdpar) " VERSION);
			return EXIT_SUCCESS;
		case SSDPARD_CHECK_CONFIG:
			puts("ssdpard: the settings are good");
			return EXIT_SUCCESS;
		case SSDPARD_RUN:
			break;
	}
	return run(&command, &options);
}
