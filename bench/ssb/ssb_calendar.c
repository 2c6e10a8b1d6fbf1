/*
 * ssb_calendar.c
 *		Computes a row of the date table from its day number.
 *
 * Seasons and holidays are those of the reference tool.  If that tool deviates
 * from the specification by mistake (weekdays one day late, the misspelt
 * months, weeks of the year that begin on its day 7), this follows the
 * specification; docs/internals/benchmarks.md lists the differences.
 */
#include "ssb_calendar.h"

/* 1992-01-01 was a Wednesday; Sunday counts 0 here. */
#define FIRST_WEEKDAY 3

static const struct
{
	int			month;
	int			day;
}			holidays[] = {
	{1, 1}, {2, 20}, {4, 20}, {5, 20}, {7, 20},
	{8, 20}, {9, 20}, {10, 20}, {11, 20}, {12, 24},
};

bool
ssb_is_leap(int year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int
ssb_days_in_month(int year, int month)
{
	static const uint8_t days[12] = {
		31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
	};

	return days[month - 1] + (month == 2 && ssb_is_leap(year));
}

static SsbWord
season_of(int month)
{
	static const SsbWord winter = {"Winter", 6};
	static const SsbWord spring = {"Spring", 6};
	static const SsbWord summer = {"Summer", 6};
	static const SsbWord fall = {"Fall", 4};
	static const SsbWord christmas = {"Christmas", 9};

	if (month <= 3)
		return winter;
	if (month == 4)
		return spring;
	if (month <= 8)
		return summer;
	if (month <= 10)
		return fall;
	return christmas;
}

static bool
is_holiday(int month, int day)
{
	for (unsigned i = 0; i < sizeof(holidays) / sizeof(holidays[0]); i++)
	{
		if (holidays[i].month == month && holidays[i].day == day)
			return true;
	}
	return false;
}

/* Splits a day number into year, day of the year, month and day. */
static void
civil_date(int number, SsbDay *day)
{
	int			rest = number;

	day->year = SSB_FIRST_YEAR;
	while (rest >= 365 + ssb_is_leap(day->year))
		rest -= 365 + ssb_is_leap(day->year++);
	day->yearday = rest + 1;
	day->month = 1;
	while (rest >= ssb_days_in_month(day->year, day->month))
		rest -= ssb_days_in_month(day->year, day->month++);
	day->day = rest + 1;
}

void
ssb_make_day(int number, SsbDay *day)
{
	civil_date(number, day);
	day->datekey = day->year * 10000 + day->month * 100 + day->day;
	day->weekday = (number + FIRST_WEEKDAY) % 7 + 1;
	day->week = (day->yearday - 1) / 7 + 1;
	day->season = season_of(day->month);
	day->last_in_week = day->weekday == 7;
	day->last_in_month =
		day->day == ssb_days_in_month(day->year, day->month);
	day->holiday = is_holiday(day->month, day->day);
	day->workday = day->weekday != 1 && day->weekday != 7;
}
