/*
 * test_probe_statistics.c
 *		Unit tests of probe/statistics.c, plan.c and summary.c.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/plan.h"
#include "probe/statistics.h"
#include "probe/summary.h"

static void
assert_close(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance * fabs(expected)))
		fail_msg("%g is not within %g of %g", value, tolerance, expected);
}

static void
median_of_odd_and_even(void **state)
{
	double		odd[] = {9.0, 1.0, 5.0};
	double		even[] = {4.0, 1.0, 3.0, 2.0};
	double		one[] = {7.0};

	(void) state;
	assert_close(ssdpar_probe_median(odd, 3), 5.0, 0);
	assert_close(ssdpar_probe_median(even, 4), 2.5, 0);
	assert_close(ssdpar_probe_median(one, 1), 7.0, 0);
}

static void
spread_is_relative_to_median(void **state)
{
	double		values[] = {120.0, 80.0, 100.0};
	double		zeros[] = {0.0, 0.0};

	(void) state;
	assert_close(ssdpar_probe_spread(values, 3), 0.4, 1e-12);
	assert_true(ssdpar_probe_spread(zeros, 2) == 0.0);
	assert_true(ssdpar_probe_spread(values, 1) == 1.0);
}

static void
quantiles_within_a_bucket(void **state)
{
	ProbeHistogram histogram;

	(void) state;
	ssdpar_probe_histogram_reset(&histogram);
	assert_true(ssdpar_probe_histogram_quantile(&histogram, 0.5) == 0.0);
	for (uint64_t i = 1; i <= 100000; i++)
		ssdpar_probe_histogram_add(&histogram, i * 10);
	assert_close(ssdpar_probe_histogram_quantile(&histogram, 0.5), 500000,
				 1.0 / 32);
	assert_close(ssdpar_probe_histogram_quantile(&histogram, 0.99), 990000,
				 1.0 / 32);
}

/* Each small value has its own bucket; the largest is in the last one. */
static void
extreme_values(void **state)
{
	ProbeHistogram histogram;

	(void) state;
	for (uint64_t value = 0; value < 64; value++)
	{
		ssdpar_probe_histogram_reset(&histogram);
		ssdpar_probe_histogram_add(&histogram, value);
		assert_true(ssdpar_probe_histogram_quantile(&histogram, 1.0) ==
					(double) value);
	}
	ssdpar_probe_histogram_reset(&histogram);
	ssdpar_probe_histogram_add(&histogram, UINT64_MAX);
	ssdpar_probe_histogram_add(&histogram, (UINT64_C(1) << 40) - 1);
	assert_int_equal(histogram.count[HISTOGRAM_BUCKETS - 1], 2);
}

/* Powers of two and their neighbors are reproduced within 1/32. */
static void
buckets_have_no_gap(void **state)
{
	ProbeHistogram histogram;

	(void) state;
	for (int bit = 5; bit < 40; bit++)
		for (int step = -1; step <= 1; step++)
		{
			uint64_t	value = (UINT64_C(1) << bit) + (uint64_t) step;

			ssdpar_probe_histogram_reset(&histogram);
			ssdpar_probe_histogram_add(&histogram, value);
			assert_close(ssdpar_probe_histogram_quantile(&histogram, 0.5),
						 (double) value, 1.0 / 32);
		}
}

static void
default_plan(void **state)
{
	ProbeOptions options;
	ProbeError	error;
	ProbePoint	points[168];

	(void) state;
	ssdpar_probe_default_options(&options);
	assert_true(ssdpar_probe_check_options(&options, &error));
	assert_int_equal(ssdpar_probe_count_points(&options), 84);
	options.writes = true;
	assert_int_equal(ssdpar_probe_count_points(&options), 168);
	ssdpar_probe_list_points(&options, points);
	assert_int_equal(points[0].operation, PROBE_READ);
	assert_int_equal(points[0].pattern, PROBE_RANDOM);
	assert_int_equal(points[1].queue_depth, 2);
	assert_int_equal(points[7].request_size, 16384);
	assert_int_equal(points[42].pattern, PROBE_SEQUENTIAL);
	assert_int_equal(points[84].operation, PROBE_WRITE);
	assert_int_equal(points[167].request_size, 262144);
	assert_int_equal(points[167].queue_depth, 64);
}

static void
assert_refused(const ProbeOptions *options)
{
	ProbeError	error;

	memset(&error, 0, sizeof(error));
	assert_false(ssdpar_probe_check_options(options, &error));
	assert_int_equal(error.kind, PROBE_BAD_OPTION);
	assert_true(error.message[0] != '\0' && error.detail[0] != '\0' &&
				error.hint[0] != '\0');
}

