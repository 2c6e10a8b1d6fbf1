/*
 * test_busy.c
 *		Unit tests of src/device/busy.c: dividing time by what was busy if only
 *		sums are known.
 *
 * links: src/device/busy.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "device/busy.h"

/* Values are sums of powers of two, so there are no rounding errors. */
static void
expect(double elapsed, double computed, double device, SsdparBusy expected)
{
	SsdparBusy	busy = {0};

	ssdpar_busy_add(&busy, elapsed, computed, device);
	assert_true(busy.processor == expected.processor);
	assert_true(busy.device == expected.device);
	assert_true(busy.both == expected.both);
	assert_true(busy.neither == expected.neither);
	assert_true(busy.waited == expected.waited);
	assert_true(busy.blind == expected.blind);
}

static void
test_waiting_for_the_device(void **state)
{
	(void) state;
	expect(8, 2, 6, (SsdparBusy) {.processor = 2, .device = 6});
	expect(8, 2, 8, (SsdparBusy) {.device = 6, .both = 2});
	expect(8, 2, 7, (SsdparBusy) {.processor = 1, .device = 6, .both = 1});
}

static void
test_waiting_for_something_else(void **state)
{
	(void) state;
	expect(8, 2, 0, (SsdparBusy) {.processor = 2, .neither = 6});
	expect(8, 2, 4, (SsdparBusy) {.processor = 2, .device = 4, .neither = 2});
}

static void
test_computing(void **state)
{
	(void) state;
	expect(8, 8, 0, (SsdparBusy) {.processor = 8});
	expect(8, 8, 3, (SsdparBusy) {.processor = 5, .both = 3});
}

/*
 * If clocks disagree, no part is negative, and the parts add up to the time.
 */
static void
test_clocks_that_do_not_agree(void **state)
{
	(void) state;
	expect(8, 9, 12, (SsdparBusy) {.both = 8});
	expect(8, -1, 4, (SsdparBusy) {.device = 4, .neither = 4});
	expect(0, 1, 1, (SsdparBusy) {0});
	expect(-1, 1, 1, (SsdparBusy) {0});
}

static void
test_no_disk_to_be_seen(void **state)
{
	(void) state;
	expect(8, 2, -1, (SsdparBusy) {.processor = 2, .waited = 6, .blind = true});
	expect(8, 8, -1, (SsdparBusy) {.processor = 8, .blind = true});
}

static void
test_sums(void **state)
{
	SsdparBusy	one = {0};
	SsdparBusy	total = {0};

	(void) state;
	ssdpar_busy_add(&one, 8, 2, 7);
	ssdpar_busy_add(&one, 8, 2, 4);
	ssdpar_busy_sum(&total, &one);
	ssdpar_busy_sum(&total, &one);
	assert_true(total.processor == 6 && total.device == 20 &&
				total.both == 2 && total.neither == 4);
	assert_false(total.blind);
	ssdpar_busy_add(&one, 1, 0, -1);
	ssdpar_busy_sum(&total, &one);
	assert_true(total.blind && total.waited == 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waiting_for_the_device),
		cmocka_unit_test(test_waiting_for_something_else),
		cmocka_unit_test(test_computing),
		cmocka_unit_test(test_clocks_that_do_not_agree),
		cmocka_unit_test(test_no_disk_to_be_seen),
		cmocka_unit_test(test_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
