/*
 * test_ssb_factors.c
 *		Scale 1 in memory: each query selects the number of rows that the
 *		specification's filter factor promises, within 2 %.
 *
 * If 2 % cannot be expected, the query is in the table of exceptions with the
 * reason, and is allowed three standard deviations around its exact factor
 * instead.  Unnecessary exceptions fail the test.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "ssb_factors.h"

#define ROWS 6000000.0
#define TOLERANCE 0.02
#define DAYS 2556.0

/*
 * exact: the factor that follows from the definition of the data. line_factor:
 * the part of it that is drawn for each line; the rest (date, customer) is
 * drawn once per order, so it is the same for all lines of an order.
 */
typedef struct Exception
{
	const char *query;
	double		exact;
	double		line_factor;
	const char *reason;
} Exception;

static const Exception exceptions[] = {
	{"1.1", 365 / DAYS * 24 / 50 * 3 / 11, 24.0 / 50 * 3 / 11,
	"quantity < 25 holds 24 of 50 values, the specification counts 1/2"},
	{"1.2", 31 / DAYS / 5 * 3 / 11, 1.0 / 5 * 3 / 11,
	"3,900 rows; January has 31 days, 1/84 of the calendar 30.4"},
	{"1.2n", 7 / DAYS / 5 * 3 / 11, 1.0 / 5 * 3 / 11, "900 rows"},
	{"1.3", 7 / DAYS / 10 * 3 / 11, 1.0 / 10 * 3 / 11, "450 rows"},
	{"2.2", 1.0 / 625, 1.0 / 625, "9,600 rows"},
	{"2.3", 1.0 / 5000, 1.0 / 5000, "1,200 rows"},
	{"3.2", 2192 / DAYS / 625, 1.0 / 25, "8,200 rows"},
	{"3.3", 2192 / DAYS / 15625, 1.0 / 125, "330 rows"},
	{"3.4", 31 / DAYS / 15625, 1.0 / 125, "5 rows"},
	{"4.2", 729 / DAYS * 2 / 125, 2.0 / 25,
	"27,000 rows, but those of an order come together"},
	{"4.3", 729 / DAYS / 3125, 1.0 / 625, "550 rows"},
};

#define NEXCEPTIONS (sizeof(exceptions) / sizeof(exceptions[0]))

static const Exception *
find_exception(const char *query)
{
	for (size_t i = 0; i < NEXCEPTIONS; i++)
	{
		if (strcmp(exceptions[i].query, query) == 0)
			return &exceptions[i];
	}
	return NULL;
}

/*
 * Standard deviation of the number of rows.  L lines per order are uniform in
 * 1 to 7, so E L = 4 and E L(L - 1) = 16: each row has on average four others
 * in its order, weighted by its probability.  Two lines of an order are both
 * selected with probability exact x line_factor.
 */
static double
deviation(const Exception *e)
{
	return sqrt(ROWS * e->exact *
				(1 - e->exact + 4 * (e->line_factor - e->exact)));
}

static void
check_query(const SsbQueryInfo *query, uint64_t selected)
{
	const Exception *e = find_exception(query->name);
	double		expected = ROWS * query->factor;
	double		allowed = TOLERANCE * expected;

	if (e != NULL)
	{
		expected = ROWS * e->exact;
		allowed = 3 * deviation(e);
	}
	if (fabs((double) selected - expected) > allowed)
		fail_msg("q%s selects %llu rows, %.0f +- %.0f expected%s%s",
				 query->name, (unsigned long long) selected, expected,
				 allowed, e != NULL ? ": " : "",
				 e != NULL ? e->reason : "");
}

static void
check_seed(uint64_t seed)
{
	static SsbGen gen;
	SsbCounts	counts;
	SsbError	error;

	assert_true(ssb_gen_init(&gen, SSB_SCALE_ONE, seed, &error));
	assert_true(ssb_count_factors(&gen, &counts, &error));
	/* 1,500,000 orders of 4 +- 2 lines: 3 standard deviations. */
	assert_in_range(counts.rows, 6000000 - 7348, 6000000 + 7348);
	assert_int_equal(counts.selected[0], counts.rows);
	for (int i = 0; i < SSB_NQUERIES; i++)
		check_query(&ssb_queries[i], counts.selected[i]);
}

static void
test_factors(void **state)
{
	(void) state;
	for (uint64_t seed = 1; seed <= 3; seed++)
		check_seed(seed);
}

/*
 * An exception is necessary if sampling alone can deviate by more than 2 %, or
 * if the definition already does.
 */
static void
test_exceptions_are_needed(void **state)
{
	int			found = 0;

	(void) state;
	for (int i = 0; i < SSB_NQUERIES; i++)
	{
		const Exception *e = find_exception(ssb_queries[i].name);
		double		factor = ssb_queries[i].factor;

		if (e == NULL)
			continue;
		found++;
		if (3 * deviation(e) <= TOLERANCE * ROWS * factor &&
			fabs(e->exact - factor) <= TOLERANCE * factor)
			fail_msg("q%s needs no exception", e->query);

		/*
		 * It must not hide a wrong predicate either: 5 % is the worst
		 * definition.
		 */
		assert_true(fabs(e->exact - factor) <= 0.05 * factor);
	}
	assert_int_equal(found, NEXCEPTIONS);
}

/* The factors as printed in the paper. */
static void
test_factors_of_the_paper(void **state)
{
	static const struct
	{
		int			query;
		double		factor;
	}			printed[] = {
		{1, 0.0194805}, {2, 0.00064935}, {4, 0.0000749},
		{5, 0.0080}, {6, 0.0016}, {7, 0.00020}, {8, 0.0342857},
		{9, 0.0013714}, {10, 0.00005486}, {11, 0.00000076190},
		{12, 0.016}, {13, 0.0045714}, {14, 0.00009143},
	};

	(void) state;
	for (size_t i = 0; i < sizeof(printed) / sizeof(printed[0]); i++)
		assert_true(fabs(ssb_queries[printed[i].query].factor /
						 printed[i].factor - 1) < 0.001);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_factors_of_the_paper),
		cmocka_unit_test(test_exceptions_are_needed),
		cmocka_unit_test(test_factors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
