/*
 * test_ssb_tables.c
 *		Scale factors, table sizes, key ranges, and the uniform distribution of
 *		the dimensions' attributes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ssb_gen.h"

static SsbScale
scale_of(const char *text)
{
	SsbScale	scale = 0;
	SsbError	error;

	if (!ssb_parse_scale(text, &scale, &error))
		fail_msg("%s", error.text);
	return scale;
}

static void
test_scales_taken(void **state)
{
	(void) state;
	assert_int_equal(scale_of("1"), 1000000);
	assert_int_equal(scale_of("100"), 100000000);
	assert_int_equal(scale_of("100.000"), 100000000);
	assert_int_equal(scale_of("0.01"), 10000);
	assert_int_equal(scale_of(".5"), 500000);
	assert_int_equal(scale_of("007"), 7000000);
	assert_int_equal(scale_of("0.123456"), 123456);
	assert_int_equal(scale_of("0.1234560"), 123456);
}

static void
test_scales_refused(void **state)
{
	static const char *const bad[] = {
		"0", "0.0", "0.009999", "-1", "+1", "abc", "1e9", "1e1", "nan", "inf",
		"1x", "x1", "", ".", "1.2.3", "1,5", " 1", "1 ", "100.000001", "101",
		"0x10", "0.1234567", "99999999999999999999999999",
	};
	SsbScale	scale;
	SsbError	error;

	(void) state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
	{
		if (ssb_parse_scale(bad[i], &scale, &error))
			fail_msg("\"%s\" was taken as %u", bad[i], scale);
		assert_non_null(strstr(error.text, "0.01 to 100"));
	}
}

static void
check_sizes(const char *scale, uint32_t orders, uint32_t customers,
			uint32_t suppliers, uint32_t parts)
{
	SsbSizes	sizes;
	SsbError	error;

	assert_true(ssb_sizes(scale_of(scale), &sizes, &error));
	assert_int_equal(sizes.units[SSB_LINEORDER], orders);
	assert_int_equal(sizes.units[SSB_CUSTOMER], customers);
	assert_int_equal(sizes.units[SSB_SUPPLIER], suppliers);
	assert_int_equal(sizes.units[SSB_PART], parts);
	assert_int_equal(sizes.units[SSB_DATE], 2556);
}

/* Part: 200,000 x floor(1 + log2 scale). */
static void
test_cardinalities(void **state)
{
	(void) state;
	check_sizes("0.01", 15000, 300, 20, 2000);
	check_sizes("0.5", 750000, 15000, 1000, 100000);
	check_sizes("1", 1500000, 30000, 2000, 200000);
	check_sizes("1.999999", 2999998, 59999, 3999, 200000);
	check_sizes("2", 3000000, 60000, 4000, 400000);
	check_sizes("3.999999", 5999998, 119999, 7999, 400000);
	check_sizes("4", 6000000, 120000, 8000, 600000);
	check_sizes("5", 7500000, 150000, 10000, 600000);
	check_sizes("64", 96000000, 1920000, 128000, 1400000);
	check_sizes("100", 150000000, 3000000, 200000, 1400000);
}

static void
test_keys_fit(void **state)
{
	SsbSizes	sizes;
	SsbError	error;

	(void) state;
	assert_int_equal(ssb_order_key(1), 1);
	assert_int_equal(ssb_order_key(7), 7);
	assert_int_equal(ssb_order_key(8), 32);
	assert_int_equal(ssb_order_key(15), 39);
	assert_int_equal(ssb_order_key(16), 64);
	assert_true(ssb_order_key(150000000) <= INT32_MAX);
	/* Sizes beyond what ssb_parse_scale allows must be detected. */
	assert_true(ssb_sizes(350000000, &sizes, &error));
	assert_false(ssb_sizes(360000000, &sizes, &error));
	assert_non_null(strstr(error.text, "lo_orderkey"));
	assert_false(ssb_sizes(UINT32_MAX, &sizes, &error));
}

static void
make_gen(SsbGen *gen, const char *scale)
{
	SsbError	error;

	assert_true(ssb_gen_init(gen, scale_of(scale), 1, &error));
}

/*
 * Every city has n/250 rows, plus or minus one; likewise its nation and
 * region.
 */
static void
check_places(const char *scale, SsbTable table)
{
	static SsbGen gen;
	uint32_t	cities[SSB_NNATIONS][SSB_CITIES_PER_NATION] = {{0}};
	uint32_t	nations[SSB_NNATIONS] = {0};
	uint32_t	regions[SSB_NREGIONS] = {0};
	uint32_t	n;

	make_gen(&gen, scale);
	n = gen.sizes.units[table];
	for (uint32_t i = 0; i < n; i++)
	{
		SsbParty	party;

		ssb_make_party(&gen, table, i, &party);
		assert_int_equal(party.key, i + 1);
		cities[party.place.nation][party.place.city]++;
		nations[party.place.nation]++;
		regions[party.place.region]++;
	}
	for (uint32_t i = 0; i < SSB_NREGIONS; i++)
		assert_in_range(regions[i], n / 5, (n + 4) / 5);
	for (uint32_t i = 0; i < SSB_NNATIONS; i++)
	{
		assert_in_range(nations[i], n / 25, (n + 24) / 25);
		for (uint32_t j = 0; j < SSB_CITIES_PER_NATION; j++)
			assert_in_range(cities[i][j], n / 250, (n + 249) / 250);
	}
}

