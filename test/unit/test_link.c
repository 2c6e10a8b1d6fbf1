/*
 * test_link.c
 *		What rows and keys take between two servers (src/shards/link/link.c).
 *
 * links: src/shards/link/link.c
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "shards/link/link.h"

/* No row takes nothing; each lot of rows takes a latency. */
static void
test_latency(void **state)
{
	SsdparLink	link = ssdpar_default_link(100);
	double		few;
	double		more;

	(void) state;
	assert_true(ssdpar_link_rows_seconds(&link, 0, 8, 2) == 0);
	few = ssdpar_link_rows_seconds(&link, 100, 8, 2);
	more = ssdpar_link_rows_seconds(&link, 101, 8, 2);
	assert_true(few > link.latency_seconds);
	assert_true(few < 2 * link.latency_seconds);
	assert_true(more - few > link.latency_seconds);
}

/* Wide rows take the time of their bytes, many keys more than few. */
static void
test_bytes(void **state)
{
	SsdparLink	link = ssdpar_default_link(10000);
	double		narrow = ssdpar_link_rows_seconds(&link, 10000, 10, 1);
	double		wide = ssdpar_link_rows_seconds(&link, 10000, 1010, 1);
	double		bytes = 10000 * 1000.0;

	(void) state;
	assert_true(wide - narrow > 0.99 * bytes / link.bytes_per_second);
	assert_true(wide - narrow < 1.01 * bytes / link.bytes_per_second);
	assert_true(ssdpar_link_keys_seconds(&link, 0) == 0);
	assert_true(ssdpar_link_keys_seconds(&link, 1000) >
				ssdpar_link_keys_seconds(&link, 999));
}

/* A row that comes takes longer than a key that goes, and that than a test. */
static void
test_order(void **state)
{
	SsdparLink	link = ssdpar_default_link(100);

	(void) state;
	assert_true(ssdpar_link_rows_seconds(&link, 1000, 4, 1) >
				ssdpar_link_keys_seconds(&link, 1000));
	assert_true(ssdpar_link_keys_seconds(&link, 1000) >
				ssdpar_link_tests_seconds(1000));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
