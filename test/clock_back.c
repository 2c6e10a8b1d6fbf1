/*
 * clock_back.c
 *		Sets a process's clock back by thirty days, through LD_PRELOAD.
 *
 * It starts to do so when the file named in CLOCK_BACK exists.  Monotonic
 * clocks are not changed.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define BACK (30L * 24 * 60 * 60)

static long
back(void)
{
	const char *name = getenv("CLOCK_BACK");

	return name != NULL && access(name, F_OK) == 0 ? BACK : 0;
}

int
clock_gettime(clockid_t clock, struct timespec *time)
{
	int			result = (int) syscall(SYS_clock_gettime, clock, time);

	if (result == 0 && clock == CLOCK_REALTIME)
		time->tv_sec -= back();
	return result;
}

int
gettimeofday(struct timeval *time, void *zone)
{
	int			result = (int) syscall(SYS_gettimeofday, time, zone);

	if (result == 0)
		time->tv_sec -= back();
	return result;
}