#define REFUSE(field, value) \
	do \
	{ \
		ProbeOptions bad = good; \
		bad.field = value; \
		assert_refused(&bad); \
	} while (0)

static void
impossible_options(void **state)
{
	ProbeOptions good;

	(void) state;
	ssdpar_probe_default_options(&good);
	REFUSE(nsizes, 0);
	REFUSE(nsizes, PROBE_MAX_SIZES + 1);
	REFUSE(ndepths, 0);
	REFUSE(passes, 0);
	REFUSE(passes, PROBE_MAX_PASSES + 1);
	REFUSE(sizes[0], 0);
	REFUSE(sizes[0], 6 * 1024);
	REFUSE(sizes[1], good.sizes[0]);
	REFUSE(sizes[5], 2048 * 1024);
	REFUSE(depths[0], 0);
	REFUSE(depths[6], PROBE_MAX_DEPTH + 1);
	REFUSE(depths[2], 1);
	REFUSE(seconds, 0.0);
	REFUSE(seconds, NAN);
	REFUSE(seconds, INFINITY);
	REFUSE(file_size, 0);
	REFUSE(file_size, PROBE_MAX_FILE + (1 << 20));
	REFUSE(file_size, PROBE_MIN_FILE + 4096);
}

static void
shuffle_visits_each_once(void **state)
{
	int			order[84];
	int			other[84];
	bool		seen[100] = {false};

	(void) state;
	ssdpar_probe_shuffle(order, 10, 84, 1);
	ssdpar_probe_shuffle(other, 10, 84, 2);
	assert_true(memcmp(order, other, sizeof(order)) != 0);
	for (int i = 0; i < 84; i++)
	{
		assert_in_range(order[i], 10, 93);
		assert_false(seen[order[i]]);
		seen[order[i]] = true;
	}
}

/* 8 kB random: 10k, 20k, 37k, 40k IOPS; 256 kB sequential: 1 and 2 GB/s. */
static void
summary_of_a_small_sweep(void **state)
{
	ProbePoint	points[6];
	ProbeSummary summary;
	static const double iops[] = {10000, 20000, 37000, 40000};

	(void) state;
	memset(points, 0, sizeof(points));
	for (int i = 0; i < 4; i++)
	{
		points[i].request_size = 8192;
		points[i].queue_depth = 1 << i;
		points[i].iops = iops[i];
		points[i].bytes_per_second = iops[i] * 8192;
		points[i].spread = 0.1;
	}
	for (int i = 4; i < 6; i++)
	{
		points[i].pattern = PROBE_SEQUENTIAL;
		points[i].request_size = 262144;
		points[i].queue_depth = i == 4 ? 1 : 4;
		points[i].bytes_per_second = i == 4 ? 1e9 : 2e9;
		points[i].iops = points[i].bytes_per_second / 262144;
		points[i].spread = 0.5;
	}
	ssdpar_probe_summarize(points, 6, &summary);
	assert_close(summary.peak_iops, 40000, 0);
	assert_close(summary.peak_bytes_per_second, 2e9, 0);
	assert_int_equal(summary.saturation_depth, 4);
	assert_close(summary.ratio_at_one, 0.08192, 1e-9);
	assert_close(summary.ratio_at_saturation, 37000 * 8192 / 2e9, 1e-9);
	assert_close(summary.confidence, 0.9, 1e-9);
	assert_string_equal(ssdpar_probe_confidence_word(summary.confidence),
						"good");
	assert_string_equal(ssdpar_probe_confidence_word(0.65), "fair");
	assert_string_equal(ssdpar_probe_confidence_word(0.64), "poor");
}

static void
summary_without_the_usual_sizes(void **state)
{
	ProbePoint	point = {.request_size = 16384, .queue_depth = 1,
		.iops = 100, .bytes_per_second = 1638400,
	.spread = 3.0};
	ProbeSummary summary;

	(void) state;
	ssdpar_probe_summarize(&point, 1, &summary);
	assert_true(summary.peak_iops == 0.0 && summary.ratio_at_one == 0.0);
	assert_int_equal(summary.saturation_depth, 0);
	assert_true(summary.confidence == 0.0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(median_of_odd_and_even),
		cmocka_unit_test(spread_is_relative_to_median),
		cmocka_unit_test(quantiles_within_a_bucket),
		cmocka_unit_test(extreme_values),
		cmocka_unit_test(buckets_have_no_gap),
		cmocka_unit_test(default_plan),
		cmocka_unit_test(impossible_options),
		cmocka_unit_test(shuffle_visits_each_once),
		cmocka_unit_test(summary_of_a_small_sweep),
		cmocka_unit_test(summary_without_the_usual_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
