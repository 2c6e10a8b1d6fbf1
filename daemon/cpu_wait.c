/*
 * cpu_wait.c
 *		How long this process has been ready to run, and was not let to.
 *
 * What the daemon sees of a read is when it gets to look at it.  On a busy
 * machine that says more about the CPUs than about the device.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server.h"

uint64_t
ssdpard_cpu_wait(void)
{
	static int fd = -2;			/* -1: the kernel does not tell */
	char text[128];
	ssize_t length;
	char *second;

	if (fd == -2)
		fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	length = pread(fd, text, sizeof(text) - 1, 0);
	if (length <= 0)
		return 0;
	text[length] = '\0';
	/* nanoseconds that it ran, that it waited, and how often */
	second = strchr(text, ' ');
	return second == NULL ? 0 : strtoull(second, NULL, 10) / 1000;
}
