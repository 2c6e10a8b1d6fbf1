/*
 * test_scheduler_zones.c
 *		Unit tests of zones that seem to collect garbage: which are found, and
 *		what becomes of their ranges.
 */
#include <string.h>

#include "scheduler_player.h"

#include "daemon/zones.h"

#define ZONE 65536				/* bytes: eight pages */
#define MS 1000
#define KNOWN 100				/* reads before a test, to know what is usual */

static const SsdpardZoneRules rules = {
	.count = 8, .bytes = ZONE, .slow = 8, .retry = 10 * MS, .longest = 50 * MS
};

/* ----- a device's zones ----- */

static SsdpardZones zones;

/* Reads of 100 us in all zones, enough to know what is usual. */
static void
begin_usual(void)
{
	memset(&zones, 0, sizeof(zones));
	for (int i = 0; i < 100; i++)
		ssdpard_zones_learn(&zones, &rules, i % 8, 100, false, 0);
}

static void
expect(int zone, uint64_t now, SsdpardZoneAnswer answer)
{
	assert_int_equal(ssdpard_zones_ask(&zones, zone, now), answer);
}

/* Three probes are asked for, and take so long. */
static void
probe(int zone, uint64_t now, uint32_t first, uint32_t second, uint32_t third)
{
	for (int i = 0; i < SSDPARD_PROBES; i++)
		expect(zone, now, SSDPARD_ZONE_GIVE_AS_PROBE);
	expect(zone, now, SSDPARD_ZONE_HOLD);
	ssdpard_zones_learn(&zones, &rules, zone, first, true, now);
	ssdpard_zones_learn(&zones, &rules, zone, second, true, now);
	expect(zone, now, SSDPARD_ZONE_HOLD);
	ssdpard_zones_learn(&zones, &rules, zone, third, true, now);
}

static void
addresses_have_zones(void **state)
{
	SsdpardZoneRules none = rules;

	(void) state;
	none.count = 0;
	assert_int_equal(ssdpard_zone_of(&rules, 0), 0);
	assert_int_equal(ssdpard_zone_of(&rules, ZONE - 1), 0);
	assert_int_equal(ssdpard_zone_of(&rules, 7 * ZONE), 7);
	assert_int_equal(ssdpard_zone_of(&rules, 8 * ZONE), 0);
	assert_int_equal(ssdpard_zone_of(&rules, SSDPARD_NOWHERE),
					 SSDPARD_NO_ZONE);
	assert_int_equal(ssdpard_zone_of(&none, ZONE), SSDPARD_NO_ZONE);
}

static void
slow_probes_block_a_zone(void **state)
{
	(void) state;
	begin_usual();
	ssdpard_zones_learn(&zones, &rules, 3, 800, false, 0);
	expect(3, 0, SSDPARD_ZONE_GIVE);
	ssdpard_zones_learn(&zones, &rules, 3, 900, false, 0);
	probe(3, 1000, 900, 100, 900);
	expect(3, 1000, SSDPARD_ZONE_HOLD);
	expect(2, 1000, SSDPARD_ZONE_GIVE);
	expect(3, 10999, SSDPARD_ZONE_HOLD);

	/* tried again, slow still; and again, and it is over */
	probe(3, 11000, 900, 900, 900);
	expect(3, 20999, SSDPARD_ZONE_HOLD);
	probe(3, 21000, 100, 100, 900);
	expect(3, 21000, SSDPARD_ZONE_GIVE);
}

static void
one_slow_read_blocks_nothing(void **state)
{
	(void) state;
	begin_usual();
	ssdpard_zones_learn(&zones, &rules, 3, 50000, false, 0);
	probe(3, 0, 100, 100, 900);
	expect(3, 0, SSDPARD_ZONE_GIVE);
}

/* A probe may be cancelled, or be in the page cache. */
static void
a_probe_without_answer_is_made_again(void **state)
{
	(void) state;
	begin_usual();
	ssdpard_zones_learn(&zones, &rules, 3, 50000, false, 0);
	for (int i = 0; i < 10; i++)
	{
		expect(3, 0, SSDPARD_ZONE_GIVE_AS_PROBE);
		ssdpard_zones_forgo(&zones, 3);
	}
	probe(3, 0, 900, 900, 900);
	expect(3, 0, SSDPARD_ZONE_HOLD);
}

