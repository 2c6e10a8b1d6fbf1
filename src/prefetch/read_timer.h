/*
 * read_timer.h
 *		Measures how often and how long a reader has waited for the device.
 *
 * The clock is read only if the previous page was not in shared buffers, so
 * never while all pages are.
 */
#ifndef SSDPAR_READ_TIMER_H
#define SSDPAR_READ_TIMER_H

#include "executor/instrument.h"
#include "portability/instr_time.h"

#include "prefetch/read_distance.h"

typedef struct SsdparReadWaits
{
	uint64		waits;			/* reads that took longer than a copy */
	uint64		microseconds;	/* total time of these */
} SsdparReadWaits;

/* Times one read at a time; initially zero. */
typedef struct SsdparReadTimer
{
	bool		missed;			/* was the previous page not in shared
								 * buffers? */
	bool		timed;
	int64		reads;
	instr_time	start;
} SsdparReadTimer;

/* Number of pages this process has read that were not in shared buffers. */
static inline int64
ssdpar_pages_read(void)
{
	return pgBufferUsage.shared_blks_read + pgBufferUsage.local_blks_read;
}

/* Called before a page is read. */
static inline void
ssdpar_read_timer_start(SsdparReadTimer *timer)
{
	timer->reads = ssdpar_pages_read();
	timer->timed = timer->missed;
	if (timer->timed)
		INSTR_TIME_SET_CURRENT(timer->start);
}

/* Called after it was read. */
static inline void
ssdpar_read_timer_stop(SsdparReadTimer *timer, SsdparReadWaits *waits)
{
	instr_time	now;

	timer->missed = ssdpar_pages_read() != timer->reads;
	if (!timer->timed || !timer->missed)
		return;
	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, timer->start);
	if (INSTR_TIME_GET_MICROSEC(now) <= SSDPAR_WAIT_US)
		return;
	waits->waits++;
	waits->microseconds += INSTR_TIME_GET_MICROSEC(now);
}

#endif							/* SSDPAR_READ_TIMER_H */
