/*
 * test_scheduler_streams.c
 *		Unit tests of the scheduler on recorded streams of requests: order,
 *		depth, fairness, deadlines, cancelling, the bound of the queue.
 *
 * links: daemon/scheduler.c daemon/scheduler_next.c daemon/latency.c
 *
 * A stream is a text, a request a line:
 *
 *	MS CLIENT CLASS STREAM OFFSET_KB LENGTH_KB [xREPEATS]
 *
 * CLASS is r or s; a repeated request goes on where the one before ended.
 * Requests of the same millisecond are all there before one is issued.
 * The device that plays it serves DEPTH pieces at a time, each in a fixed
 * time, so that what comes out depends on nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/scheduler.h"

#define CLIENTS 4
#define MOST_PIECES 65536

typedef struct Issued
{
	uint64_t at;				/* us */
	uint64_t offset;
	uint32_t length;
	int client;
	char class;
} Issued;

typedef struct Player
{
	SsdpardScheduler *scheduler;
	SsdpardClient *clients[CLIENTS];
	int device;
	uint64_t now;
	uint32_t outcomes[CLIENTS][SSDPARD_DROPPED + 1];
	uint32_t refused[CLIENTS];	/* found no room */
	Issued issued[MOST_PIECES];
	int nissued;
	SsdpardPiece flying[1024];	/* in the order they were issued */
	uint64_t ends[1024];
	int nflying;
	int most_flying;
	uint32_t service_us;		/* of one piece */
} Player;

static int owners[CLIENTS];
static Player player;

static void
finished(void *owner, void *file, SsdpardOutcome outcome)
{
	assert_ptr_equal(file, &player);
	player.outcomes[(int *) owner - owners][outcome]++;
}

static const SsdpardRules usual = {
	.max_ranges = 4096,
	.piece_bytes = 256 * 1024,
	.depth = 8,
	.random_deadline = 20000,
	.sequential_deadline = 200000,
};

static void
begin(const SsdpardRules *rules, uint32_t client_depth)
{
	memset(&player, 0, sizeof(player));
	player.service_us = 100;
	player.scheduler = ssdpard_scheduler_create(rules, finished);
	assert_non_null(player.scheduler);
	player.device = ssdpard_scheduler_device(player.scheduler, 77);
	for (int i = 0; i < CLIENTS; i++)
		player.clients[i] = ssdpard_scheduler_add_client(player.scheduler,
														 client_depth,
														 &owners[i]);
}

static void
issue_all(void)
{
	SsdpardPiece piece;

	while (ssdpard_scheduler_next(player.scheduler, player.device, player.now,
								  &piece))
	{
		Issued *issued = &player.issued[player.nissued++];

		assert_true(player.nissued < MOST_PIECES && player.nflying < 1024);
		issued->at = player.now;
		issued->offset = piece.offset;
		issued->length = piece.length;
		issued->client = (int) ((int *) ssdpard_piece_owner(&piece) - owners);
		issued->class = piece.length > 65536 ? 's' : 'r';
		player.ends[player.nflying] = player.now + player.service_us;
		player.flying[player.nflying++] = piece;
	}
	if (player.nflying > player.most_flying)
		player.most_flying = player.nflying;
}

/* The oldest read ends. */
static void
land(SsdpardResult result, uint32_t latency)
{
	SsdpardPiece piece = player.flying[0];

	assert_true(player.nflying > 0);
	player.nflying--;
	memmove(player.flying, player.flying + 1,
			(size_t) player.nflying * sizeof(piece));
	memmove(player.ends, player.ends + 1,
			(size_t) player.nflying * sizeof(uint64_t));
	ssdpard_scheduler_done(player.scheduler, &piece, result, latency);
}

static void
run_until(uint64_t end)
{
	issue_all();
	while (player.nflying > 0 && player.ends[0] <= end)
	{
		player.now = player.ends[0];
		land(SSDPARD_WAS_READ, player.service_us);
		issue_all();
	}
	if (player.now < end)
		player.now = end;
}

static void
run_out(void)
{
	run_until(player.now);
	while (player.nflying > 0)
		run_until(player.ends[player.nflying - 1]);
}

