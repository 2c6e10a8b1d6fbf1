/*
 * slow_reads.c
 *		Simulates a device whose reads take 0.2 ms each, unless they were
 *		requested before, through LD_PRELOAD.
 *
 * Reading a page of a table or an index is slow if this process has neither
 * read it nor given POSIX_FADV_WILLNEED for it, so every process starts with
 * an empty page cache.  Appends one line per page to the file named in
 * READS_LOG: "wait PATH BLOCK" for a slow read, "ask PATH BLOCK" for the
 * advice.  The advice is not passed on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define PAGE 8192
#define BITS (1u << 24)

static unsigned char known[BITS / 8];

/* The file's path if its directory belongs to relations. */
static bool
relation_path(int fd, char *path)
{
	char		link[64];
	ssize_t		size;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, path, PATH_MAX - 1);
	if (size <= 0)
		return false;
	path[size] = '\0';
	return strstr(path, "/base/") != NULL;
}

static void
write_line(const char *what, const char *path, long block)
{
	const char *log = getenv("READS_LOG");
	int			out = log == NULL ? -1 :
		open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (out < 0)
		return;
	/* one write per line, because several processes append */
	dprintf(out, "%s %s %ld\n", what, path, block);
	close(out);
}

/* Is the page known?  Afterwards it is. */
static bool
get_to_know(const char *path, long block)
{
	unsigned int hash = 5381;
	bool		before;

	for (const char *p = path; *p != '\0'; p++)
		hash = hash * 33 + (unsigned char) *p;
	hash = (hash + block * 2654435761u) % BITS;
	before = (known[hash / 8] >> (hash % 8)) & 1;
	known[hash / 8] |= 1 << (hash % 8);
	return before;
}

static void
delay(int fd, off_t offset)
{
	struct timespec wait = {0, 200 * 1000};
	char		path[PATH_MAX];
	int			saved = errno;

	if (relation_path(fd, path) && !get_to_know(path, offset / PAGE))
	{
		write_line("wait", path, offset / PAGE);
		while (nanosleep(&wait, &wait) != 0)
			;
	}
	errno = saved;
}

ssize_t
pread(int fd, void *buffer, size_t size, off_t offset)
{
	ssize_t		(*real) (int, void *, size_t, off_t) =
		(ssize_t (*) (int, void *, size_t, off_t)) dlsym(RTLD_NEXT, "pread");

	delay(fd, offset);
	return real(fd, buffer, size, offset);
}

ssize_t
preadv(int fd, const struct iovec *parts, int nparts, off_t offset)
{
	ssize_t		(*real) (int, const struct iovec *, int, off_t) =
		(ssize_t (*) (int, const struct iovec *, int, off_t))
		dlsym(RTLD_NEXT, "preadv");

	delay(fd, offset);
	return real(fd, parts, nparts, offset);
}

int
posix_fadvise(int fd, off_t offset, off_t length, int advice)
{
	char		path[PATH_MAX];

	if (advice != POSIX_FADV_WILLNEED || !relation_path(fd, path))
		return 0;
	for (off_t at = offset; at < offset + length; at += PAGE)
	{
		(void) get_to_know(path, at / PAGE);
		write_line("ask", path, at / PAGE);
	}
	return 0;
}

/* programs built for large files call this, even on 64-bit machines */
ssize_t
pread64(int fd, void *buffer, size_t size, off_t offset)
{
	return pread(fd, buffer, size, offset);
}

ssize_t
preadv64(int fd, const struct iovec *parts, int nparts, off_t offset)
{
	return preadv(fd, parts, nparts, offset);
}

int
posix_fadvise64(int fd, off_t offset, off_t length, int advice)
{
	return posix_fadvise(fd, offset, length, advice);
}
