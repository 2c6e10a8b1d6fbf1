/*
 * test_ssb_random.c
 *		The permutation is one, and random numbers are uniform within their
 *		bounds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "ssb_random.h"

/* Every value below n is hit exactly once. */
static void
check_permutation(uint64_t key, uint32_t n)
{
	unsigned char *seen = calloc(n, 1);

	assert_non_null(seen);
	for (uint32_t i = 0; i < n; i++)
	{
		uint32_t	to = ssb_permute(key, n, i);

		assert_true(to < n);
		assert_int_equal(seen[to], 0);
		seen[to] = 1;
	}
	free(seen);
}

static void
test_permutation_is_bijective(void **state)
{
	(void) state;
	for (uint32_t n = 1; n <= 130; n++)
		check_permutation(n * 77, n);
	check_permutation(1, 2000);
	check_permutation(2, 65535);
	check_permutation(3, 65536);
	check_permutation(4, 65537);
	check_permutation(5, 1400000);
}

static void
test_permutation_depends_on_key(void **state)
{
	int			same = 0;
	int			fixed = 0;

	(void) state;
	for (uint32_t i = 0; i < 2000; i++)
	{
		same += ssb_permute(1, 2000, i) == ssb_permute(2, 2000, i);
		fixed += ssb_permute(1, 2000, i) == i;
	}
	/* One of each is expected; ten would mean no shuffling. */
	assert_in_range(same, 0, 10);
	assert_in_range(fixed, 0, 10);
}

static void
test_draws_are_even(void **state)
{
	uint32_t	count[11] = {0};

	(void) state;
	for (uint64_t row = 0; row < 110000; row++)
		count[ssb_draw(ssb_subkey(9, row), 3, 11)]++;
	/* 10,000 each, +- 5 standard deviations. */
	for (int i = 0; i < 11; i++)
		assert_in_range(count[i], 9500, 10500);
}

static void
test_draw_bounds(void **state)
{
	(void) state;
	for (uint32_t i = 0; i < 1000; i++)
	{
		assert_int_equal(ssb_draw(5, i, 1), 0);
		assert_true(ssb_draw(5, i, 3000000) < 3000000);
		assert_true(ssb_draw(5, i, UINT32_MAX) < UINT32_MAX);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_permutation_is_bijective),
		cmocka_unit_test(test_permutation_depends_on_key),
		cmocka_unit_test(test_draws_are_even),
		cmocka_unit_test(test_draw_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
