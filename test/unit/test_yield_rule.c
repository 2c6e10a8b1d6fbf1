/*
 * test_yield_rule.c
 *		Unit tests of src/prefetch/yield_rule.c: how far prefetching falls back
 *		while a process waits for a write, and how it recovers.
 *
 * links: src/prefetch/yield_rule.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prefetch/yield_rule.h"

#define LEAST 25.0

static SsdparYield yield;

static int
begin(void **state)
{
	SsdparYield none = {.calm = SSDPAR_YIELD_FREE};

	(void) state;
	yield = none;
	return 0;
}

static void
sample(int times, bool waits, bool stalls)
{
	while (times-- > 0)
		yield = ssdpar_yield_step(yield, waits, stalls);
}

static uint32_t
allowed(void)
{
	return ssdpar_yield_allows(yield, LEAST);
}

static void
nothing_is_bounded_without_writes(void **state)
{
	(void) state;
	assert_int_equal(allowed(), UINT32_MAX);
	sample(1000, false, false);
	assert_int_equal(allowed(), UINT32_MAX);
}

static void
one_wait_is_enough(void **state)
{
	(void) state;
	sample(1, true, false);
	assert_int_equal(allowed(), 25);
	sample(1000, true, false);
	assert_int_equal(allowed(), 25);
}

static void
what_comes_back_doubles_after_a_while(void **state)
{
	(void) state;
	sample(1, true, false);
	sample(SSDPAR_YIELD_HOLD, false, false);
	assert_int_equal(allowed(), 25);
	for (int i = 1; i < SSDPAR_YIELD_STEPS; i++)
	{
		sample(1, false, false);
		assert_int_equal(allowed(), 25 << i);
	}
	sample(1, false, false);
	assert_int_equal(allowed(), UINT32_MAX);
}

static void
a_wait_on_the_way_up_starts_it_anew(void **state)
{
	(void) state;
	sample(1, true, false);
	sample(SSDPAR_YIELD_HOLD + 3, false, false);
	assert_int_equal(allowed(), 200);
	sample(1, true, false);
	assert_int_equal(allowed(), 25);
	sample(SSDPAR_YIELD_HOLD, false, false);
	assert_int_equal(allowed(), 25);
}

static void
a_log_that_stands_still_gets_more_room(void **state)
{
	(void) state;
	sample(SSDPAR_YIELD_STALL, true, true);
	assert_int_equal(allowed(), 12);
	sample(SSDPAR_YIELD_STALL, true, true);
	assert_int_equal(allowed(), 6);
	sample(1, true, false);
	assert_int_equal(allowed(), 25);
}

/* Whatever writers do, a reader is one page ahead. */
static void
a_page_is_always_allowed(void **state)
{
	(void) state;
	sample(100000, true, true);
	assert_int_equal(allowed(), 1);
	assert_int_equal(ssdpar_yield_allows(yield, 0.0), 1);
	sample(SSDPAR_YIELD_FREE, false, false);
	assert_int_equal(allowed(), UINT32_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(nothing_is_bounded_without_writes, begin),
		cmocka_unit_test_setup(one_wait_is_enough, begin),
		cmocka_unit_test_setup(what_comes_back_doubles_after_a_while, begin),
		cmocka_unit_test_setup(a_wait_on_the_way_up_starts_it_anew, begin),
		cmocka_unit_test_setup(a_log_that_stands_still_gets_more_room, begin),
		cmocka_unit_test_setup(a_page_is_always_allowed, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
