/*
 * test_posterior.c
 *		Unit tests of src/rowcount/posterior.h: what to expect from a sample
 *		and an estimate together.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "rowcount/posterior.h"

/* A sample in which each row represents 100 rows of the table. */
static double
expected(double assumed, double worth, double found)
{
	return ssdpar_posterior(assumed, worth,
							100 * (found > 0 ? found : SSDPAR_ROWS_UNFOUND),
							found);
}

static void
assert_between(double value, double least, double most)
{
	if (!(value >= least && value <= most))
		fail_msg("%g is not between %g and %g", value, least, most);
}

static void
agreement_changes_nothing(void **state)
{
	(void) state;
	assert_between(expected(5000, SSDPAR_TABLE_WORTH, 50), 4999, 5001);
	assert_between(expected(5000, SSDPAR_JOIN_WORTH, 50), 4999, 5001);
}

/* The more rows are found, the less weight the estimate has. */
static void
samples_outweigh_estimates(void **state)
{
	double		few = expected(3000, SSDPAR_TABLE_WORTH, 50);
	double		many = expected(3000, SSDPAR_JOIN_WORTH, 50);

	(void) state;
	assert_between(few, 3000, 5000);
	assert_between(many, few, 5000);
}

/* The 95 % bound of 2 rows is a third of one, so 0.005 rows are refuted. */
static void
refuted_estimates_do_not_count(void **state)
{
	(void) state;
	assert_between(expected(0.5, SSDPAR_TABLE_WORTH, 2), 200, 200);
	assert_between(expected(0.5, SSDPAR_JOIN_WORTH, 7), 700, 700);
	assert_between(expected(1, SSDPAR_JOIN_WORTH, 1000), 1e5, 1e5);
}

static void
nothing_found_is_a_bound(void **state)
{
	(void) state;
	assert_between(expected(3000, SSDPAR_JOIN_WORTH, 0), 1, 300);
	assert_between(expected(50, SSDPAR_TABLE_WORTH, 0), 25, 50);
	assert_between(expected(0, SSDPAR_TABLE_WORTH, 3), 300, 300);
}

/*
 * 17 rows cannot distinguish 0.54 from 0.38, as 200 can; none found gives no
 * number.
 */
static void
what_cannot_be_told_stays(void **state)
{
	(void) state;
	assert_between(ssdpar_corrected(0.38, SSDPAR_JOIN_WORTH, 0.54, 17),
				   0.38, 0.38);
	assert_between(ssdpar_corrected(0.54, SSDPAR_JOIN_WORTH, 0.38, 17),
				   0.54, 0.54);
	assert_between(ssdpar_corrected(0.38, SSDPAR_JOIN_WORTH, 0.54, 200),
				   0.53, 0.54);
	assert_between(ssdpar_corrected(0.38, SSDPAR_JOIN_WORTH, 0.01, 0),
				   0.001, 0.01);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agreement_changes_nothing),
		cmocka_unit_test(samples_outweigh_estimates),
		cmocka_unit_test(refuted_estimates_do_not_count),
		cmocka_unit_test(nothing_found_is_a_bound),
		cmocka_unit_test(what_cannot_be_told_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