/* Where all is slow there is nothing better to do. */
static void
half_of_the_zones_stay_open(void **state)
{
	int			open = 0;

	(void) state;
	begin_usual();
	for (int i = 0; i < 80; i++)
		ssdpard_zones_learn(&zones, &rules, i % 8, 50000, false, 0);
	for (int i = 0; i < 8; i++)
		open += ssdpard_zones_ask(&zones, i, 0) == SSDPARD_ZONE_GIVE;
	assert_int_equal(open, 4);
}

/* Nothing is usual yet. */
static void
the_first_reads_block_nothing(void **state)
{
	(void) state;
	memset(&zones, 0, sizeof(zones));
	for (int i = 0; i < 63; i++)
		ssdpard_zones_learn(&zones, &rules, 0, i % 2 == 0 ? 100 : 50000, false,
							0);
	expect(0, 0, SSDPARD_ZONE_GIVE);
}

/* A part of a volume that became slow is blocked for a while, not for ever. */
static void
what_stays_slow_becomes_usual(void **state)
{
	uint64_t	now = 0;
	int			blocked = 0;

	(void) state;
	begin_usual();
	ssdpard_zones_learn(&zones, &rules, 3, 5000, false, now);
	while (ssdpard_zones_ask(&zones, 3, now) == SSDPARD_ZONE_GIVE_AS_PROBE)
	{
		ssdpard_zones_forgo(&zones, 3);
		probe(3, now, 5000, 5000, 5000);
		now += 10 * MS;
		assert_true(++blocked < 100);
	}
	assert_int_equal(blocked, 16);
	for (int i = 0; i < 100; i++)
	{
		ssdpard_zones_learn(&zones, &rules, 3, 5000, false, now);
		expect(3, now, SSDPARD_ZONE_GIVE);
	}
	/* it alone, and not beyond what it does now */
	ssdpard_zones_learn(&zones, &rules, 3, 50000, false, now);
	expect(3, now, SSDPARD_ZONE_GIVE_AS_PROBE);
	ssdpard_zones_learn(&zones, &rules, 2, 50000, false, now);
	expect(2, now, SSDPARD_ZONE_GIVE_AS_PROBE);
}

/* ----- ranges ----- */

static uint64_t slow_until;

/* Zone 3 takes 20 ms for a read, as long as that goes on. */
static uint32_t
collecting(uint64_t offset)
{
	return offset / ZONE % 8 == 3 && player.now < slow_until ? 20 * MS : 100;
}

static void
begin_with(bool spare_only, uint32_t max_ranges)
{
	SsdpardRules all = player_usual;

	all.zones = rules;
	all.zones.spare_only = spare_only;
	all.max_ranges = max_ranges;
	player_begin(&all, 0);
	player.service = collecting;
	slow_until = 0;
	for (int i = 0; i < KNOWN; i++)
		player_ask(0, 'r', 1, (uint64_t) i * 8192, 8192);
	player_run_out();
	slow_until = UINT64_MAX;
	player.nissued = 0;
}

static void
begin(bool spare_only)
{
	begin_with(spare_only, player_usual.max_ranges);
}

static void
ask_pages(int client, uint32_t stream, int zone, int pages)
{
	for (int i = 0; i < pages; i++)
		player_ask(client, 'r', stream, (uint64_t) zone * ZONE +
				   (uint64_t) (i % 8) * 8192, 8192);
}

/* Reads of zone 3 that were issued so far. */
static int
count_slow(void)
{
	int			count = 0;

	for (int i = 0; i < player.nissued; i++)
		count += player.issued[i].offset / ZONE == 3;
	return count;
}

/* Client 0 has zone 3 blocked, with HELD of its ranges waiting. */
static void
block(int held)
{
	/* one read is slow, three are probes */
	ask_pages(0, 1, 3, 1);
	player_run_until(player.now + 20 * MS);
	ask_pages(0, 1, 3, 3 + held);
	player_run_until(player.now + 20 * MS);
	assert_int_equal(count_slow(), 4);
	assert_int_equal(ssdpard_scheduler_held(player.scheduler), held);
}

