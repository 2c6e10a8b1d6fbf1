/*
 * clock.c
 *		The daemon's clock.
 *
 * CLOCK_MONOTONIC is used because deadlines and latencies must not jump when
 * the wall clock is set.  The vDSO reads it without a system call.
 */
#include "clock.h"

#include <time.h>

uint64_t
ssdpard_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}
