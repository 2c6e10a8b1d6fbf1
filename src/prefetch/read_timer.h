/*
 * read_timer.h
 *		How often, and how long, a reader has waited for the device.
 *
 * The clock is looked at only where the page before was not in shared buffers:
 * never while all of them are.
 */
#ifndef SSDPAR_READ_TIMER_H
#define SSDPAR_READ_TIMER_H

#include "executor/instrument.h"
#include "portability/instr_time.h"

#include "prefetch/read_distance.h"

typedef struct SsdparReadWaits
{
	uint64		waits;			/* reads that took longer than a copy */
	uint64		microseconds;	/* of these */
} SsdparReadWaits;

/* One read at a time; zeroed to begin with. */
typedef struct SsdparReadTimer
{
	bool		missed;			/* was the page before not in shared buffers? */
	bool		timed;
	int64		reads;
	instr_time	start;
} SsdparReadTimer;

/* Pages that were not in shared buffers, of this process, so far. */
static inline int64
ssdpar_pages_read(void)
{
	return pgBufferUsage.shared_blks_read + pgBufferUsage.local_blks_read;
}

/* A page is going to be read. */
static inline void
ssdpar_read_timer_start(SsdparReadTimer *timer)
{
	timer->reads = ssdpar_pages_read();
	timer->timed = timer->missed;
	if (timer->timed)
		INSTR_TIME_SET_CURRENT(timer->start);
}

/* It has been read. */
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
