/*
 * test_ssdemu_calendar.c
 *		Reservations take the first gap that fits, never overlap, and a full
 *		window opens when its first occupant leaves.
 *
 * links: bench/ssdemu/ssdemu_calendar.c bench/ssdemu/ssdemu_window.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "ssdemu_calendar.h"
#include "ssdemu_window.h"

static void
test_first_gap(void **state)
{
	SsdemuCalendar calendar = {0};

	(void) state;
	assert_int_equal(ssdemu_calendar_reserve(&calendar, 10, 5), 15);
	assert_int_equal(ssdemu_calendar_reserve(&calendar, 30, 5), 35);
	/* fits between the two */
	assert_int_equal(ssdemu_calendar_reserve(&calendar, 12, 10), 25);
	/* does not fit into the 5 that are left there */
	assert_int_equal(ssdemu_calendar_reserve(&calendar, 0, 11), 46);
	assert_int_equal(ssdemu_calendar_reserve(&calendar, 0, 10), 10);
	assert_int_equal(ssdemu_calendar_reserve(&calendar, 0, 5), 30);
	/* everything from 0 to 46 is taken now, in one piece */
	assert_int_equal(calendar.nspans, 1);
	assert_int_equal(ssdemu_calendar_reserve(&calendar, 3, 0), 3);
	assert_int_equal(ssdemu_calendar_end(&calendar), 46);
	assert_int_equal(calendar.busy, 46);
}

static void
test_forget(void **state)
{
	SsdemuCalendar calendar = {0};

	(void) state;
	for (int64_t i = 0; i < 10; i++)
		ssdemu_calendar_reserve(&calendar, i * 10, 5);
	ssdemu_calendar_forget(&calendar, 45);
	assert_int_equal(calendar.nspans, 5);
	assert_int_equal(calendar.spans[0].start, 50);
	ssdemu_calendar_forget(&calendar, 1000);
	assert_int_equal(ssdemu_calendar_end(&calendar), 0);
	assert_int_equal(calendar.busy, 50);
}

static void
check_order(const SsdemuCalendar *calendar)
{
	assert_true(calendar->nspans <= SSDEMU_CALENDAR_SPANS);
	for (int i = 0; i < calendar->nspans; i++)
	{
		assert_true(calendar->spans[i].start < calendar->spans[i].end);
		if (i > 0)
			assert_true(calendar->spans[i - 1].end <
						calendar->spans[i].start);
	}
}

/* More gaps than there is room for: still in order, still no overlap. */
static void
test_more_than_fits(void **state)
{
	SsdemuCalendar calendar = {0};
	uint32_t	chance = 1;

	(void) state;
	for (int i = 0; i < 20000; i++)
	{
		int64_t		ready;

		chance = chance * 1664525 + 1013904223;
		ready = chance >> 12;
		assert_true(ssdemu_calendar_reserve(&calendar, ready, 3) >=
					ready + 3);
		check_order(&calendar);
	}
	assert_true(calendar.nspans > SSDEMU_CALENDAR_SPANS * 9 / 10);
}

static void
test_window(void **state)
{
	SsdemuWindow *window = calloc(1, sizeof(*window));

	(void) state;
	window->limit = 2;
	assert_int_equal(ssdemu_window_enter(window, 7), 7);
	ssdemu_window_add(window, 30);
	assert_int_equal(ssdemu_window_enter(window, 7), 7);
	ssdemu_window_add(window, 20);
	assert_int_equal(ssdemu_window_enter(window, 7), 20);
	assert_int_equal(ssdemu_window_inside(window, 7), 2);
	assert_int_equal(ssdemu_window_inside(window, 25), 1);
	/* one that waits for 20 and leaves at 50: then 30 is next */
	ssdemu_window_add(window, 50);
	assert_int_equal(ssdemu_window_enter(window, 7), 30);
	ssdemu_window_add(window, 40);
	assert_int_equal(ssdemu_window_enter(window, 7), 40);
	assert_int_equal(ssdemu_window_enter(window, 45), 45);
	free(window);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_gap),
		cmocka_unit_test(test_forget),
		cmocka_unit_test(test_more_than_fits),
		cmocka_unit_test(test_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
