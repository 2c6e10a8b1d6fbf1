/*
 * clock_back.c
 *		A clock that is set back by thirty days: for LD_PRELOAD.
 *
 * From the moment on that there is a file of the name in CLOCK_BACK.  Clocks
 * that nobody can set stay as they are.
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
