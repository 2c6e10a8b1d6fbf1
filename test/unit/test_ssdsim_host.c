/*
 * test_ssdsim_host.c
 *		Schedulers above the device: order, deadlines, zones that collect
 *		garbage, and open loops.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ssdsim_arrivals.h"
#include "ssdsim_host_policy.h"
#include "ssdsim_policy.h"

#define MB (UINT64_C(1) << 20)
#define MS INT64_C(1000000)
#define MOST 16

static SsdsimRequest requests[MOST];
static int	nrequests;
static SsdsimHost host;

static void
begin(const char *policy, int64_t depth)
{
	nrequests = 0;
	ssdsim_host_init(&host, ssdsim_host_policy_find(policy), depth, 64 * MB);
}

static void
ask(SsdsimKind kind, uint64_t megabyte, uint64_t bytes, int64_t when)
{
	SsdsimRequest *request = &requests[nrequests++];

	*request = (SsdsimRequest)
	{
		.kind = kind, .address = megabyte * MB, .bytes = bytes, .asked = when
	};
	ssdsim_host_add(&host, request);
}

/*
 * The order in which all possible requests are sent at NOW, as letters from A.
 */
static const char *
order(int64_t now)
{
	static char text[MOST + 1];
	int			n = 0;
	SsdsimRequest *request;

	while ((request = ssdsim_host_next(&host, now)) != NULL)
	{
		request->arrived = now;
		text[n++] = request->probe ? '?' : (char) ('A' + (request - requests));
	}
	text[n] = '\0';
	return text;
}

/* A request is answered after DURATION. */
static void
answer(SsdsimRequest *request, int64_t duration)
{
	ssdsim_host_done(&host, request, request->arrived + duration);
}

static void
ask_six(const char *policy)
{
	begin(policy, MOST);
	ask(SSDSIM_WRITE, 40, 4096, 1);
	ask(SSDSIM_READ, 30, 65536, 2);
	ask(SSDSIM_READ, 20, 4096, 3);
	ask(SSDSIM_WRITE, 10, 65536, 4);
	ask(SSDSIM_READ, 21, 16384, 5);
	ask(SSDSIM_READ, 1, 4096, 6);
}

static void
test_orders(void **state)
{
	(void) state;
	ask_six("noop");
	assert_string_equal(order(10), "ABCDEF");
	ask_six("deadline");
	assert_string_equal(order(10), "FCEBAD");
	ask_six("pardispatcher");
	assert_string_equal(order(10), "CEBFDA");
	ask_six("sizes");
	assert_string_equal(order(10), "CFEBAD");
	ask_six("amphibian");
	assert_string_equal(order(10), "CFEBAD");
}

static void
test_deadlines(void **state)
{
	(void) state;
	/* the large read, and then the write, have waited for too long */
	begin("sizes", 1);
	ask(SSDSIM_READ, 1, 65536, 0);
	ask(SSDSIM_READ, 2, 4096, 400 * MS);
	assert_string_equal(order(501 * MS), "A");
	begin("sizes", 1);
	ask(SSDSIM_WRITE, 1, 4096, 0);
	ask(SSDSIM_READ, 2, 4096, 4900 * MS);
	assert_string_equal(order(4999 * MS), "B");
	begin("sizes", 1);
	ask(SSDSIM_WRITE, 1, 4096, 0);
	ask(SSDSIM_READ, 2, 4096, 4900 * MS);
	assert_string_equal(order(5001 * MS), "A");
}

static void
test_depth(void **state)
{
	(void) state;
	begin("noop", 2);
	for (uint64_t i = 0; i < 4; i++)
		ask(SSDSIM_READ, i, 4096, 0);
	assert_string_equal(order(1), "AB");
	assert_string_equal(order(2), "");
	answer(&requests[0], 100);
	assert_string_equal(order(3), "C");
}

/* Reads with usual times, and one that takes several times as long. */
static void
answer_late(const char *policy, int times)
{
	begin(policy, MOST);
	ask(SSDSIM_READ, 5, 4096, 0);
	ask(SSDSIM_READ, 20, 4096, 0);
	assert_string_equal(order(0), "AB");
	answer(&requests[0], 1000);
	answer(&requests[1], 1000 * times);
}

static void
block_zone(void)
{
	answer_late("eager", 10);
}

static void
answer_probes(int64_t duration)
{
	SsdsimZone *zone = &host.zones.zones[20];

	for (int i = 0; i < SSDSIM_PROBES; i++)
		answer(&zone->probes[i], duration);
}

static void
test_zone_collects(void **state)
{
	(void) state;
	block_zone();
	ask(SSDSIM_READ, 20, 4096, 0);
	ask(SSDSIM_READ, 21, 4096, 0);
	assert_string_equal(order(20000), "???D");
	answer_probes(5000);
	assert_int_equal(host.zones.blocks, 1);
	assert_string_equal(order(30000), "");
	/* its deadline comes before the next attempt */
	assert_int_equal(ssdsim_host_wake(&host, 30000), 500 * MS + 1);
	assert_string_equal(order(500 * MS + 1), "C");
	ask(SSDSIM_READ, 20, 4096, 900 * MS);
	assert_string_equal(order(900 * MS), "");
	assert_int_equal(ssdsim_host_wake(&host, 900 * MS), 1000 * MS + 25000);
	assert_string_equal(order(1000 * MS + 25000), "???");
	answer_probes(1000);
	assert_string_equal(order(1001 * MS), "E");
}

