/*
 * bad_pread.c
 *		Simulates a failing device, through LD_PRELOAD into ssdpard
 *		--method=threads.
 *
 * Reads in the second MB of a file fail with EIO, and reads in the third MB
 * return half of what was requested.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t
pread(int fd, void *buffer, size_t length, off_t offset)
{
	ssize_t		(*real) (int, void *, size_t, off_t) =
		(ssize_t (*) (int, void *, size_t, off_t)) dlsym(RTLD_NEXT, "pread");

	if (offset >> 20 == 1)
	{
		errno = EIO;
		return -1;
	}
	return real(fd, buffer, offset >> 20 == 2 ? length / 2 : length, offset);
}