/* Another session and other zones go on, and have all of the depth. */
static void
others_are_read_meanwhile(void **state)
{
	uint64_t	before;

	(void) state;
	begin(false);
	block(10);
	before = player.now;
	ask_pages(1, 1, 5, 400);
	ask_pages(0, 1, 6, 400);
	player_run_until(before + 9 * MS);
	/* of what the depth carries in this time the other session has half */
	assert_true(player.outcomes[1][SSDPARD_SERVED] > 200);
	assert_int_equal(count_slow(), 4);
	assert_int_equal(player.noutstanding,
					 ssdpard_scheduler_depth(player.scheduler));
	player_run_out();
	assert_int_equal(player_accounted(0), KNOWN + 4 + 10 + 400);
	assert_int_equal(player_accounted(1), 400);
	player_end();
}

/* Tried again, it is found to have ended: all of them go. */
static void
held_ranges_go_when_it_is_over(void **state)
{
	(void) state;
	begin(false);
	block(30);
	slow_until = player.now;
	player_run_until(player.now + 12 * MS);
	assert_int_equal(ssdpard_scheduler_held(player.scheduler), 0);
	assert_int_equal(player_accounted(0), KNOWN + 4 + 30);
	player_end();
}

/* However long it goes on: 50 ms, and a millisecond until one looks. */
static void
no_range_is_held_for_longer(void **state)
{
	uint64_t	asked;

	(void) state;
	begin(false);
	asked = player.now;
	block(0);
	asked = player.now;
	ask_pages(0, 1, 3, 8);
	player_run_until(asked + 51 * MS);
	assert_true(player.most_held > 4);
	assert_int_equal(ssdpard_scheduler_held(player.scheduler), 0);
	assert_int_equal(count_slow(), 4 + 8);
	for (int i = 0; i < player.nissued; i++)
		assert_true(player.issued[i].at <= asked + 51 * MS);
	player_run_out();
	player_end();
}

/* While others have something to give; no longer, if so ruled. */
static void
the_depth_is_not_left_idle(void **state)
{
	(void) state;
	begin(true);
	ask_pages(0, 1, 3, 1);
	player_run_until(player.now + 20 * MS);
	ask_pages(1, 1, 5, 80);
	ask_pages(0, 1, 3, 40);
	player_run_until(player.now + 500);
	assert_int_equal(player.most_held, 37);
	player_run_until(player.now + 1500);
	assert_int_equal(player.outcomes[1][SSDPARD_SERVED], 80);

	/* eight, and a quarter in place of those that are late */
	assert_in_range(player.noutstanding, 8, 10);
	player_run_out();
	assert_int_equal(player_accounted(0), KNOWN + 41);
	player_end();
}

static void
only_random_ranges_with_an_address_are_held(void **state)
{
	SsdpardRangeSpec spec = {
		.class = SSDPARD_RANDOM, .file = &player, .offset = 3 * ZONE,
		.length = 8192, .address = SSDPARD_NOWHERE
	};

	(void) state;
	begin(false);
	block(5);
	spec.device = player.device;
	player_ask(0, 's', 1, 3 * ZONE, 2 * ZONE);
	assert_true(ssdpard_scheduler_add(player.scheduler, player.clients[1],
									  &spec, player.now));
	player_issue_all();
	assert_int_equal(ssdpard_scheduler_held(player.scheduler), 5);
	assert_int_equal(player.noutstanding, 2);
	player_run_out();
	player_end();
}

