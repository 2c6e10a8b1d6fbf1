/*
 * log_cachestat.c
 *		Logs the page cache queries of a process, through LD_PRELOAD.
 *
 * Appends "OFFSET LENGTH" to the file named in CACHESTAT_LOG, one line per
 * cachestat().  The call is still made, unless NO_CACHESTAT is set: then it
 * fails as before Linux 6.5.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CACHESTAT 451
#define MOST_ARGUMENTS 6

static void
write_line(const uint64_t *range)
{
	const char *log = getenv("CACHESTAT_LOG");
	int			out = log == NULL ? -1 :
		open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (out < 0)
		return;
	dprintf(out, "%llu %llu\n", (unsigned long long) range[0],
			(unsigned long long) range[1]);
	close(out);
}

long
syscall(long number, ...)
{
	long		(*real) (long, ...) =
		(long (*) (long, ...)) dlsym(RTLD_NEXT, "syscall");
	long		argument[MOST_ARGUMENTS];
	va_list		arguments;

	/* as libc does, no matter how many there are */
	va_start(arguments, number);
	for (int i = 0; i < MOST_ARGUMENTS; i++)
		argument[i] = va_arg(arguments, long);
	va_end(arguments);
	if (number == CACHESTAT)
		write_line((const uint64_t *) argument[1]);
	if (number == CACHESTAT && getenv("NO_CACHESTAT") != NULL)
	{
		errno = ENOSYS;
		return -1;
	}
	return real(number, argument[0], argument[1], argument[2], argument[3],
				argument[4], argument[5]);
}