/* One slow response is not a collection, as three fast ones show. */
static void
test_zone_was_only_slow(void **state)
{
	(void) state;
	block_zone();
	ask(SSDSIM_READ, 20, 4096, 0);
	assert_string_equal(order(20000), "???");
	answer_probes(1000);
	assert_int_equal(host.zones.blocks, 0);
	assert_string_equal(order(30000), "C");
	assert_int_equal(ssdsim_host_wake(&host, 30000), SSDSIM_NEVER);
}

/* The threshold is a factor of 100, because waiting for a program is less. */
static void
test_orders_of_magnitude(void **state)
{
	(void) state;
	answer_late("amphibian", 99);
	ask(SSDSIM_READ, 20, 4096, 0);
	assert_string_equal(order(100000), "C");
	answer_late("amphibian", 101);
	ask(SSDSIM_READ, 20, 4096, 0);
	assert_string_equal(order(200000), "???");
	answer_probes(99000);
	assert_int_equal(host.zones.blocks, 0);
	answer_late("amphibian", 101);
	assert_string_equal(order(200000), "???");
	answer_probes(101000);
	assert_int_equal(host.zones.blocks, 1);
	assert_int_equal(ssdsim_host_wake(&host, 400 * MS), 1000 * MS + 301000);
}

/* Permanently slow is not collecting, so the zone is reopened eventually. */
static void
test_slow_for_good(void **state)
{
	int64_t		now = 20000;
	int			tries = 0;

	(void) state;
	block_zone();
	while (strcmp(order(now), "???") == 0)
	{
		answer_probes(5000);
		now = host.zones.zones[20].blocked ? host.zones.zones[20].retry :
			now + 5000;
		assert_in_range(++tries, 1, 32);
	}
	assert_false(host.zones.zones[20].blocked);
	assert_in_range(tries, 2, 32);
}

static void
test_tries_again_soon(void **state)
{
	(void) state;
	answer_late("eager-brief", 10);
	assert_string_equal(order(20000), "???");
	answer_probes(5000);
	assert_int_equal(ssdsim_host_wake(&host, 30000), 10 * MS + 25000);
}

/* Every request of a load completes once, under each scheduler. */
static void
test_all_complete(void **state)
{
	static SsdsimRun run;
	SsdsimSpec	spec;
	SsdsimError error;
	SsdsimLoad	load = {
		.nloops = 1, .requests = 3000, .time = SSDSIM_NEVER, .seed = 5,
		.burst = 8
	};

	(void) state;
	assert_true(ssdsim_spec_load("x25-e", SSDSIM_DEVICES, &spec, &error));
	assert_true(ssdsim_spec_set(&spec, "blocks 20", &error));
	load.loops[0] = (SsdsimLoop)
	{
		.depth = 40, .read_share = 0.5, .random_share =
		{
			1, 0.5
		},
			.bytes = 4096, .large_bytes = 65536, .large_share = 0.3,
			.length = ssdsim_spec_capacity(&spec)
	};
	for (int i = 0; ssdsim_host_policy_at(i) != NULL; i++)
		for (int open = 0; open < 2; open++)
		{
			load.rate = open ? 2000 : 0;
			ssdsim_run_begin(&run, &spec, ssdsim_policy_at(0), 1, 1);
			ssdsim_run_schedule(&run, ssdsim_host_policy_at(i), 4);
			if (open)
				ssdsim_arrivals_run(&load, &run);
			else
				ssdsim_load_run(&load, &run);
			assert_int_equal(run.result.requests, load.requests);
			assert_int_equal(run.result.all.count, load.requests);
		}
}

/* A device smaller than a probe is probed within its bounds. */
static void
test_tiny_device(void **state)
{
	SsdsimRequest *probe;
	int			probes = 0;

	(void) state;
	begin("eager", MOST);
	ssdsim_host_init(&host, ssdsim_host_policy_find("eager"), MOST, 1024);
	ask(SSDSIM_READ, 0, 512, 0);
	ask(SSDSIM_READ, 0, 512, 0);
	assert_string_equal(order(0), "AB");
	answer(&requests[0], 1000);
	answer(&requests[1], 10000);
	while ((probe = ssdsim_host_next(&host, 20000)) != NULL)
	{
		probe->arrived = 20000;
		assert_true(probe->address + probe->bytes <= 1024);
		probes++;
	}
	assert_int_equal(probes, SSDSIM_PROBES);
}

/* An open loop's requests arrive at its rate, however fast the device is. */
static void
test_rate(void **state)
{
	static SsdsimRun run;
	SsdsimSpec	spec;
	SsdsimError error;
	SsdsimLoad	load = {
		.nloops = 1, .requests = 20000, .time = SSDSIM_NEVER, .seed = 1,
		.rate = 1000, .burst = 4
	};

	(void) state;
	assert_true(ssdsim_spec_load("ssd-s", SSDSIM_DEVICES, &spec, &error));
	load.loops[0] = (SsdsimLoop)
	{
		.depth = 1, .read_share = 1, .random_share =
		{
			1, 1
		}, .bytes = 4096,
			.length = MB
	};
	ssdsim_run_begin(&run, &spec, ssdsim_policy_at(0), 1, -1);
	ssdsim_arrivals_run(&load, &run);
	assert_int_equal(run.result.late, 0);
	assert_in_range(run.result.time / MS, 18500, 21500);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_deadlines),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_zone_collects),
		cmocka_unit_test(test_zone_was_only_slow),
		cmocka_unit_test(test_orders_of_magnitude),
		cmocka_unit_test(test_slow_for_good),
		cmocka_unit_test(test_tries_again_soon),
		cmocka_unit_test(test_all_complete),
		cmocka_unit_test(test_tiny_device),
		cmocka_unit_test(test_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