static void
ask(int client, char class, uint32_t stream, uint64_t offset, uint32_t length)
{
	SsdpardRequest request = {player.device,
		class == 'r' ? SSDPARD_RANDOM : SSDPARD_SEQUENTIAL, stream, &player,
		offset, length};

	if (!ssdpard_scheduler_add(player.scheduler, player.clients[client],
							   &request, player.now))
		player.refused[client]++;
}

static void
play(const char *text)
{
	while (*text != '\0')
	{
		unsigned ms;
		unsigned client;
		unsigned stream;
		unsigned offset;
		unsigned length;
		unsigned repeats = 1;
		char class;

		assert_true(sscanf(text, "%u %u %c %u %u %u x%u", &ms, &client, &class,
						   &stream, &offset, &length, &repeats) >= 6);
		assert_true(client < CLIENTS);
		if (ms * UINT64_C(1000) > player.now)
			run_until(ms * UINT64_C(1000));
		for (unsigned i = 0; i < repeats; i++)
			ask((int) client, class, stream,
				(offset + (uint64_t) i * length) * 1024, length * 1024);
		text = strchr(text, '\n');
		assert_non_null(text);
		text++;
	}
}

static uint32_t
accounted(int client)
{
	uint32_t sum = player.refused[client];

	for (int i = 0; i <= SSDPARD_DROPPED; i++)
		sum += player.outcomes[client][i];
	return sum;
}

static void
end(void)
{
	for (int i = 0; i < CLIENTS; i++)
		if (player.clients[i] != NULL)
		{
			assert_int_equal(ssdpard_client_ranges(player.clients[i]), 0);
			ssdpard_scheduler_free_client(player.scheduler,
										  player.clients[i]);
		}
	assert_int_equal(ssdpard_scheduler_in_flight(player.scheduler), 0);
	ssdpard_scheduler_free(player.scheduler);
}

/* A scan announces a window, then an index scan its pages. */
static const char scan_and_pages[] =
	"0 0 s 1 0 1024 x32\n"
	"1 1 r 1 500000 8 x64\n";

static void
random_goes_first(void **state)
{
	int first = -1;
	int last = -1;

	(void) state;
	begin(&usual, 0);
	play(scan_and_pages);
	run_out();
	for (int i = 0; i < player.nissued; i++)
		if (player.issued[i].class == 'r')
		{
			first = first < 0 ? i : first;
			last = i;
		}
	/* a quarter of the slots, four at least, was the scan's: the rest is free
	 * at once, and nothing of the scan comes in between */
	assert_true(player.issued[first].at == 1000);
	for (int i = first; i < last; i++)
		assert_int_equal(player.issued[i].class, 'r');
	assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 32);
	assert_int_equal(player.outcomes[1][SSDPARD_SERVED], 64);
	end();
}

static void
large_ranges_go_in_pieces(void **state)
{
	uint64_t expected = 4096;

	(void) state;
	begin(&usual, 0);
	ask(0, 's', 1, 4096, 1024 * 1024 - 512);
	run_out();
	assert_int_equal(player.nissued, 4);
	for (int i = 0; i < 4; i++)
	{
		assert_true(player.issued[i].offset == expected);
		expected += player.issued[i].length;
	}
	assert_true(expected == 4096 + 1024 * 1024 - 512);
	assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 1);
	end();
}

static void
depth_is_kept(void **state)
{
	SsdpardRules rules = usual;

	(void) state;
	for (uint32_t depth = 1; depth <= 64; depth *= 2)
	{
		rules.depth = depth;
		begin(&rules, 0);
		play("0 0 r 1 0 8 x500\n0 1 r 1 0 8 x500\n0 2 s 1 0 512 x100\n");
		run_out();
		assert_int_equal(player.most_flying, depth);
		assert_int_equal(player.outcomes[2][SSDPARD_SERVED], 100);
		end();
	}
}

static void
profile_and_rules_bound_the_depth(void **state)
{
	SsdpardRules rules = usual;

	(void) state;
	rules.depth = 0;
	begin(&rules, 0);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler),
					 SSDPARD_DEFAULT_DEPTH);
	ssdpard_scheduler_set_profile(player.scheduler, player.device, 12);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 12);
	rules.depth = 5;
	ssdpard_scheduler_set_rules(player.scheduler, &rules);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 5);
	ask(0, 'r', 1, 0, 8192);
	run_out();
	end();
}

