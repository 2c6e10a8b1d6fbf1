/*
 * test_ssdemu_replay.c
 *		Traces replayed on virtual time, against sums made by hand.
 *
 * links: bench/ssdemu/ssdemu_calendar.c bench/ssdemu/ssdemu_model.c
 * links: bench/ssdemu/ssdemu_profile.c bench/ssdemu/ssdemu_window.c
 * links: bench/ssdemu/ssdemu_replay.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "ssdemu_replay.h"

#define MAX_REPLAYS 8

/* A read of one chunk takes 356 alone: 10 + 5 + 100 + 200 + 40 + 1. */
static const SsdemuProfile toy = {
	.name = "toy", .mapping = SSDEMU_MAP_STRIPE,
	.channels = 2, .packages = 2, .queue_depth = 4, .chunk_bytes = 4096,
	.host = 1, .read_command = 10, .read_setup = 5, .flash_read = 100,
	.channel_transfer = 200, .bus_transfer = 40, .capacity = 1 << 30,
};

static SsdemuReplay replays[MAX_REPLAYS];
static int	nreplays;

static void
keep(const SsdemuReplay *replay, void *argument)
{
	(void) argument;
	assert_in_range(nreplays, 0, MAX_REPLAYS - 1);
	replays[nreplays++] = *replay;
}

static bool
replay(const char *text)
{
	FILE	   *trace = fmemopen((void *) text, strlen(text), "r");
	SsdemuError error;
	bool		good;

	assert_non_null(trace);
	nreplays = 0;
	good = ssdemu_replay(trace, &toy, 1, keep, NULL, &error);
	fclose(trace);
	return good;
}

/* One process waits for each read; two do so side by side. */
static void
test_processes(void **state)
{
	(void) state;
	assert_true(replay("mark alone\n"
					   "read 7 0 4096\n"
					   "read 7 4096 4096\n"
					   "mark together\n"
					   "read 7 0 4096\n"
					   "read 8 4096 4096\n"));
	assert_int_equal(nreplays, 2);
	assert_string_equal(replays[0].name, "alone");
	assert_int_equal(replays[0].requests, 2);
	assert_int_equal(replays[0].bytes, 8192);
	assert_int_equal(replays[0].processes, 1);
	assert_int_equal(replays[0].time, 2 * 356);
	assert_string_equal(replays[1].name, "together");
	assert_int_equal(replays[1].processes, 2);
	/* the other channel; the bus is taken until 355 and gives 40 */
	assert_int_equal(replays[1].time, 355 + 40 + 1);
}

/* Whose turn it is depends on who is done, not on the order in the trace. */
static void
test_order(void **state)
{
	(void) state;
	assert_true(replay("mark by turns\n"
					   "read 1 0 4096\n"
					   "read 2 4096 4096\n"
					   "read 1 8192 4096\n"
					   "read 2 12288 4096\n"
					   "mark one after another\n"
					   "read 1 0 4096\n"
					   "read 1 8192 4096\n"
					   "read 2 4096 4096\n"
					   "read 2 12288 4096\n"));
	assert_int_equal(replays[0].time, replays[1].time);
	assert_in_range(replays[0].time, 2 * 356, 3 * 356);
}

static void
test_marks(void **state)
{
	(void) state;
	assert_true(replay("read 1 0 4096\n"
					   "mark first\n"
					   "read 1 0 4096\n"
					   "mark \n"
					   "read 1 0 4096\n"
					   "mark second, with a comma\n"));
	assert_int_equal(nreplays, 2);
	assert_string_equal(replays[0].name, "first");
	assert_int_equal(replays[0].requests, 1);
	assert_string_equal(replays[1].name, "second, with a comma");
	assert_int_equal(replays[1].requests, 0);
	assert_int_equal(replays[1].time, 0);
}

static void
test_nonsense(void **state)
{
	(void) state;
	assert_false(replay("nonsense\n"));
	assert_false(replay("read 1 0\n"));
	assert_false(replay("read 1 0 0\n"));
	assert_false(replay("read 1 0 4096 more\n"));
	assert_false(replay("mark a\nread 1 0 4096\nread\n"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
