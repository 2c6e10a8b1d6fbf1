/*
 * test_sessions_collecting.c
 *		Whether a daemon should hold reads back whose die collects garbage, if
 *		it could know that.
 *
 * It does not, and docs/internals/ssdsim.md says why.  What would make it
 * worth while shows here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "ssdsim_collecting.h"
#include "ssdsim_pairs.h"

#define MS INT64_C(1000000)
#define DEPTH 8

static SsdsimCollectingResult
run(int64_t hold)
{
	SsdsimCollecting how = {.writers = 4, .rest = MS, .hold = hold};
	SsdsimSpec	spec;
	SsdsimError error;

	if (!ssdsim_pair_device("s3700", SSDSIM_DEVICES, &spec, &error))
		fail_msg("%s", error.text);
	return ssdsim_collecting_run(&spec, &how, DEPTH);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holding_gains_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
