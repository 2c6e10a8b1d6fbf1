/*
 * test_scheduler_depth.c
 *		Unit tests of the scheduler's depth: its limits, and when a device that
 *		collects garbage gets less.
 */
#include "scheduler_player.h"

#include "daemon/scheduler_policy.h"

static void
depth_is_kept(void **state)
{
	SsdpardRules rules = player_usual;

	(void) state;
	for (uint32_t depth = 1; depth <= 64; depth *= 2)
	{
		rules.depth = depth;
		player_begin(&rules, 0);
		player_play("0 0 r 1 0 8 x500\n0 1 r 1 0 8 x500\n"
					"0 2 s 1 0 512 x100\n");
		player_run_out();
		assert_int_equal(player.max_outstanding, depth);
		assert_int_equal(player.outcomes[2][SSDPARD_SERVED], 100);
		player_end();
	}
}

static void
profile_and_rules_bound_the_depth(void **state)
{
	SsdpardRules rules = player_usual;

	(void) state;
	rules.depth = 0;
	player_begin(&rules, 0);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler),
					 SSDPARD_DEFAULT_DEPTH);
	ssdpard_scheduler_set_profile(player.scheduler, player.device, 12);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 12);
	rules.depth = 5;
	ssdpard_scheduler_set_rules(player.scheduler, &rules);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 5);
	player_ask(0, 'r', 1, 0, 8192);
	player_run_out();
	player_end();
}

static void
client_depth_is_kept(void **state)
{
	(void) state;
	player_begin(&player_usual, 3);
	player_play("0 0 r 1 0 8 x100\n");
	player_run_out();
	assert_int_equal(player.max_outstanding, 3);
	player_play("500 0 r 1 0 8 x100\n500 1 r 1 0 8 x100\n");
	player_run_out();
	assert_int_equal(player.max_outstanding, 6);
	player_end();
}

/*
 * A client's own limit is respected, but it gets at least one request, and
 * other clients are not slower; 0 means no limit.
 */
static void
allowed_bytes_are_kept(void **state)
{
	const uint32_t most[][2] = {{1, 1}, {8192, 1}, {24576, 3}, {0, 8}};
	uint64_t	allowed;

	(void) state;
	for (int i = 0; i < 4; i++)
	{
		player_begin(&player_usual, 0);
		ssdpard_client_heed(player.clients[0], &allowed);
		allowed = most[i][0];
		player_play("0 0 r 1 0 8 x100\n");
		player_run_out();
		assert_int_equal(player.max_outstanding, most[i][1]);
		assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 100);
		player_play("500 0 s 1 0 512 x20\n500 1 r 1 0 8 x100\n");
		player_run_out();
		assert_int_equal(player.max_outstanding, 8);
		assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 120);
		assert_int_equal(player.outcomes[1][SSDPARD_SERVED], 100);
		player_end();
	}
}

/* A write waits behind a whole request. */
static void
no_request_is_longer_than_is_allowed(void **state)
{
	const uint32_t longest[][2] = {
		{1, 8192}, {8192, 8192}, {45000, 40960}, {262144, 262144},
		{UINT32_MAX, 262144}, {0, 262144}
	};
	uint64_t	allowed;

	(void) state;
	for (int i = 0; i < 6; i++)
	{
		uint64_t	bytes = 0;

		player_begin(&player_usual, 0);
		ssdpard_client_heed(player.clients[0], &allowed);
		allowed = longest[i][0];
		player_play("0 0 s 1 0 1000 x4\n");
		player_run_out();
		for (int n = 0; n < player.nissued; n++)
		{
			assert_true(player.issued[n].length <= longest[i][1]);
			assert_int_equal(player.issued[n].offset, bytes);
			bytes += player.issued[n].length;
		}
		assert_int_equal(player.issued[0].length, longest[i][1]);
		assert_int_equal(bytes, 4000 * 1024);
		assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 4);
		player_end();
	}
}

/* Reads of 100 us; if SLOW, two in each window take 50 ms. */
static void
read_windows(int windows, bool slow)
{
	for (int i = 0; i < windows * 128; i++)
	{
		player_ask(0, 'r', 1, 0, 8192);
		player_issue_all();
		player_land(SSDPARD_RESULT_READ, slow && i % 128 < 2 ? 50000 : 100);
	}
}

static void
garbage_collection_halves_the_depth(void **state)
{
	SsdpardRules rules = player_usual;

	(void) state;
	rules.depth = 32;
	player_begin(&rules, 0);
	read_windows(3, false);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 32);
	read_windows(1, true);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 16);
	read_windows(9, true);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 1);
	read_windows(2, false);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 9);
	read_windows(10, false);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 32);
	player_end();
}

static void
read_all(int reads, uint32_t latency)
{
	for (int i = 0; i < reads; i++)
	{
		player_ask(0, 'r', 1, 0, 8192);
		player_issue_all();
		player_land(SSDPARD_RESULT_READ, latency);
	}
}

/*
 * If all reads are slow for long, that is not a tail: the device has changed.
 */
static void
a_device_that_became_slow_gets_its_depth_back(void **state)
{
	SsdpardRules rules = player_usual;

	(void) state;
	rules.depth = 32;
	player_begin(&rules, 0);
	read_windows(3, false);
	read_all(15 * 128, 8000);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 1);
	read_all(9 * 128, 8000);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 32);
	/* and is judged by its current speed */
	read_windows(1, true);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 32);
	/* a tail in between is garbage collection, so counting restarts */
	read_windows(40, false);
	read_all(15 * 128, 8000);
	read_windows(1, true);
	read_all(15 * 128, 8000);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 1);
	player_end();
}

