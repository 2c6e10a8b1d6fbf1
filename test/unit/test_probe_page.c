/*
 * test_probe_page.c
 *		Unit tests of the page of plots (probe/page.c, probe/chart.c).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/page.h"

#define MOST_POINTS 600

static ProbePoint points[MOST_POINTS];
static ProbeResult result;

/* SIZES by DEPTHS random reads that a device of eight domains would give. */
static void
invent(int sizes, int depths)
{
	memset(&result, 0, sizeof(result));
	memset(points, 0, sizeof(points));
	result.points = points;
	for (int s = 0; s < sizes; s++)
		for (int d = 0; d < depths; d++)
		{
			ProbePoint *point = &points[result.npoints++];

			point->request_size = 8192u * (unsigned) (s + 1);
			point->queue_depth = d + 1;
			point->iops = 1e4 * (d < 8 ? d + 1 : 8) / (s + 1);
			point->bytes_per_second = point->iops * point->request_size;
			point->latency_p50 = 1e6 * point->queue_depth / point->iops;
			point->latency_p99 = 3 * point->latency_p50;
		}
}

static int
count(const char *page, const char *text)
{
	int			found = 0;

	while ((page = strstr(page, text)) != NULL)
	{
		found++;
		page++;
	}
	return found;
}

static char *
make_page(void)
{
	char	   *page = ssdpar_probe_page("/data", &result, 0);

	assert_non_null(page);
	assert_int_equal(count(page, "<svg "), count(page, "</svg>"));
	assert_int_equal(count(page, "<g "), count(page, "</g>"));
	assert_non_null(strstr(page, "</html>\n"));
	assert_null(strstr(page, "\"nan"));
	assert_null(strstr(page, "inf\""));
	assert_null(strstr(page, "-nan"));
	return page;
}

/* Four charts of random reads, and the one beside other devices. */
static void
of_random_reads(void **state)
{
	char	   *page;

	(void) state;
	invent(3, 5);
	page = make_page();
	assert_int_equal(count(page, "<svg "), 5);
	assert_int_equal(count(page, ">this device</text>"), 1);
	assert_int_equal(count(page, ">24 kB</text>"), 3);
	assert_non_null(strstr(page, "Writes were not measured"));
	assert_non_null(strstr(page, "1970-01-01 00:00 UTC"));
	free(page);
}

/* More of everything than there are colours, or room. */
static void
of_many_points(void **state)
{
	char	   *page;

	(void) state;
	invent(16, 32);
	page = make_page();
	assert_int_equal(count(page, "<svg "), 5);
	assert_int_equal(count(page, ">128 kB</text>"), 3);
	assert_int_equal(count(page, ">depth 32</text>"), 1);
	free(page);
}

static void
of_few_points(void **state)
{
	char	   *page;

	(void) state;
	invent(0, 0);
	page = make_page();
	assert_int_equal(count(page, "<svg "), 0);
	free(page);

	invent(1, 1);
	points[0].latency_p50 = 0;	/* no logarithm */
	points[0].request_size = 4096;	/* not what others are known by */
	page = make_page();
	assert_int_equal(count(page, "<svg "), 3);
	free(page);
}

static void
beside_writes(void **state)
{
	ProbePoint	mixed[2];
	char	   *page;

	(void) state;
	invent(1, 16);
	mixed[0] = mixed[1] = points[15];
	mixed[0].write_share = 10;
	mixed[1].write_share = 50;
	result.mixed = mixed;
	result.nmixed = 2;
	page = make_page();
	assert_int_equal(count(page, "<figcaption>Reads a second beside"), 1);
	assert_int_equal(count(page, ">reads of 8 kB</text>"), 2);
	free(page);
}

/* What a device or a user calls itself is no HTML. */
static void
odd_names(void **state)
{
	char	   *page;

	(void) state;
	invent(1, 2);
	strcpy(result.device.model, "<b>\"A&B\"");
	page = make_page();
	assert_non_null(strstr(page, "&lt;b&gt;&quot;A&amp;B&quot;"));
	assert_null(strstr(page, "<b>"));
	free(page);
}

/* Rates that only a file written by hand has: the axis has an end. */
static void
no_devices_numbers(void **state)
{
	static const double odd[] = {5e-324, 1e-300, 1e300, INFINITY, NAN, 0, -1};
	char	   *page;

	(void) state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
	{
		invent(2, 4);
		points[1].iops = points[2].latency_p50 = odd[i];
		page = ssdpar_probe_page("/data", &result, 0);
		assert_non_null(page);
		assert_true(strlen(page) < 100000);
		free(page);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_random_reads),
		cmocka_unit_test(of_many_points),
		cmocka_unit_test(of_few_points),
		cmocka_unit_test(beside_writes),
		cmocka_unit_test(odd_names),
		cmocka_unit_test(no_devices_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
