/*
 * test_sessions_collecting.c
 *		Reads a list of pages from a device that collects garbage: the gain of
 *		a large distance, and whether a daemon should hold back reads whose die
 *		collects, if it could know that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ssdsim_collecting.h"
#include "ssdsim_pairs.h"

#define MS INT64_C(1000000)
#define DEPTH 8

static SsdsimCollectingResult
run_as(const SsdsimCollecting *how)
{
	SsdsimSpec	spec;
	SsdsimError error;

	if (!ssdsim_pair_device("s3700", SSDSIM_DEVICES, &spec, &error))
		fail_msg("%s", error.text);
	return ssdsim_collecting_run(&spec, how, DEPTH);
}

static SsdsimCollectingResult
run(int64_t hold)
{
	SsdsimCollecting how = {.writers = 4, .rest = MS, .hold = hold};

	return run_as(&how);
}

/*
 * While a page's die collects, the other dies have work: the daemon knows of
 * other pages, and late reads do not count for the depth.
 */
static void
collecting_is_hidden(void **state)
{
	SsdsimCollecting how = {.writers = 4, .rest = MS, .lead = 2};
	SsdsimCollectingResult two = run_as(&how);
	SsdsimCollectingResult far = run(0);

	(void) state;
	assert_true(2 * far.wait99 < two.wait99);
	assert_true(2 * far.time < two.time);
	assert_true(far.writes > 0.99 * two.writes);

	/* if nothing is collected, it costs nothing */
	how.writers = 0;
	two = run_as(&how);
	how.lead = 0;
	assert_true(run_as(&how).time <= two.time);
}

/* Reads are held back, but must be read later anyway. */
static void
holding_gains_nothing(void **state)
{
	SsdsimCollectingResult none = run(0);
	SsdsimCollectingResult held = run(20 * MS);

	(void) state;
	assert_int_equal(none.held, 0);
	assert_true(held.held > 100);
	assert_true(held.time > none.time);
	assert_true(held.wait99 > none.wait99 / 2);

	/* and writers do not gain either */
	assert_true(held.writes < none.writes * 1.01);
}

/* On a disk, and on an array of devices, dies are unknown. */
static void
other_devices_are_refused(void **state)
{
	SsdsimSpec	spec;
	SsdsimError error;

	(void) state;
	assert_true(ssdsim_collecting_device("s3700", SSDSIM_DEVICES, &spec,
										 &error));
	assert_false(ssdsim_collecting_device("ssd-p", SSDSIM_DEVICES, &spec,
										  &error));
	assert_non_null(strstr(error.text, "several devices"));
	assert_false(ssdsim_collecting_device("hdd", SSDSIM_DEVICES, &spec,
										  &error));
	assert_non_null(strstr(error.text, "a disk"));
	assert_false(ssdsim_collecting_device("none", SSDSIM_DEVICES, &spec,
										  &error));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collecting_is_hidden),
		cmocka_unit_test(holding_gains_nothing),
		cmocka_unit_test(other_devices_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
