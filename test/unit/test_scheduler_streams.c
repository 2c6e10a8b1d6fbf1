/*
 * test_scheduler_streams.c
 *		Unit tests of the scheduler on recorded streams of requests: order,
 *		fairness, deadlines.
 */
#include "scheduler_player.h"

#include <string.h>

/* A scan announces a window, then an index scan its pages. */
static const char scan_and_pages[] =
	"0 0 s 1 0 1024 x32\n"
	"1 1 r 1 500000 8 x64\n";

static void
random_goes_first(void **state)
{
	int			first = -1;
	int			last = -1;

	(void) state;
	player_begin(&player_usual, 0);
	player_play(scan_and_pages);
	player_run_out();
	for (int i = 0; i < player.nissued; i++)
		if (player.issued[i].class == 'r')
		{
			first = first < 0 ? i : first;
			last = i;
		}

	/*
	 * the scan had a sixteenth of the slots, at least two; the others are
	 * free immediately, and nothing of the scan comes in between
	 */
	assert_true(player.issued[first].at == 1000);
	for (int i = first; i < last; i++)
		assert_int_equal(player.issued[i].class, 'r');
	assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 32);
	assert_int_equal(player.outcomes[1][SSDPARD_SERVED], 64);
	player_end();
}

static void
large_ranges_are_split(void **state)
{
	uint64_t	expected = 4096;

	(void) state;
	player_begin(&player_usual, 0);
	player_ask(0, 's', 1, 4096, 1024 * 1024 - 512);
	player_run_out();
	assert_int_equal(player.nissued, 4);
	for (int i = 0; i < 4; i++)
	{
		assert_true(player.issued[i].offset == expected);
		expected += player.issued[i].length;
	}
	assert_true(expected == 4096 + 1024 * 1024 - 512);
	assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 1);
	player_end();
}

/* Bytes that each client got while all of them had requests queued. */
static void
bytes_in_first(int requests, uint64_t bytes[CLIENTS])
{
	memset(bytes, 0, CLIENTS * sizeof(uint64_t));
	for (int i = 0; i < requests; i++)
		bytes[player.issued[i].client] += player.issued[i].length;
}

/* One client requests much more than the others, and earlier. */
static const char greedy_and_modest[] =
	"0 0 s 1 0 1024 x400\n"
	"0 1 s 1 0 1024 x30\n"
	"0 2 s 1 0 256 x120\n"
	"0 3 s 1 0 128 x240\n";

static void
clients_share_a_class(void **state)
{
	uint64_t	bytes[CLIENTS];

	(void) state;
	player_begin(&player_usual, 0);
	player_play(greedy_and_modest);
	player_run_out();
	bytes_in_first(400, bytes);
	for (int i = 1; i < CLIENTS; i++)
	{
		uint64_t	more = bytes[i] > bytes[0] ? bytes[i] - bytes[0]
			: bytes[0] - bytes[i];

		if (more > 2 * 256 * 1024)
			fail_msg("client %d got %llu bytes, client 0 %llu", i,
					 (unsigned long long) bytes[i],
					 (unsigned long long) bytes[0]);
	}
	player_end();
}

static void
small_and_large_random_share_bytes(void **state)
{
	uint64_t	bytes[CLIENTS];

	(void) state;
	player_begin(&player_usual, 0);
	player_play("0 0 r 1 0 8 x2000\n0 1 r 1 0 64 x250\n");
	player_run_out();
	bytes_in_first(900, bytes);
	assert_true(bytes[0] > bytes[1] * 9 / 10 && bytes[1] > bytes[0] * 9 / 10);
	player_end();
}

/* Endless random requests: the queue is refilled as fast as it drains. */
static void
flood(char flooding, char waiting, uint64_t *waited)
{
	bool		asked = false;

	*waited = 0;
	for (int i = 0; i < 3000 && *waited == 0; i++)
	{
		while (ssdpard_client_ranges(player.clients[0]) < 200)
			player_ask(0, flooding, 1, 0, flooding == 'r' ? 8192 : 262144);
		if (i == 100 && !asked)
		{
			player_ask(1, waiting, 1, 0, waiting == 'r' ? 8192 : 262144);
			asked = true;
		}
		player_run_until(player.now + player.service_us);
		if (asked && ssdpard_client_ranges(player.clients[1]) == 0)
			*waited = player.now;
	}
	ssdpard_scheduler_drop_client(player.scheduler, player.clients[0]);
	player_run_out();
}

static void
sequential_does_not_starve(void **state)
{
	uint64_t	ended;

	(void) state;
	player_begin(&player_usual, 0);
	flood('r', 's', &ended);

	/*
	 * requested after 10 ms, late 200 ms later, then served within a few
	 * turns
	 */
	assert_true(ended >= 200000 && ended <= 212000);
	player_end();
}

static void
random_does_not_starve(void **state)
{
	uint64_t	ended;

	(void) state;
	player_begin(&player_usual, 0);
	flood('s', 'r', &ended);
	assert_true(ended >= 10000 && ended <= 10400);
	player_end();
}

/* Both have waited for too long: eight to one. */
static void
late_classes_share(void **state)
{
	int			sequential = 0;
	int			random = 0;
	int			run = 0;

	(void) state;
	player_begin(&player_usual, 0);
	player_play("0 0 r 1 0 8 x1500\n0 1 s 1 0 256 x300\n");
	player.now = 1000000;
	for (int i = 0; i < 90; i++)
	{
		int			before = player.nissued;

		player_issue_all();
		assert_true(player.nissued > before || player.noutstanding > 0);
		player_land(SSDPARD_RESULT_READ, 100);
	}
	for (int i = 8; i < 89; i++)
	{
		bool		is_random = player.issued[i].class == 'r';

		random += is_random;
		sequential += !is_random;
		run = is_random ? run + 1 : 0;
		assert_true(run <= 8);
	}
	assert_int_equal(sequential, 9);
	assert_int_equal(random, 72);
	ssdpard_scheduler_drop_client(player.scheduler, player.clients[0]);
	ssdpard_scheduler_drop_client(player.scheduler, player.clients[1]);
	player_run_out();
	player_end();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_goes_first),
		cmocka_unit_test(large_ranges_are_split),
		cmocka_unit_test(clients_share_a_class),
		cmocka_unit_test(small_and_large_random_share_bytes),
		cmocka_unit_test(sequential_does_not_starve),
		cmocka_unit_test(random_does_not_starve),
		cmocka_unit_test(late_classes_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
