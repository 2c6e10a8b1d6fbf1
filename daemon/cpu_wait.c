/*
 * cpu_wait.c
 *		How long this thread has been runnable without having a CPU.
 *
 * The daemon measures a read's latency when it sees the completion.  On a busy
 * machine this says more about the CPUs than about the device, and the
 * scheduler must distinguish the two (scheduler_policy.c).
 */
#include "cpu_wait.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t
ssdpard_cpu_wait(void)
{
	/* -2: not opened yet, -1: kernel without CONFIG_SCHED_INFO */
	static int	fd = -2;
	char		text[128];
	ssize_t		length;
	char	   *second;

	if (fd == -2)
		fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	length = pread(fd, text, sizeof(text) - 1, 0);
	if (length <= 0)
		return 0;
	text[length] = '\0';

	/*
	 * Three numbers (Documentation/scheduler/sched-stats.rst): nanoseconds on
	 * a CPU, nanoseconds waiting for one, time slices.
	 */
	second = strchr(text, ' ');
	return second == NULL ? 0 : strtoull(second, NULL, 10) / 1000;
}
