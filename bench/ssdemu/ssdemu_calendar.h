/*
 * ssdemu_calendar.h
 *		When a resource of the device that serves one thing at a time is busy.
 *
 * Times are nanoseconds of whatever clock the caller uses; there is no clock
 * in here.  A reservation takes the first gap that is long enough, so that a
 * request which is ready early need not wait behind one that was submitted
 * before it but becomes ready later.
 */
#ifndef SSDEMU_CALENDAR_H
#define SSDEMU_CALENDAR_H

#include <stdint.h>

#define SSDEMU_CALENDAR_SPANS 512

typedef struct SsdemuSpan
{
	int64_t		start;
	int64_t		end;
} SsdemuSpan;

/*
 * Invariant: spans are in order, none is empty, and between two of them there
 * is a gap (spans that touch are joined).
 */
typedef struct SsdemuCalendar
{
	int			nspans;
	int64_t		busy;			/* sum of all reservations ever made */
	SsdemuSpan	spans[SSDEMU_CALENDAR_SPANS];
} SsdemuCalendar;

/* Forget what ended before NOW; nothing may be reserved before it any more. */
extern void ssdemu_calendar_forget(SsdemuCalendar *calendar, int64_t now);

/*
 * Reserve DURATION (not negative) at READY or as soon after as it fits; gives
 * the end.
 */
extern int64_t ssdemu_calendar_reserve(SsdemuCalendar *calendar,
									   int64_t ready, int64_t duration);

/* When the last reservation ends; 0 when there is none. */
extern int64_t ssdemu_calendar_end(const SsdemuCalendar *calendar);

#endif							/* SSDEMU_CALENDAR_H */