/* A range that is held back has one outcome, whoever goes. */
static void
what_is_held_can_be_dropped(void **state)
{
	(void) state;
	begin(false);
	block(10);
	ask_pages(0, 2, 3, 7);
	ask_pages(1, 2, 3, 6);
	player_issue_all();
	assert_int_equal(ssdpard_scheduler_held(player.scheduler), 23);
	ssdpard_scheduler_cancel(player.scheduler, player.clients[0], 2);
	assert_int_equal(player.outcomes[0][SSDPARD_DROPPED], 7);
	assert_int_equal(ssdpard_scheduler_held(player.scheduler), 16);
	ssdpard_scheduler_drop_client(player.scheduler, player.clients[1]);
	assert_int_equal(player.outcomes[1][SSDPARD_DROPPED], 6);

	/* the probes of the next try are dropped before they are given */
	player.now += 10 * MS;
	ssdpard_scheduler_drop_client(player.scheduler, player.clients[0]);
	assert_int_equal(player.outcomes[0][SSDPARD_DROPPED], 17);
	assert_int_equal(ssdpard_scheduler_held(player.scheduler), 0);
	ask_pages(2, 1, 3, 3);
	player_issue_all();
	assert_int_equal(player.noutstanding, 3);
	player_run_out();
	player_end();
}

/* Held ranges have the pool's room, as all have. */
static void
the_queue_stays_bounded(void **state)
{
	(void) state;
	begin_with(false, 256);
	for (int round = 0; round < 40; round++)
	{
		for (int client = 0; client < CLIENTS; client++)
		{
			ask_pages(client, 1, 3, 100);
			ask_pages(client, 1, 2 + client, 20);
		}
		player_run_until(player.now + 1 * MS);
		assert_true(ssdpard_scheduler_ranges(player.scheduler) <= 256);
	}
	assert_true(player.most_held > 0);
	player_run_out();
	for (int client = 0; client < CLIENTS; client++)
		assert_int_equal(player_accounted(client),
						 40 * 120 + (client == 0 ? KNOWN : 0));
	player_end();
}

static uint32_t chance = 1;

static uint32_t
draw(uint32_t below)
{
	chance = chance * 1664525 + 1013904223;
	return (chance >> 8) % below;
}

/* Any zone may be slow at any time. */
static uint32_t
by_chance(uint64_t offset)
{
	return (offset / ZONE + player.now / (30 * MS)) % 5 == 0 ?
		500 + draw(30 * MS) : 100 + draw(100);
}

/* Whatever happens: one outcome each, and what is not cancelled is served. */
static void
nothing_starves(void **state)
{
	(void) state;
	for (int run = 0; run < 8; run++)
	{
		uint32_t	asked[CLIENTS] = {0};
		bool		cancels = run >= 4;

		begin_with(run % 2 == 0, UINT16_MAX);
		player.service = by_chance;
		asked[0] = KNOWN;
		for (int i = 0; i < 3000; i++)
		{
			int			client = (int) draw(CLIENTS);
			uint32_t	what = draw(100);

			if (cancels && what < 2)
				ssdpard_scheduler_cancel(player.scheduler,
										 player.clients[client], draw(3));
			else
			{
				player_ask(client, what < 10 ? 's' : 'r', draw(3),
						   (uint64_t) draw(64) * 8192,
						   what < 10 ? 131072 : 8192 << draw(2));
				asked[client]++;
			}
			if (what % 5 == 0)
				player_run_until(player.now + draw(2 * MS));
		}
		player_run_out();
		for (int client = 0; client < CLIENTS; client++)
		{
			assert_int_equal(player_accounted(client), asked[client]);
			if (!cancels)
				assert_int_equal(player.outcomes[client][SSDPARD_SERVED],
								 asked[client]);
		}
		assert_true(player.most_held > 0);
		player_end();
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_have_zones),
		cmocka_unit_test(slow_probes_block_a_zone),
		cmocka_unit_test(one_slow_read_blocks_nothing),
		cmocka_unit_test(a_probe_without_answer_is_made_again),
		cmocka_unit_test(half_of_the_zones_stay_open),
		cmocka_unit_test(the_first_reads_block_nothing),
		cmocka_unit_test(what_stays_slow_becomes_usual),
		cmocka_unit_test(others_are_read_meanwhile),
		cmocka_unit_test(held_ranges_go_when_it_is_over),
		cmocka_unit_test(no_range_is_held_for_longer),
		cmocka_unit_test(the_depth_is_not_left_idle),
		cmocka_unit_test(only_random_ranges_with_an_address_are_held),
		cmocka_unit_test(what_is_held_can_be_dropped),
		cmocka_unit_test(the_queue_stays_bounded),
		cmocka_unit_test(nothing_starves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
