/*
 * test_read_distance.c
 *		Unit tests of src/prefetch/read_distance.c: how far to read ahead.
 *
 * links: src/prefetch/read_distance.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prefetch/read_distance.h"

#define MAX 1024

static SsdparReadDistance distance;

static int
begin(void **state)
{
	(void) state;
	ssdpar_read_distance_init(&distance, MAX);
	return 0;
}

static void
wait_once(void)
{
	ssdpar_read_distance_note(&distance, false, true);
}

static void
read_fast(uint32_t pages)
{
	while (pages-- > 0)
		ssdpar_read_distance_note(&distance, false, false);
}

static void
hit(uint32_t pages)
{
	while (pages-- > 0)
		ssdpar_read_distance_note(&distance, true, false);
}

/* A cold table: every read waits until the distance is large enough. */
static void
wait_until(uint32_t wanted)
{
	for (int i = 0; i < 10000 && distance.distance < wanted; i++)
		wait_once();
	assert_int_equal(distance.distance, wanted);
}

static void
begins_with_nothing(void **state)
{
	(void) state;
	assert_int_equal(distance.distance, 0);
	read_fast(10000);
	assert_int_equal(distance.distance, 0);
}

static void
first_wait_begins(void **state)
{
	(void) state;
	wait_once();
	assert_int_equal(distance.distance, SSDPAR_FIRST_DISTANCE);
}

/*
 * An interruption looks like a wait, but two of them are rarely close
 * together.
 */
static void
lone_wait_later_does_not(void **state)
{
	(void) state;
	read_fast(1000);
	wait_once();
	assert_int_equal(distance.distance, 0);
	read_fast(1000);
	wait_once();
	assert_int_equal(distance.distance, 0);
	read_fast(5);
	wait_once();
	assert_int_equal(distance.distance, SSDPAR_FIRST_DISTANCE);
}

static void
doubles_once_for_half_of_it(void **state)
{
	(void) state;
	wait_until(64);
	for (int i = 0; i < 31; i++)
		wait_once();
	assert_int_equal(distance.distance, 64);
	wait_once();
	assert_int_equal(distance.distance, 128);
}

static void
goes_no_further_than_max(void **state)
{
	(void) state;
	wait_until(MAX);
	for (int i = 0; i < 10 * MAX; i++)
		wait_once();
	assert_int_equal(distance.distance, MAX);
}

static void
without_room_nothing_is_announced(void **state)
{
	(void) state;
	ssdpar_read_distance_init(&distance, 0);
	for (int i = 0; i < 1000; i++)
		wait_once();
	assert_int_equal(distance.distance, 0);
}

static void
decays_to_nothing(void **state)
{
	(void) state;
	wait_until(16);
	read_fast(SSDPAR_FIRST_DECAY - 1);
	assert_int_equal(distance.distance, 16);
	read_fast(1);
	assert_int_equal(distance.distance, 8);
	read_fast(2 * SSDPAR_FIRST_DECAY);
	assert_int_equal(distance.distance, 0);
}

/* If halving was right, the next attempt comes twice as late. */
static void
wait_after_halving_makes_patient(void **state)
{
	(void) state;
	wait_until(16);
	read_fast(SSDPAR_FIRST_DECAY);
	assert_int_equal(distance.distance, 8);
	wait_once();
	assert_int_equal(distance.distance, 16);
	read_fast(2 * SSDPAR_FIRST_DECAY - 1);
	assert_int_equal(distance.distance, 16);
	read_fast(1);
	assert_int_equal(distance.distance, 8);
}

static void
hits_in_a_row_end_it(void **state)
{
	(void) state;
	wait_until(512);
	hit(255);
	read_fast(1);
	hit(255);
	assert_int_equal(distance.distance, 512);
	hit(1);
	assert_int_equal(distance.distance, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(begins_with_nothing, begin),
		cmocka_unit_test_setup(first_wait_begins, begin),
		cmocka_unit_test_setup(lone_wait_later_does_not, begin),
		cmocka_unit_test_setup(doubles_once_for_half_of_it, begin),
		cmocka_unit_test_setup(goes_no_further_than_max, begin),
		cmocka_unit_test_setup(without_room_nothing_is_announced, begin),
		cmocka_unit_test_setup(decays_to_nothing, begin),
		cmocka_unit_test_setup(wait_after_halving_makes_patient, begin),
		cmocka_unit_test_setup(hits_in_a_row_end_it, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
