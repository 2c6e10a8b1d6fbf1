/*
 * log.c
 *		Messages of the daemon, one line per event, on stderr.
 *
 * Each line is written immediately, with one write.  A reader that does not
 * empty our stderr must not be able to stop the daemon, so a message that does
 * not fit into a full pipe is lost.
 */
#include "log.h"

#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE 1024

static SsdpardLevel ssdpard_level = SSDPARD_LOG_INFO;

void
ssdpard_log_level(SsdpardLevel level)
{
	ssdpard_level = level;
}

/* Uses poll because stderr is shared and so must not be made non-blocking. */
static void
write_line(const char *line, size_t length)
{
	struct pollfd ready = {.fd = STDERR_FILENO, .events = POLLOUT};

	if (poll(&ready, 1, 0) == 1 && write(STDERR_FILENO, line, length) < 0)
		return;					/* there is nowhere to report it */
}

/*
 * Is stderr connected to the journal, which expects a priority before each
 * line?  Processes that write elsewhere, such as to the server's log, inherit
 * the variable too, so it contains the stream's identity (systemd.exec(5)).
 */
static bool
is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	struct stat status;
	uintmax_t	device;
	uintmax_t	inode;

	return stream != NULL &&
		sscanf(stream, "%ju:%ju", &device, &inode) == 2 &&
		fstat(STDERR_FILENO, &status) == 0 &&
		status.st_dev == device && status.st_ino == inode;
}

void
ssdpard_log(SsdpardLevel level, const char *format, ...)
{
	static const char *const names[] = {"error: ", "warning: ", "", ""};
	static const int priorities[] = {3, 4, 6, 7};
	char		line[LINE];
	int			used;
	va_list		arguments;

	if (level > ssdpard_level)
		return;
	if (is_journal())
		used = snprintf(line, sizeof(line), "<%d>", priorities[level]);
	else
		used = snprintf(line, sizeof(line), "ssdpard: %s", names[level]);
	va_start(arguments, format);
	vsnprintf(line + used, sizeof(line) - (size_t) used - 1, format,
			  arguments);
	va_end(arguments);
	/* keep it on one line, even if a path or a name contains a newline */
	for (char *at = line; *at != '\0'; at++)
		if (*at == '\n')
			*at = ' ';
	strcat(line, "\n");
	write_line(line, strlen(line));
}
