/*
 * elapsed.h
 *		How much time has passed, whatever is done to the clock meanwhile.
 */
#ifndef SSDPAR_ELAPSED_H
#define SSDPAR_ELAPSED_H

#include "portability/instr_time.h"
#include "utils/timestamp.h"

/*
 * Is SINCE (0: never) more than MS ago?  A clock that was set back makes all of
 * it long ago: what was remembered would else be believed until the clock is
 * where it was.
 */
static inline bool
ssdpar_is_past(TimestampTz since, TimestampTz now, int ms)
{
	return since == 0 || since > now ||
		TimestampDifferenceExceeds(since, now, ms);
}

/* Microseconds of a clock that nobody sets; for this machine's processes. */
static inline int64
ssdpar_monotonic_us(void)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	return (int64) INSTR_TIME_GET_MICROSEC(now);
}

#endif							/* SSDPAR_ELAPSED_H */
