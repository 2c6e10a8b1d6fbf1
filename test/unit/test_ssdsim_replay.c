/*
 * test_ssdsim_replay.c
 *		Replays traces by process, compared with sums computed by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "ssdsim_policy.h"
#include "ssdsim_replay.h"

#define MAX_REPLAYS 8

/* A read of one page takes 356 without others: 10 + 5 + 100 + 200 + 40 + 1. */
static const SsdsimSpec toy = {
	.channels = 2, .packages = 2, .dies = 1, .planes = 1, .blocks = 8,
	.pages = 4, .page_bytes = 4096, .over_provisioning = 6000,
	.mapping = SSDSIM_MAP_ORDER, .chunk = 1, .interleave = 1, .gc_low = 1,
	.gc_high = 1, .queue = 4, .write_buffer = 2, .devices = 1,
	.stripe = 8192, .readahead_streams = 1,
	.host = 1, .read_command = 10, .read_setup = 5, .flash_read = 100,
	.flash_program = {1000}, .program_times = 1, .flash_erase = 3000,
	.channel_transfer = 200, .bus_transfer = 40,
};

static SsdsimReplayed replays[MAX_REPLAYS];
static char names[MAX_REPLAYS][SSDSIM_MARK_SIZE];
static int	nreplays;

static void
keep(const SsdsimReplayed *replayed, void *argument)
{
	(void) argument;
	assert_in_range(nreplays, 0, MAX_REPLAYS - 1);
	strcpy(names[nreplays], replayed->name);
	replays[nreplays++] = *replayed;
}

static bool
replay(const char *text)
{
	SsdsimError error;
	SsdsimTrace trace = {
		.file = fmemopen((void *) text, strlen(text), "r"),
		.filename = "toy", .spec = &toy, .error = &error
	};
	bool		good;

	assert_non_null(trace.file);
	nreplays = 0;
	good = ssdsim_replay_processes(&trace, ssdsim_policy_at(0), 1, keep,
								   NULL);
	fclose(trace.file);
	return good;
}

/* One process waits for each read; two do so concurrently. */
static void
test_processes(void **state)
{
	(void) state;
	assert_true(replay("mark alone\n"
					   "0 read 0 4096 7\n"
					   "0 read 4096 4096 7\n"
					   "mark together\n"
					   "0 read 0 4096 7\n"
					   "0 read 4096 4096 8\n"));
	assert_int_equal(nreplays, 2);
	assert_string_equal(names[0], "alone");
	assert_int_equal(replays[0].requests, 2);
	assert_int_equal(replays[0].bytes, 8192);
	assert_int_equal(replays[0].processes, 1);
	assert_int_equal(replays[0].time, 2 * 356);
	assert_string_equal(names[1], "together");
	assert_int_equal(replays[1].processes, 2);
	/* the other channel; the bus is busy until 355 and takes 40 */
	assert_int_equal(replays[1].time, 355 + 40 + 1);
}

/* The next read depends on which process is done, not on the trace's order. */
static void
test_order(void **state)
{
	(void) state;
	assert_true(replay("mark by turns\n"
					   "0 read 0 4096 1\n"
					   "0 read 4096 4096 2\n"
					   "0 read 8192 4096 1\n"
					   "0 read 12288 4096 2\n"
					   "mark one after another\n"
					   "0 read 0 4096 1\n"
					   "0 read 8192 4096 1\n"
					   "0 read 4096 4096 2\n"
					   "0 read 12288 4096 2\n"));
	assert_int_equal(replays[0].time, replays[1].time);
	assert_in_range(replays[0].time, 2 * 356, 3 * 356);
}

static void
test_marks(void **state)
{
	(void) state;
	assert_true(replay("0 read 0 4096 1\n"
					   "mark first\n"
					   "0 read 0 4096 1\n"
					   "mark \n"
					   "0 read 0 4096 1\n"
					   "mark second, with a comma\n"));
	assert_int_equal(nreplays, 2);
	assert_string_equal(names[0], "first");
	assert_int_equal(replays[0].requests, 1);
	assert_string_equal(names[1], "second, with a comma");
	assert_int_equal(replays[1].requests, 0);
	assert_int_equal(replays[1].time, 0);
}

/* Writes, flushes, and everything before the first mark are skipped. */
static void
test_others(void **state)
{
	(void) state;
	assert_true(replay("0 write 0 4096 1\n"
					   "mark reads\n"
					   "5 write 4096 4096 1\n"
					   "6 flush 0 0 1\n"
					   "7 read 0 4096 1\n"));
	assert_int_equal(nreplays, 1);
	assert_int_equal(replays[0].requests, 1);
	assert_int_equal(replays[0].time, 356);
}

static void
test_nonsense(void **state)
{
	(void) state;
	assert_false(replay("nonsense\n"));
	assert_false(replay("mark a\n0 read 0 0 1\n"));
	/* no replay without a named mark and a complete line */
	assert_false(replay("0 read 0 4096 1\n"));
	assert_false(replay("mark\n0 read 0 4096 1\n"));
	assert_false(replay(""));
	assert_false(replay("mark a\n0 read 0 4096 1\n0 read\n"));
	assert_int_equal(nreplays, 0);
	assert_false(replay("mark a\n0 read 0 4096 1\nmark b\n0 read 0 40"));
	assert_int_equal(nreplays, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
