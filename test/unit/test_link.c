/*
 * test_link.c
 *		Unit tests of the time that rows and keys take between two servers
 *		(src/shards/link/link.c).
 *
 * links: src/shards/link/link.c
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "shards/link/link.h"

static double
rows_seconds(const SsdparLink *link, double rows, double width, int columns)
{
	SsdparSpent spent = ssdpar_link_rows(link, rows, width, columns);

	return spent.here + spent.there;
}

static double
keys_seconds(const SsdparLink *link, double keys)
{
	SsdparSpent spent = ssdpar_link_keys(link, keys);

	return spent.here + spent.there;
}

/* Zero rows take no time; each batch of rows takes one latency. */
static void
test_latency(void **state)
{
	SsdparLink	link = ssdpar_default_link(100);
	double		few;
	double		more;

	(void) state;
	assert_true(rows_seconds(&link, 0, 8, 2) == 0);
	few = rows_seconds(&link, 100, 8, 2);
	more = rows_seconds(&link, 101, 8, 2);
	assert_true(few > link.latency_seconds);
	assert_true(few < 2 * link.latency_seconds);
	assert_true(more - few > link.latency_seconds);
}

/* Wide rows take the time of their bytes; many keys take more than few. */
static void
test_bytes(void **state)
{
	SsdparLink	link = ssdpar_default_link(10000);
	double		narrow = rows_seconds(&link, 10000, 10, 1);
	double		wide = rows_seconds(&link, 10000, 1010, 1);
	double		bytes = 10000 * 1000.0;

	(void) state;
	assert_true(wide - narrow > 0.99 * bytes / link.bytes_per_second);
	assert_true(wide - narrow < 1.01 * bytes / link.bytes_per_second);
	assert_true(keys_seconds(&link, 0) == 0);
	assert_true(keys_seconds(&link, 1000) >
				keys_seconds(&link, 999));
}

/*
 * Receiving a row takes longer than sending a key, and that longer than a
 * test.
 */
static void
test_order(void **state)
{
	SsdparLink	link = ssdpar_default_link(100);

	(void) state;
	assert_true(rows_seconds(&link, 1000, 4, 1) >
				keys_seconds(&link, 1000));
	assert_true(keys_seconds(&link, 1000) >
				ssdpar_link_tests(1000).there);
}

/* A filter takes at most a third of the time of a list of the same keys. */
static void
test_filter(void **state)
{
	SsdparLink	link = ssdpar_default_link(100);
	SsdparSpent list = ssdpar_link_keys(&link, 1e6);
	SsdparSpent filter = ssdpar_link_filter(&link, 1e6 * 10 / 8);

	(void) state;
	assert_true(ssdpar_link_filter(&link, 0).there == 0);
	assert_true(filter.here < list.here && filter.there < list.there / 3);
}

/* Unknown properties of a server take no time. */
static void
test_scan(void **state)
{
	SsdparLink	link = ssdpar_default_link(100);

	(void) state;
	assert_true(ssdpar_link_scan(&link, 1e9, 1e6).there == 0);
	link.device_bytes_per_second = 1e8;
	assert_true(fabs(ssdpar_link_scan(&link, 1e9, 1e6).there - 10) < 1e-9);
	link.cost_unit_seconds = 1e-5;
	assert_true(fabs(ssdpar_link_scan(&link, 1e9, 1e6).there - 10.1) < 1e-9);
	assert_true(ssdpar_link_scan(&link, 1e9, 1e6).here == 0);
}

static SsdparPlaced
placed(int place, bool async, double here, double there)
{
	SsdparPlaced table = {
		.place = place,
		.async = async,
		.spent = {.here = here, .there = there},
	};

	return table;
}

/*
 * Places work concurrently, tables of a place in turn, this server always in
 * turn.
 */
static void
test_at_once(void **state)
{
	double		room[3];
	SsdparPlaced two[] = {placed(0, true, 1, 9), placed(1, true, 1, 5)};
	SsdparPlaced same[] = {placed(2, true, 1, 9), placed(2, true, 1, 5)};
	SsdparPlaced after[] = {placed(0, true, 1, 9), placed(1, false, 1, 5)};
	SsdparPlaced here[] = {placed(0, true, 9, 1), placed(1, true, 8, 1)};

	(void) state;
	assert_true(ssdpar_all_seconds(two, 2, room, 3) == 10);
	assert_true(ssdpar_all_seconds(same, 2, room, 3) == 16);
	assert_true(ssdpar_all_seconds(after, 2, room, 3) == 16);
	assert_true(ssdpar_all_seconds(here, 2, room, 3) == 17);
	assert_true(ssdpar_all_seconds(here, 0, room, 3) == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_scan),
		cmocka_unit_test(test_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
