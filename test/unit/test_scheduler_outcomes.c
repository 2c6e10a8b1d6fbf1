/*
 * test_scheduler_outcomes.c
 *		Unit tests of a range's outcome: exactly one, even if the range is
 *		canceled, fails, or finds the queue full.
 */
#include "scheduler_player.h"

static void
cancelled_streams_are_dropped(void **state)
{
	(void) state;
	player_begin(&player_usual, 0);
	player_play("0 0 s 1 0 1024 x10\n0 0 s 2 0 1024 x10\n0 0 r 2 0 8 x10\n"
				"0 1 s 2 0 1024 x10\n");
	player_issue_all();
	ssdpard_scheduler_cancel(player.scheduler, player.clients[0], 2);
	player_run_out();
	/* eight slots: eight of its random pages were already with the device */
	assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 10 + 8);
	assert_int_equal(player.outcomes[0][SSDPARD_DROPPED], 12);
	assert_int_equal(player.outcomes[1][SSDPARD_SERVED], 10);
	assert_int_equal(player_accounted(0), 30);
	player_end();
}

static void
dropped_client_leaves_nothing(void **state)
{
	(void) state;
	player_begin(&player_usual, 0);
	player_play("0 0 s 1 0 1024 x10\n0 0 r 7 0 8 x100\n0 1 r 1 0 8 x5\n");
	player_issue_all();
	ssdpard_scheduler_drop_client(player.scheduler, player.clients[0]);
	/* four of each are outstanding, and the other's fifth is queued */
	assert_int_equal(player.noutstanding, 8);
	assert_int_equal(ssdpard_client_ranges(player.clients[0]) +
					 ssdpard_client_ranges(player.clients[1]), 9);
	player_run_out();
	assert_int_equal(player_accounted(0), 110);
	assert_int_equal(player.outcomes[1][SSDPARD_SERVED], 5);
	player_end();
}

static void
partly_read_counts_as_served(void **state)
{
	(void) state;
	player_begin(&player_usual, 1);
	player_ask(0, 's', 1, 0, 1024 * 1024);
	player_issue_all();
	player_land(SSDPARD_RESULT_READ, 100);
	player_issue_all();
	ssdpard_scheduler_cancel(player.scheduler, player.clients[0], 1);
	assert_int_equal(player_accounted(0), 0);	/* one is outstanding */
	player_land(SSDPARD_RESULT_FAILED, 100);
	assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 1);
	assert_int_equal(player_accounted(0), 1);
	player_end();
}

static void
one_outcome_each(void **state)
{
	static const struct
	{
		SsdpardResult results[2];
		SsdpardOutcome outcome;
	}			cases[] = {
		{{SSDPARD_RESULT_READ, SSDPARD_RESULT_CACHED}, SSDPARD_SERVED},
		{{SSDPARD_RESULT_STALE, SSDPARD_RESULT_READ}, SSDPARD_SERVED},
		{{SSDPARD_RESULT_CACHED, SSDPARD_RESULT_CACHED}, SSDPARD_CACHED},
		{{SSDPARD_RESULT_CACHED, SSDPARD_RESULT_STALE}, SSDPARD_CACHED},
		{{SSDPARD_RESULT_STALE, SSDPARD_RESULT_STALE}, SSDPARD_STALE},
		{{SSDPARD_RESULT_CACHED, SSDPARD_RESULT_FAILED}, SSDPARD_DROPPED},
		{{SSDPARD_RESULT_FAILED, SSDPARD_RESULT_STALE}, SSDPARD_DROPPED},
	};

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		player_begin(&player_usual, 0);
		player_ask(0, 's', 1, 0, 512 * 1024);
		player_issue_all();
		player_land(cases[i].results[0], 100);
		player_land(cases[i].results[1], 100);
		assert_int_equal(player.outcomes[0][cases[i].outcome], 1);
		assert_int_equal(player_accounted(0), 1);
		player_end();
	}
}

/* A client that floods the queue leaves room for later ones. */
static void
queue_is_bounded_and_shared(void **state)
{
	SsdpardRules rules = player_usual;

	(void) state;
	rules.max_ranges = 128;
	player_begin(&rules, 0);
	player_play("0 0 r 1 0 8 x1000\n");
	assert_int_equal(ssdpard_scheduler_ranges(player.scheduler), 64);
	assert_int_equal(player.refused[0], 936);
	for (int client = 1; client < CLIENTS; client++)
		for (int i = 0; i < 8; i++)
			player_ask(client, 'r', 1, 0, 8192);
	for (int client = 1; client < CLIENTS; client++)
		assert_int_equal(player.refused[client], 0);
	for (int client = 0; client < CLIENTS; client++)
		for (int i = 0; i < 1000; i++)
			player_ask(client, 'r', 1, 0, 8192);
	assert_true(ssdpard_scheduler_ranges(player.scheduler) <= 128);
	player_run_out();
	assert_int_equal(player_accounted(0), 2000);
	player_end();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cancelled_streams_are_dropped),
		cmocka_unit_test(dropped_client_leaves_nothing),
		cmocka_unit_test(partly_read_counts_as_served),
		cmocka_unit_test(one_outcome_each),
		cmocka_unit_test(queue_is_bounded_and_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