static void
test_places_are_dealt_evenly(void **state)
{
	(void) state;
	check_places("1", SSB_SUPPLIER);
	check_places("1", SSB_CUSTOMER);
	check_places("0.01", SSB_SUPPLIER);
	check_places("0.01", SSB_CUSTOMER);
	check_places("0.37", SSB_SUPPLIER);
}

static void
test_parts_are_dealt_evenly(void **state)
{
	static SsbGen gen;
	static uint32_t brands[6][6][41];
	static uint32_t colors[SSB_NCOLORS];
	static uint32_t types[SSB_NTYPES];

	(void) state;
	make_gen(&gen, "1");
	for (uint32_t i = 0; i < 200000; i++)
	{
		SsbPart		part;

		ssb_make_part(&gen, i, &part);
		brands[part.mfgr][part.category][part.brand]++;
		colors[part.color]++;
		types[part.type]++;
		assert_in_range(part.size, 1, 50);
		assert_true(part.container < SSB_NCONTAINERS);
		assert_true(part.name[0] < SSB_NCOLORS);
		assert_true(part.name[1] < SSB_NCOLORS);
		assert_int_not_equal(part.name[0], part.name[1]);
		assert_int_not_equal(part.name[0], part.color);
		assert_int_not_equal(part.name[1], part.color);
	}
	for (int m = 1; m <= 5; m++)
		for (int c = 1; c <= 5; c++)
			for (int b = 1; b <= 40; b++)
				assert_int_equal(brands[m][c][b], 200);
	for (int i = 0; i < SSB_NCOLORS; i++)
		assert_in_range(colors[i], 2173, 2174);
	for (int i = 0; i < SSB_NTYPES; i++)
		assert_in_range(types[i], 1333, 1334);
}

/* The segment must be independent of the city. */
static void
test_deals_are_independent(void **state)
{
	static SsbGen gen;
	uint32_t	pairs[SSB_NREGIONS][SSB_NSEGMENTS] = {{0}};

	(void) state;
	make_gen(&gen, "1");
	for (uint32_t i = 0; i < 30000; i++)
	{
		SsbParty	party;

		ssb_make_party(&gen, SSB_CUSTOMER, i, &party);
		pairs[party.place.region][party.segment]++;
	}
	/* 1,200 each, +- 5 standard deviations. */
	for (int i = 0; i < SSB_NREGIONS; i++)
		for (int j = 0; j < SSB_NSEGMENTS; j++)
			assert_in_range(pairs[i][j], 1027, 1373);
}

static void
check_order(const SsbGen *gen, uint32_t row)
{
	SsbOrder	order;
	int64_t		total = 0;

	ssb_make_order(gen, row, &order);
	assert_int_equal(order.key, ssb_order_key(row + 1));
	assert_in_range(order.custkey, 1, gen->sizes.units[SSB_CUSTOMER]);
	assert_in_range(order.nlines, 1, 7);
	assert_true(order.day < SSB_DAYS);
	for (int i = 0; i < order.nlines; i++)
	{
		const SsbLine *line = &order.lines[i];
		int			delay = line->commit_day - order.day;

		assert_in_range(line->partkey, 1, gen->sizes.units[SSB_PART]);
		assert_in_range(line->suppkey, 1, gen->sizes.units[SSB_SUPPLIER]);
		assert_in_range(line->quantity, 1, 50);
		assert_in_range(line->discount, 0, 10);
		assert_in_range(line->tax, 0, 8);
		assert_true(line->commit_day < SSB_DAYS);
		assert_true(delay <= 90);
		assert_true(delay >= 30 || line->commit_day == SSB_DAYS - 1);
		assert_int_equal(line->extendedprice,
						 ssb_part_price(line->partkey) * line->quantity);
		total += (int64_t) line->revenue * (100 + line->tax) / 100;
	}
	assert_int_equal(order.totalprice, total);
}

static void
test_orders(void **state)
{
	static SsbGen gen;

	(void) state;
	make_gen(&gen, "100");
	for (uint32_t i = 0; i < 20000; i++)
		check_order(&gen, i);
	for (uint32_t i = 149990000; i < 150000000; i++)
		check_order(&gen, i);
	make_gen(&gen, "0.01");
	for (uint32_t i = 0; i < 15000; i++)
		check_order(&gen, i);
}

/* Computed by hand from the reference tool's formula. */
static void
test_prices(void **state)
{
	(void) state;
	assert_int_equal(ssb_part_price(1), 90100);
	assert_int_equal(ssb_part_price(999), 90000 + 99 + 99900);
	assert_int_equal(ssb_part_price(1000), 90000 + 100);
	assert_int_equal(ssb_part_price(200010), 90000 + 0 + 1000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scales_taken),
		cmocka_unit_test(test_scales_refused),
		cmocka_unit_test(test_cardinalities),
		cmocka_unit_test(test_keys_fit),
		cmocka_unit_test(test_places_are_dealt_evenly),
		cmocka_unit_test(test_parts_are_dealt_evenly),
		cmocka_unit_test(test_deals_are_independent),
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_prices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
