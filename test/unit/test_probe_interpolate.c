/*
 * test_probe_interpolate.c
 *		Unit tests of src/device/interpolate.c: the profile between and beyond
 *		its measured points, and invalid profiles.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/device/interpolate.h"

/* 8 and 32 kB; depths 1, 4, 16; in arbitrary order. */
static const SsdparPoint sound[] = {
	{SSDPAR_RANDOM, 8192, 16, 40000}, {SSDPAR_RANDOM, 8192, 1, 10000},
	{SSDPAR_RANDOM, 8192, 4, 40000}, {SSDPAR_RANDOM, 32768, 1, 5000},
	{SSDPAR_RANDOM, 32768, 4, 10000}, {SSDPAR_RANDOM, 32768, 16, 10000},
	{SSDPAR_SEQUENTIAL, 32768, 1, 8000}, {SSDPAR_SEQUENTIAL, 8192, 1, 16000},
	{SSDPAR_SEQUENTIAL, 8192, 4, 32000}, {SSDPAR_SEQUENTIAL, 32768, 4, 9000},
	{SSDPAR_SEQUENTIAL, 8192, 16, 33000},
	{SSDPAR_SEQUENTIAL, 32768, 16, 9000},
};
#define NSOUND ((int) (sizeof(sound) / sizeof(sound[0])))

static void
assert_close(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%.12g is not %.12g", value, expected);
}

static void
build(SsdparProfile *profile)
{
	assert_null(ssdpar_profile_build(profile, sound, NSOUND));
}

static void
measured_points_come_back(void **state)
{
	SsdparProfile profile;

	(void) state;
	build(&profile);
	for (int i = 0; i < NSOUND; i++)
		assert_close(ssdpar_profile_iops(&profile, sound[i].pattern,
										 sound[i].request_size,
										 sound[i].queue_depth),
					 sound[i].iops);
}

static void
between_points(void **state)
{
	SsdparProfile profile;

	(void) state;
	build(&profile);

	/* halfway in the logarithm is the geometric mean */
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 8192, 2), 20000);
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 16384, 1),
				 sqrt(10000.0 * 5000.0));
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 16384, 2),
				 sqrt(20000.0 * sqrt(5000.0 * 10000.0)));
}

static void
beyond_points(void **state)
{
	SsdparProfile profile;

	(void) state;
	build(&profile);
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 8192, 1000),
				 40000);
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 8192, 0.1),
				 10000);
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 8192, NAN),
				 10000);
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 512, 4), 40000);

	/* twice the largest request: half the rate, the same bytes */
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 65536, 4), 5000);
	assert_close(ssdpar_profile_bandwidth(&profile, SSDPAR_RANDOM, 65536, 4),
				 10000.0 * 32768);
}

static void
latency_and_saturation(void **state)
{
	SsdparProfile profile;

	(void) state;
	build(&profile);
	assert_close(ssdpar_profile_latency(&profile, SSDPAR_RANDOM, 8192, 4),
				 100.0);
	assert_int_equal(ssdpar_profile_saturation_depth(&profile), 4);
	assert_close(ssdpar_profile_scan_bandwidth(&profile),
				 ssdpar_profile_bandwidth(&profile, SSDPAR_SEQUENTIAL,
										  256 * 1024, 4));
}

/* Rates at 8 and 32 kB with 1, 4 and 16 outstanding, for both patterns. */
static void
build_of(SsdparProfile *profile, const double rates[6])
{
	SsdparPoint points[NSOUND];

	for (int i = 0; i < NSOUND; i++)
	{
		bool		large = sound[i].request_size > 8192;
		int			depth = sound[i].queue_depth > 4 ? 2 :
			sound[i].queue_depth > 1 ? 1 : 0;

		points[i] = sound[i];
		points[i].iops = rates[large * 3 + depth];
	}
	assert_null(ssdpar_profile_build(profile, points, NSOUND));
}

/* Deeper queues and larger requests are never slower; noise is averaged. */
static void
dips_are_noise(void **state)
{
	static const double depth[] = {100, 400, 100, 50, 100, 100};
	static const double size[] = {1000, 4000, 4000, 100, 2000, 2000};
	SsdparProfile profile;

	(void) state;
	build_of(&profile, depth);
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 8192, 1), 100);
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 8192, 4), 200);
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 8192, 16), 200);
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 32768, 4), 100);

	/* 8 kB 1000 times and 32 kB 100 times per second: 5.18 MB/s both */
	build_of(&profile, size);
	assert_close(ssdpar_profile_bandwidth(&profile, SSDPAR_RANDOM, 8192, 1),
				 sqrt(8192000.0 * 3276800.0));
	assert_close(ssdpar_profile_bandwidth(&profile, SSDPAR_RANDOM, 32768, 1),
				 sqrt(8192000.0 * 3276800.0));
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_RANDOM, 8192, 4), 4000);
	assert_int_equal(ssdpar_profile_saturation_depth(&profile), 4);
}