static void
client_depth_is_kept(void **state)
{
	(void) state;
	begin(&usual, 3);
	play("0 0 r 1 0 8 x100\n");
	run_out();
	assert_int_equal(player.most_flying, 3);
	play("500 0 r 1 0 8 x100\n500 1 r 1 0 8 x100\n");
	run_out();
	assert_int_equal(player.most_flying, 6);
	end();
}

/* Bytes that each client got while all of them had something queued. */
static void
bytes_in_first(int pieces, uint64_t bytes[CLIENTS])
{
	memset(bytes, 0, CLIENTS * sizeof(uint64_t));
	for (int i = 0; i < pieces; i++)
		bytes[player.issued[i].client] += player.issued[i].length;
}

/* One asks for much more than the others, and earlier. */
static const char greedy_and_modest[] =
	"0 0 s 1 0 1024 x400\n"
	"0 1 s 1 0 1024 x30\n"
	"0 2 s 1 0 256 x120\n"
	"0 3 s 1 0 128 x240\n";

static void
clients_share_a_class(void **state)
{
	uint64_t bytes[CLIENTS];

	(void) state;
	begin(&usual, 0);
	play(greedy_and_modest);
	run_out();
	bytes_in_first(400, bytes);
	for (int i = 1; i < CLIENTS; i++)
	{
		uint64_t more = bytes[i] > bytes[0] ? bytes[i] - bytes[0]
			: bytes[0] - bytes[i];

		if (more > 2 * 256 * 1024)
			fail_msg("client %d got %llu bytes, client 0 %llu", i,
					 (unsigned long long) bytes[i],
					 (unsigned long long) bytes[0]);
	}
	end();
}

static void
small_and_large_random_share_bytes(void **state)
{
	uint64_t bytes[CLIENTS];

	(void) state;
	begin(&usual, 0);
	play("0 0 r 1 0 8 x2000\n0 1 r 1 0 64 x250\n");
	run_out();
	bytes_in_first(900, bytes);
	assert_true(bytes[0] > bytes[1] * 9 / 10 && bytes[1] > bytes[0] * 9 / 10);
	end();
}

/* Random requests without end: the queue is refilled as fast as it drains. */
static void
flood(char flooding, char waiting, uint64_t *waited)
{
	bool asked = false;

	*waited = 0;
	for (int i = 0; i < 3000 && *waited == 0; i++)
	{
		while (ssdpard_client_ranges(player.clients[0]) < 200)
			ask(0, flooding, 1, 0, flooding == 'r' ? 8192 : 262144);
		if (i == 100 && !asked)
		{
			ask(1, waiting, 1, 0, waiting == 'r' ? 8192 : 262144);
			asked = true;
		}
		run_until(player.now + player.service_us);
		if (asked && ssdpard_client_ranges(player.clients[1]) == 0)
			*waited = player.now;
	}
	ssdpard_scheduler_drop_client(player.scheduler, player.clients[0]);
	run_out();
}

static void
sequential_does_not_starve(void **state)
{
	uint64_t ended;

	(void) state;
	begin(&usual, 0);
	flood('r', 's', &ended);
	/* asked after 10 ms, late 200 ms later, then served within a few turns */
	assert_true(ended >= 200000 && ended <= 212000);
	end();
}

static void
random_does_not_starve(void **state)
{
	uint64_t ended;

	(void) state;
	begin(&usual, 0);
	flood('s', 'r', &ended);
	assert_true(ended >= 10000 && ended <= 10400);
	end();
}

/* Both have been waiting for too long: eight to one. */
static void
late_classes_share(void **state)
{
	int sequential = 0;
	int random = 0;
	int run = 0;

	(void) state;
	begin(&usual, 0);
	play("0 0 r 1 0 8 x1500\n0 1 s 1 0 256 x300\n");
	player.now = 1000000;
	for (int i = 0; i < 90; i++)
	{
		int before = player.nissued;

		issue_all();
		assert_true(player.nissued > before || player.nflying > 0);
		land(SSDPARD_WAS_READ, 100);
	}
	for (int i = 8; i < 89; i++)
	{
		bool is_random = player.issued[i].class == 'r';

		random += is_random;
		sequential += !is_random;
		run = is_random ? run + 1 : 0;
		assert_true(run <= 8);
	}
	assert_int_equal(sequential, 9);
	assert_int_equal(random, 72);
	ssdpard_scheduler_drop_client(player.scheduler, player.clients[0]);
	ssdpard_scheduler_drop_client(player.scheduler, player.clients[1]);
	run_out();
	end();
}

