/*
 * log_fadvise.c
 *		Logs the read-ahead requests of a process to the kernel, through
 *		LD_PRELOAD.
 *
 * Appends "PATH OFFSET LENGTH" to the file named in FADVISE_LOG, one line per
 * POSIX_FADV_WILLNEED.  The advice is still given.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void
write_line(int fd, off_t offset, off_t length)
{
	const char *log = getenv("FADVISE_LOG");
	char		link[64];
	char		path[PATH_MAX];
	ssize_t		size;
	int			out;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, path, sizeof(path));
	if (log == NULL || size <= 0)
		return;
	out = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (out < 0)
		return;
	/* one write per line, because several processes append */
	dprintf(out, "%.*s %lld %lld\n", (int) size, path, (long long) offset,
			(long long) length);
	close(out);
}

int
posix_fadvise(int fd, off_t offset, off_t length, int advice)
{
	int			(*real) (int, off_t, off_t, int) =
		(int (*) (int, off_t, off_t, int)) dlsym(RTLD_NEXT, "posix_fadvise");

	if (advice == POSIX_FADV_WILLNEED)
		write_line(fd, offset, length);
	return real(fd, offset, length, advice);
}

/* programs built for large files call this, even on 64-bit machines */
int
posix_fadvise64(int fd, off_t offset, off_t length, int advice)
{
	return posix_fadvise(fd, offset, length, advice);
}