/* No dip along either axis remains, whatever was measured. */
static void
every_profile_is_monotone(void **state)
{
	SsdparProfile profile;

	(void) state;
	srandom(1);
	for (int round = 0; round < 2000; round++)
	{
		double		rates[6];

		for (int i = 0; i < 6; i++)
			rates[i] = exp((double) (random() % 1000) / 100.0);
		build_of(&profile, rates);
		for (int s = 0; s < profile.nsizes; s++)
			for (int d = 0; d < profile.ndepths; d++)
			{
				const double *row = profile.iops[SSDPAR_RANDOM][s];

				assert_true(d == 0 || row[d] >= row[d - 1] * (1 - 1e-9));
				assert_true(s == 0 || row[d] * 4 >= (row - SSDPAR_GRID_MAX)[d] *
							(1 - 1e-6));
			}
	}
}

static void
one_point_of_each_pattern(void **state)
{
	SsdparProfile profile;

	(void) state;
	assert_null(ssdpar_profile_build(
									 &profile,
									 (SsdparPoint[]){{SSDPAR_RANDOM, 8192, 1, 100},
													 {SSDPAR_SEQUENTIAL, 8192, 1, 200}},
									 2));
	assert_close(ssdpar_profile_iops(&profile, SSDPAR_SEQUENTIAL, 4096, 9),
				 200);
	assert_int_equal(ssdpar_profile_saturation_depth(&profile), 1);
}

static void
nonsense(void **state)
{
	static const double bad[] = {0.0, -1.0, NAN, INFINITY};
	SsdparPoint points[NSOUND];
	SsdparProfile profile;

	(void) state;
	assert_non_null(ssdpar_profile_build(&profile, sound, 0));
	assert_non_null(ssdpar_profile_build(&profile, sound, NSOUND - 1));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
	{
		memcpy(points, sound, sizeof(sound));
		points[3].iops = bad[i];
		assert_non_null(ssdpar_profile_build(&profile, points, NSOUND));
		memcpy(points, sound, sizeof(sound));
		points[3].queue_depth = bad[i];
		assert_non_null(ssdpar_profile_build(&profile, points, NSOUND));
	}
}

/* Valid numbers, but not those of any device or sweep. */
static void
absurd(void **state)
{
	static const double rates[] = {5e-324, 1e-4, 1e10, 1e308};
	static const SsdparPoint ends[] = {
		{SSDPAR_RANDOM, 100, 1, 100},
		{SSDPAR_RANDOM, 2e9, 1, 100},
		{SSDPAR_RANDOM, 8192, 1e6, 100},
	};
	SsdparPoint points[NSOUND];
	SsdparProfile profile;

	(void) state;
	memcpy(points, sound, sizeof(sound));
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
	{
		points[3].iops = rates[i];
		assert_string_equal(ssdpar_profile_build(&profile, points, NSOUND),
							"a measured rate is no device's");
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		assert_string_equal(ssdpar_profile_build(&profile, &ends[i], 1),
							"a request size or queue depth is no sweep's");
}

/* A full grid, but without single pages read one at a time. */
static void
without_single_pages(void **state)
{
	SsdparPoint points[] = {
		{SSDPAR_RANDOM, 8192, 4, 100},
		{SSDPAR_SEQUENTIAL, 8192, 4, 200},
	};
	SsdparProfile profile;

	(void) state;
	assert_string_equal(ssdpar_profile_build(&profile, points, 2),
						"no reads one at a time were measured");
	for (int i = 0; i < 2; i++)
	{
		points[i].queue_depth = 1;
		points[i].request_size = 32768;
	}
	assert_string_equal(ssdpar_profile_build(&profile, points, 2),
						"no reads of 8 kB or less were measured");
}

static void
too_many_depths(void **state)
{
	SsdparPoint points[SSDPAR_GRID_MAX + 1];
	SsdparProfile profile;

	(void) state;
	for (int i = 0; i <= SSDPAR_GRID_MAX; i++)
		points[i] = (SsdparPoint){SSDPAR_RANDOM, 8192, i + 1, 100};
	assert_non_null(
					ssdpar_profile_build(&profile, points, SSDPAR_GRID_MAX + 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measured_points_come_back),
		cmocka_unit_test(between_points),
		cmocka_unit_test(beyond_points),
		cmocka_unit_test(latency_and_saturation),
		cmocka_unit_test(dips_are_noise),
		cmocka_unit_test(every_profile_is_monotone),
		cmocka_unit_test(one_point_of_each_pattern),
		cmocka_unit_test(nonsense),
		cmocka_unit_test(absurd),
		cmocka_unit_test(without_single_pages),
		cmocka_unit_test(too_many_depths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
