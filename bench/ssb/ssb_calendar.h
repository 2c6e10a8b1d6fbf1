/*
 * ssb_calendar.h
 *		The days of the date table, computed only from their number: no
 *		localtime, so no time zone can shift them.
 */
#ifndef SSB_CALENDAR_H
#define SSB_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "ssb_words.h"

#define SSB_FIRST_YEAR 1992

typedef struct SsbDay
{
	int32_t		datekey;		/* yyyymmdd */
	int			year;
	int			month;			/* 1 .. 12 */
	int			day;			/* 1 .. 31 */
	int			weekday;		/* 1 (Sunday) .. 7 (Saturday) */
	int			yearday;		/* 1 .. 366 */
	int			week;			/* 1 .. 53; week 1 is January 1 to 7 */
	SsbWord		season;
	bool		last_in_week;	/* Saturday */
	bool		last_in_month;
	bool		holiday;
	bool		workday;		/* Monday to Friday */
} SsbDay;

extern bool ssb_is_leap(int year);
extern int	ssb_days_in_month(int year, int month);

/* Day number 0 is 1992-01-01. */
extern void ssb_make_day(int number, SsbDay *day);

#endif							/* SSB_CALENDAR_H */
