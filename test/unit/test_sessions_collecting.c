/*
 * test_sessions_collecting.c
 *		A list of pages read from a device that collects garbage: what being
 *		far ahead gains, and whether a daemon should hold reads back whose die
 *		collects, if it could know that.
 *
 * It does so by zones that it can see, if told to, and docs/internals/ssdsim.md
 * says why it is not.  What would make it worth while shows here.
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
 * While a page's die collects the other dies have something to do: the daemon
 * knows of other pages, and the one that is late takes nothing of the depth.
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

	/* where nothing is collected it costs nothing */
	how.writers = 0;
	two = run_as(&how);
	how.lead = 0;
	assert_true(run_as(&how).time <= two.time);
}

/* Reads are held, and what has to be read in the end is read later. */
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

	/* and the writers have nothing of it */
	assert_true(held.writes < none.writes * 1.01);
}

/*
 * What the daemon can see of it, zones of addresses: it holds reads back, and
 * gains no more.  Where nothing is written it costs nothing.
 */
static void
zones_gain_nothing(void **state)
{
	SsdsimCollecting how = {
		.writers = 4, .rest = MS,
		.zones = {
			.count = 64, .bytes = 4 << 20, .slow = 4, .retry = 10000,
			.longest = 20000, .spare_only = true
		}
	};
	SsdsimCollectingResult none = run(0);
	SsdsimCollectingResult zones = run_as(&how);

	(void) state;
	assert_int_equal(none.most_held, 0);
	assert_true(zones.most_held > 0);
	assert_true(zones.wait99 > none.wait99 / 2);
	assert_true(zones.time > none.time * 99 / 100);
	assert_true(zones.time < none.time * 11 / 10);
	how.writers = 0;
	zones = run_as(&how);
	how.zones.count = 0;
	none = run_as(&how);
	assert_true(zones.time < none.time + none.time / 100);
}

/* Of a disk and of several devices no die can be asked. */
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
		cmocka_unit_test(zones_gain_nothing),
		cmocka_unit_test(other_devices_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
