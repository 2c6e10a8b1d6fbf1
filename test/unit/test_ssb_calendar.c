/*
 * test_ssb_calendar.c
 *		Compares the days of the date table with the C library's UTC calendar
 *		and with days looked up by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "ssb_calendar.h"
#include "ssb_tables.h"

/* 1992-01-01 00:00 UTC */
#define START 694224000

static void
test_against_gmtime(void **state)
{
	(void) state;
	for (int i = 0; i < SSB_DAYS; i++)
	{
		time_t		at = START + (time_t) i * 86400;
		struct tm	tm;
		SsbDay		day;

		assert_non_null(gmtime_r(&at, &tm));
		ssb_make_day(i, &day);
		assert_int_equal(day.year, tm.tm_year + 1900);
		assert_int_equal(day.month, tm.tm_mon + 1);
		assert_int_equal(day.day, tm.tm_mday);
		assert_int_equal(day.weekday, tm.tm_wday + 1);
		assert_int_equal(day.yearday, tm.tm_yday + 1);
		assert_int_equal(day.datekey,
						 day.year * 10000 + day.month * 100 + day.day);
	}
}

static void
test_time_zone_does_not_matter(void **state)
{
	SsbDay		there;
	SsbDay		here;

	(void) state;
	ssb_make_day(100, &here);
	setenv("TZ", "Pacific/Kiritimati", 1);
	tzset();
	ssb_make_day(100, &there);
	unsetenv("TZ");
	tzset();
	assert_int_equal(here.datekey, there.datekey);
}

static void
test_leap_years(void **state)
{
	(void) state;
	assert_true(ssb_is_leap(1992));
	assert_true(ssb_is_leap(1996));
	assert_true(ssb_is_leap(2000));
	assert_false(ssb_is_leap(1900));
	assert_false(ssb_is_leap(1993));
	assert_int_equal(ssb_days_in_month(1992, 2), 29);
	assert_int_equal(ssb_days_in_month(1993, 2), 28);
	assert_int_equal(ssb_days_in_month(1993, 12), 31);
}

static SsbDay
find_day(int32_t datekey)
{
	SsbDay		day;

	for (int i = 0; i < SSB_DAYS; i++)
	{
		ssb_make_day(i, &day);
		if (day.datekey == datekey)
			return day;
	}
	fail_msg("%d is not in the calendar", datekey);
	return day;
}

static void
test_weeks(void **state)
{
	(void) state;
	assert_int_equal(find_day(19940101).week, 1);
	assert_int_equal(find_day(19940107).week, 1);
	assert_int_equal(find_day(19940108).week, 2);
	assert_int_equal(find_day(19940205).week, 6);
	assert_int_equal(find_day(19940211).week, 6);
	assert_int_equal(find_day(19940212).week, 7);
	assert_int_equal(find_day(19931231).week, 53);
	assert_int_equal(find_day(19921230).week, 53);
	assert_int_equal(find_day(19921231).yearday, 366);
}

static void
test_flags(void **state)
{
	SsbDay		leap = find_day(19960229);
	SsbDay		saturday = find_day(19981226);

	(void) state;
	assert_int_equal(leap.weekday, 5);
	assert_true(leap.last_in_month);
	assert_true(leap.workday);
	assert_false(find_day(19960228).last_in_month);
	assert_true(find_day(19970228).last_in_month);
	assert_true(saturday.last_in_week);
	assert_false(saturday.workday);
	assert_true(find_day(19950101).holiday);
	assert_true(find_day(19971224).holiday);
	assert_false(find_day(19971225).holiday);
}

static void
test_seasons(void **state)
{
	(void) state;
	assert_string_equal(find_day(19950331).season.text, "Winter");
	assert_string_equal(find_day(19950401).season.text, "Spring");
	assert_string_equal(find_day(19950501).season.text, "Summer");
	assert_string_equal(find_day(19950901).season.text, "Fall");
	assert_string_equal(find_day(19951101).season.text, "Christmas");
	for (int i = 0; i < SSB_DAYS; i++)
	{
		SsbDay		day;

		ssb_make_day(i, &day);
		assert_int_equal(day.season.length, strlen(day.season.text));
	}
}

static void
test_ends(void **state)
{
	SsbDay		day;

	(void) state;
	ssb_make_day(0, &day);
	assert_int_equal(day.datekey, 19920101);
	assert_int_equal(day.weekday, 4);
	ssb_make_day(SSB_DAYS - 1, &day);
	assert_int_equal(day.datekey, 19981230);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_gmtime),
		cmocka_unit_test(test_time_zone_does_not_matter),
		cmocka_unit_test(test_leap_years),
		cmocka_unit_test(test_weeks),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_seasons),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
