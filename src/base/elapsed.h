/*
 * elapsed.h
 *		Measures elapsed time even if the clock is set.
 */
#ifndef SSDPAR_ELAPSED_H
#define SSDPAR_ELAPSED_H

#include "portability/instr_time.h"
#include "utils/timestamp.h"

/*
 * Is SINCE (0: never) more than MS ago?  If the clock was set back, the answer
 * is yes; otherwise cached values would be used until the clock catches up.
 */
static inline bool
ssdpar_is_past(TimestampTz since, TimestampTz now, int ms)
{
	return since == 0 || since > now ||
		TimestampDifferenceExceeds(since, now, ms);
}

/*
 * Microseconds of a clock that cannot be set, shared by this machine's
 * processes.
 */
static inline int64
ssdpar_monotonic_us(void)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	return (int64) INSTR_TIME_GET_MICROSEC(now);
}

#endif							/* SSDPAR_ELAPSED_H */
