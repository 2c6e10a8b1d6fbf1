/*
 * test_ssdsim_array.c
 *		A RAID-0 whose host sends each chunk of a request to a device as a
 *		separate request, and paper 000, Figure 14.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "ssdsim_array.h"
#include "ssdsim_load.h"
#include "ssdsim_policy.h"

#define PAGE 4096

/* Two devices, each with a channel for each of its two dies. */
static const SsdsimSpec toy = {
	.channels = 2, .packages = 1, .dies = 1, .planes = 1, .blocks = 8,
	.pages = 8, .page_bytes = PAGE, .over_provisioning = 6000,
	.mapping = SSDSIM_MAP_ORDER, .chunk = 1, .interleave = 1, .gc_low = 1,
	.gc_high = 1, .queue = 32, .write_buffer = 2, .devices = 2,
	.stripe = PAGE, .readahead_streams = 1, .read_command = 10,
	.write_command = 20, .flash_read = 100, .flash_program = {1000},
	.program_times = 1, .flash_erase = 3000, .channel_transfer = 200,
	.bus_transfer = 40,
};

static void
count_done(void *argument, SsdsimRequest *request, int64_t now)
{
	(void) request;
	(void) now;
	++*(int *) argument;
}

/* How often a request completes, and when. */
static int64_t
time_of(const SsdsimSpec *spec, SsdsimRequest request, int *done)
{
	SsdsimArray *array = ssdsim_array_new(spec, ssdsim_policy_at(0), 1,
										  count_done, done);
	int64_t		now = 0;

	ssdsim_array_fill(array);
	*done = 0;
	ssdsim_array_submit(array, &request, 0);
	while (ssdsim_array_next(array) != SSDSIM_NEVER)
	{
		if (*done == 0)
			now = ssdsim_array_next(array);
		ssdsim_array_step(array);
	}
	ssdsim_array_free(array);
	return now;
}

/* Unfinished requests at the end are not leaked: a trace may be refused. */
static void
test_ends_early(void **state)
{
	SsdsimRequest reading = {
		.kind = SSDSIM_READ, .address = 0, .bytes = 6 * PAGE
	};
	int			done = 0;
	SsdsimArray *array = ssdsim_array_new(&toy, ssdsim_policy_at(0), 1,
										  count_done, &done);

	(void) state;
	ssdsim_array_fill(array);
	ssdsim_array_submit(array, &reading, 0);
	ssdsim_array_free(array);
	assert_int_equal(done, 0);
}

static void
test_cut(void **state)
{
	SsdsimRequest reading = {
		.kind = SSDSIM_READ, .address = 0, .bytes = 4 * PAGE
	};
	SsdsimSpec	spec = toy;
	int			done;

	(void) state;
	/* a command each, two dies concurrently, two pages over the bus */
	assert_int_equal(time_of(&spec, reading, &done), 10 + 300 + 40 + 40);
	assert_int_equal(done, 1);

	/*
	 * the second page's command ends 10 later, but the bus is busy until then
	 */
	spec.stripe_cut = 1;
	assert_int_equal(time_of(&spec, reading, &done), 10 + 300 + 40 + 40);
	assert_int_equal(done, 1);
	/* or the bus waits for the second command */
	spec.read_command = 100;
	assert_int_equal(time_of(&spec, reading, &done), 200 + 300 + 40);
	spec.stripe_cut = 0;
	assert_int_equal(time_of(&spec, reading, &done), 100 + 300 + 40 + 40);
}

/* Each kind ends once, no matter how it is divided; a flush is not divided. */
static void
test_kinds(void **state)
{
	static const SsdsimRequest requests[] = {
		{.kind = SSDSIM_WRITE, .address = PAGE, .bytes = 7 * PAGE},
		{.kind = SSDSIM_TRIM, .address = 0, .bytes = 8 * PAGE},
		{.kind = SSDSIM_READ, .address = 5 * PAGE - 1, .bytes = 1},
		{.kind = SSDSIM_READ, .address = 5 * PAGE - 1, .bytes = 2},
		{.kind = SSDSIM_FLUSH},
	};
	SsdsimSpec	spec = toy;

	(void) state;
	spec.stripe_cut = 1;
	for (spec.devices = 2; spec.devices < 5; spec.devices++)
		for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		{
			int			done;

			(void) time_of(&spec, requests[i], &done);
			assert_int_equal(done, 1);
		}
}

/* MB/s of random reads of 256 kB, 32 outstanding. */
static double
large_reads(int64_t stripe, bool cut)
{
	static SsdsimRun run;
	SsdsimLoad	load = {
		.requests = 2000, .time = SSDSIM_NEVER, .seed = 1, .nloops = 1,
		.loops = {{.depth = 32, .read_share = 1, .random_share = {1, 1},
		.bytes = 64 * PAGE}}
	};
	SsdsimSpec	spec;
	SsdsimError error;

	if (!ssdsim_spec_load("ssd-p", SSDSIM_DEVICES, &spec, &error))
		fail_msg("%s", error.text);
	spec.stripe = stripe;
	spec.stripe_cut = cut;
	load.loops[0].length = ssdsim_spec_capacity(&spec);
	ssdsim_run_begin(&run, &spec, ssdsim_policy_find("noop"), 1, 0);
	ssdsim_load_run(&load, &run);
	return (double) run.result.bytes / 1e6 / ((double) run.result.time / 1e9);
}

/* Paper: 1,201 MB/s with chunks of 4 kB, 1,652 with 512. */
static void
test_figure_14(void **state)
{
	double		least = large_reads(PAGE, true);
	double		most = large_reads(128 * PAGE, true);

	(void) state;
	assert_true(least > 1201 * 0.95 && least < 1201 * 1.05);
	assert_true(most > 1652 * 0.8 && most < 1652 * 1.2);
	/* a host that merges its requests again loses nothing by small chunks */
	assert_true(large_reads(PAGE, false) > 1900);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends_early),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_figure_14),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
