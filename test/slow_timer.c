/*
 * slow_timer.c
 *		Makes timers fifty times slower, through LD_PRELOAD under callgrind,
 *		which executes instructions about that much slower.
 *
 * So the work that a process does when a timer fires has about the same share
 * of its instructions as without callgrind, no matter how busy the machine is.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define SLOWER 50

static void
slow_down(struct timeval *time)
{
	long long	microseconds = SLOWER *
		(time->tv_sec * 1000000LL + time->tv_usec);

	time->tv_sec = microseconds / 1000000;
	time->tv_usec = microseconds % 1000000;
}

int
setitimer(__itimer_which_t which, const struct itimerval *value,
		  struct itimerval *before)
{
	struct itimerval slow = *value;

	slow_down(&slow.it_value);
	slow_down(&slow.it_interval);
	return syscall(SYS_setitimer, which, &slow, before);
}