static void
cancelled_streams_are_dropped(void **state)
{
	(void) state;
	begin(&usual, 0);
	play("0 0 s 1 0 1024 x10\n0 0 s 2 0 1024 x10\n0 0 r 2 0 8 x10\n"
		 "0 1 s 2 0 1024 x10\n");
	issue_all();
	ssdpard_scheduler_cancel(player.scheduler, player.clients[0], 2);
	run_out();
	/* eight slots: eight of its random pages were with the device already */
	assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 10 + 8);
	assert_int_equal(player.outcomes[0][SSDPARD_DROPPED], 12);
	assert_int_equal(player.outcomes[1][SSDPARD_SERVED], 10);
	assert_int_equal(accounted(0), 30);
	end();
}

static void
dropped_client_leaves_nothing(void **state)
{
	(void) state;
	begin(&usual, 0);
	play("0 0 s 1 0 1024 x10\n0 0 r 7 0 8 x100\n0 1 r 1 0 8 x5\n");
	issue_all();
	ssdpard_scheduler_drop_client(player.scheduler, player.clients[0]);
	/* four of each are in flight, and the other's fifth is queued */
	assert_int_equal(player.nflying, 8);
	assert_int_equal(ssdpard_client_ranges(player.clients[0]) +
					 ssdpard_client_ranges(player.clients[1]), 9);
	run_out();
	assert_int_equal(accounted(0), 110);
	assert_int_equal(player.outcomes[1][SSDPARD_SERVED], 5);
	end();
}

static void
partly_read_counts_as_served(void **state)
{
	(void) state;
	begin(&usual, 1);
	ask(0, 's', 1, 0, 1024 * 1024);
	issue_all();
	land(SSDPARD_WAS_READ, 100);
	issue_all();
	ssdpard_scheduler_cancel(player.scheduler, player.clients[0], 1);
	assert_int_equal(accounted(0), 0);	/* one piece is in flight */
	land(SSDPARD_HAS_FAILED, 100);
	assert_int_equal(player.outcomes[0][SSDPARD_SERVED], 1);
	assert_int_equal(accounted(0), 1);
	end();
}

static void
one_outcome_each(void **state)
{
	static const struct
	{
		SsdpardResult results[2];
		SsdpardOutcome outcome;
	} cases[] = {
		{{SSDPARD_WAS_READ, SSDPARD_WAS_CACHED}, SSDPARD_SERVED},
		{{SSDPARD_WAS_STALE, SSDPARD_WAS_READ}, SSDPARD_SERVED},
		{{SSDPARD_WAS_CACHED, SSDPARD_WAS_CACHED}, SSDPARD_CACHED},
		{{SSDPARD_WAS_CACHED, SSDPARD_WAS_STALE}, SSDPARD_CACHED},
		{{SSDPARD_WAS_STALE, SSDPARD_WAS_STALE}, SSDPARD_STALE},
		{{SSDPARD_WAS_CACHED, SSDPARD_HAS_FAILED}, SSDPARD_DROPPED},
		{{SSDPARD_HAS_FAILED, SSDPARD_WAS_STALE}, SSDPARD_DROPPED},
	};

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		begin(&usual, 0);
		ask(0, 's', 1, 0, 512 * 1024);
		issue_all();
		land(cases[i].results[0], 100);
		land(cases[i].results[1], 100);
		assert_int_equal(player.outcomes[0][cases[i].outcome], 1);
		assert_int_equal(accounted(0), 1);
		end();
	}
}

