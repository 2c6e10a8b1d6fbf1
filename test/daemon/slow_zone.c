/*
 * slow_zone.c
 *		A device that takes 20 ms for reads of the third and fourth megabyte of
 *		a file, as if it collected garbage there: for LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/types.h>
#include <time.h>

ssize_t
pread64(int fd, void *buffer, size_t size, off64_t offset)
{
	static ssize_t (*next) (int, void *, size_t, off64_t);
	const struct timespec collecting = {0, 20000000};

	if (next == NULL)
		next = (ssize_t (*) (int, void *, size_t, off64_t))
			dlsym(RTLD_NEXT, "pread64");
	if (offset >> 21 == 1)
		nanosleep(&collecting, NULL);
	return next(fd, buffer, size, offset);
}

ssize_t
pread(int fd, void *buffer, size_t size, off_t offset)
{
	return pread64(fd, buffer, size, offset);
}