/*
 * Late reads do not count for the depth, up to a quarter of it; a sequential
 * request does not replace them.
 */
static void
late_reads_take_nothing_of_the_depth(void **state)
{
	(void) state;
	player_begin(&player_usual, 0);
	player_play("0 0 r 1 0 8 x50\n");
	player_issue_all();
	player.now += 10000;
	player_issue_all();
	assert_int_equal(player.noutstanding, 8);	/* nothing is usual yet */
	player_run_out();

	read_windows(1, false);
	for (int i = 0; i < 20; i++)
		player_ask(0, 'r', 1, 0, 8192);
	player_issue_all();
	player.now += 400;
	player_issue_all();
	assert_int_equal(player.noutstanding, 8);
	player.now++;
	player_ask(1, 's', 1, 0, 262144);
	player_issue_all();
	assert_int_equal(player.noutstanding, 10);
	assert_int_equal(player.issued[player.nissued - 1].class, 'r');

	/* two of the late ones have arrived, six have not */
	player_land(SSDPARD_RESULT_READ, 401);
	player_land(SSDPARD_RESULT_READ, 401);
	player_issue_all();
	assert_int_equal(player.noutstanding, 10);
	while (player.noutstanding > 0)
	{
		player_land(SSDPARD_RESULT_READ, 100);
		player_issue_all();
	}
	player_end();
}

static uint32_t
two_dies_collect(uint64_t offset)
{
	return offset < 2 * 8192 ? 60000 : 300;
}

/* Some reads are always late, but a sequential range still gets its turn. */
static void
late_reads_do_not_starve_sequential_ones(void **state)
{
	SsdpardRules rules = player_usual;

	(void) state;
	rules.sequential_deadline = 20000;
	player_begin(&rules, 0);
	read_windows(1, false);
	player.service = two_dies_collect;
	player_play("0 0 r 1 0 8 x2000\n0 1 s 1 1024 256\n");
	player_run_until(19000);
	assert_int_equal(player.outcomes[1][SSDPARD_SERVED], 0);
	assert_int_equal(player.noutstanding, 10);
	player_run_until(25000);
	assert_int_equal(player.outcomes[1][SSDPARD_SERVED], 1);
	assert_int_equal(player.noutstanding, 10);
	player_run_out();
	player_end();
}

/* A tail caused by waiting for a CPU says nothing about the device. */
static void
a_busy_machine_is_not_garbage(void **state)
{
	SsdpardRules rules = player_usual;

	(void) state;
	rules.depth = 32;
	player_begin(&rules, 0);
	read_windows(3, false);
	player.cpu_wait += 40000;
	read_windows(1, true);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 32);
	player.cpu_wait += 1000;
	read_windows(1, true);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 16);
	player_end();
}

static void
one_slow_read_is_an_accident(void **state)
{
	(void) state;
	player_begin(&player_usual, 0);
	read_windows(2, false);
	for (int i = 0; i < 128; i++)
	{
		player_ask(0, 'r', 1, 0, 8192);
		player_issue_all();
		player_land(SSDPARD_RESULT_READ, i == 5 ? 500000 : 100);
	}
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 8);
	player_end();
}

/*
 * A few large reads fill a device, and writers would wait behind all of them.
 */
static void
few_sequential_reads_are_outstanding(void **state)
{
	SsdpardRules rules = player_usual;

	(void) state;
	for (int depth = 1; depth <= 128; depth *= 2)
	{
		int			most = depth / 16 > 2 ? depth / 16 : 2;

		rules.depth = (uint32_t) depth;
		player_begin(&rules, 0);
		player_play("0 0 s 1 0 1024 x100\n");
		player_issue_all();
		assert_int_equal(player.noutstanding, most < depth ? most : depth);
		player_run_out();
		player_end();
	}
}

static void
devices_do_not_share_a_queue(void **state)
{
	SsdpardDeviceRequest request;
	int			first;
	int			other;

	(void) state;
	player_begin(&player_usual, 0);
	first = player.device;
	other = ssdpard_scheduler_device(player.scheduler, 78);
	assert_int_equal(ssdpard_scheduler_device(player.scheduler, 77), first);
	assert_true(other != first);
	player_play("0 0 r 1 0 8 x100\n");
	player_issue_all();
	assert_int_equal(player.noutstanding, 8);
	player.device = other;
	player_ask(1, 'r', 1, 0, 8192);
	assert_true(ssdpard_scheduler_next(player.scheduler, other, 0, &request));
	ssdpard_scheduler_done(player.scheduler, &request, SSDPARD_RESULT_READ, 1);
	player.device = first;
	player_run_out();
	for (uint64_t number = 100; number < 200; number++)
		assert_in_range(ssdpard_scheduler_device(player.scheduler, number), 2,
						SSDPARD_MAX_DEVICES - 1);
	player_end();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_is_kept),
		cmocka_unit_test(profile_and_rules_bound_the_depth),
		cmocka_unit_test(client_depth_is_kept),
		cmocka_unit_test(allowed_bytes_are_kept),
		cmocka_unit_test(no_request_is_longer_than_is_allowed),
		cmocka_unit_test(garbage_collection_halves_the_depth),
		cmocka_unit_test(a_device_that_became_slow_gets_its_depth_back),
		cmocka_unit_test(late_reads_take_nothing_of_the_depth),
		cmocka_unit_test(late_reads_do_not_starve_sequential_ones),
		cmocka_unit_test(a_busy_machine_is_not_garbage),
		cmocka_unit_test(one_slow_read_is_an_accident),
		cmocka_unit_test(few_sequential_reads_are_outstanding),
		cmocka_unit_test(devices_do_not_share_a_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