/* Who floods the queue leaves room for those who come later. */
static void
queue_is_bounded_and_shared(void **state)
{
	SsdpardRules rules = usual;

	(void) state;
	rules.max_ranges = 128;
	begin(&rules, 0);
	play("0 0 r 1 0 8 x1000\n");
	assert_int_equal(ssdpard_scheduler_ranges(player.scheduler), 64);
	assert_int_equal(player.refused[0], 936);
	for (int client = 1; client < CLIENTS; client++)
		for (int i = 0; i < 8; i++)
			ask(client, 'r', 1, 0, 8192);
	for (int client = 1; client < CLIENTS; client++)
		assert_int_equal(player.refused[client], 0);
	for (int client = 0; client < CLIENTS; client++)
		for (int i = 0; i < 1000; i++)
			ask(client, 'r', 1, 0, 8192);
	assert_true(ssdpard_scheduler_ranges(player.scheduler) <= 128);
	run_out();
	assert_int_equal(accounted(0), 2000);
	end();
}

/* Reads of 100 us; while SLOW, two of a window take 50 ms. */
static void
read_windows(int windows, bool slow)
{
	for (int i = 0; i < windows * 128; i++)
	{
		ask(0, 'r', 1, 0, 8192);
		issue_all();
		land(SSDPARD_WAS_READ, slow && i % 128 < 2 ? 50000 : 100);
	}
}

static void
garbage_collection_halves_the_depth(void **state)
{
	SsdpardRules rules = usual;

	(void) state;
	rules.depth = 32;
	begin(&rules, 0);
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
	end();
}

static uint64_t waited;

static uint64_t
tell_wait(void)
{
	return waited;
}

/* A tail that comes from waiting for a CPU says nothing about the device. */
static void
a_busy_machine_is_not_garbage(void **state)
{
	SsdpardRules rules = usual;

	(void) state;
	rules.depth = 32;
	begin(&rules, 0);
	ssdpard_scheduler_set_waits(player.scheduler, tell_wait);
	read_windows(3, false);
	waited += 40000;
	read_windows(1, true);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 32);
	waited += 1000;
	read_windows(1, true);
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 16);
	end();
}

static void
one_slow_read_is_an_accident(void **state)
{
	(void) state;
	begin(&usual, 0);
	read_windows(2, false);
	for (int i = 0; i < 128; i++)
	{
		ask(0, 'r', 1, 0, 8192);
		issue_all();
		land(SSDPARD_WAS_READ, i == 5 ? 500000 : 100);
	}
	assert_int_equal(ssdpard_scheduler_depth(player.scheduler), 8);
	end();
}

static void
devices_do_not_share_a_queue(void **state)
{
	SsdpardPiece piece;
	int first;
	int other;

	(void) state;
	begin(&usual, 0);
	first = player.device;
	other = ssdpard_scheduler_device(player.scheduler, 78);
	assert_int_equal(ssdpard_scheduler_device(player.scheduler, 77), first);
	assert_true(other != first);
	play("0 0 r 1 0 8 x100\n");
	issue_all();
	assert_int_equal(player.nflying, 8);
	player.device = other;
	ask(1, 'r', 1, 0, 8192);
	assert_true(ssdpard_scheduler_next(player.scheduler, other, 0, &piece));
	ssdpard_scheduler_done(player.scheduler, &piece, SSDPARD_WAS_READ, 1);
	player.device = first;
	run_out();
	for (uint64_t number = 100; number < 200; number++)
		assert_in_range(ssdpard_scheduler_device(player.scheduler, number), 2,
						SSDPARD_MAX_DEVICES - 1);
	end();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_goes_first),
		cmocka_unit_test(large_ranges_go_in_pieces),
		cmocka_unit_test(depth_is_kept),
		cmocka_unit_test(profile_and_rules_bound_the_depth),
		cmocka_unit_test(client_depth_is_kept),
		cmocka_unit_test(clients_share_a_class),
		cmocka_unit_test(small_and_large_random_share_bytes),
		cmocka_unit_test(sequential_does_not_starve),
		cmocka_unit_test(random_does_not_starve),
		cmocka_unit_test(late_classes_share),
		cmocka_unit_test(cancelled_streams_are_dropped),
		cmocka_unit_test(dropped_client_leaves_nothing),
		cmocka_unit_test(partly_read_counts_as_served),
		cmocka_unit_test(one_outcome_each),
		cmocka_unit_test(queue_is_bounded_and_shared),
		cmocka_unit_test(garbage_collection_halves_the_depth),
		cmocka_unit_test(a_busy_machine_is_not_garbage),
		cmocka_unit_test(one_slow_read_is_an_accident),
		cmocka_unit_test(devices_do_not_share_a_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
