/*
 * test_flush_rule.c
 *		Unit tests of src/prefetch/flush_rule.c: whether a process waits for
 *		the device to flush its cache, and how far prefetching then falls back.
 *
 * The writer runs on virtual time: it thinks, writes, and waits for a flush,
 * which the kernel counts at its end.  A reader checks once per millisecond.
 *
 * links: src/prefetch/flush_rule.c src/prefetch/yield_rule.c
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prefetch/flush_rule.h"
#include "prefetch/yield_rule.h"

#define LOOK_US 1000
#define SECOND_US 1000000

/* Times of a writer's steps, in turn, in microseconds. */
typedef struct Writer
{
	uint64_t	thinks;
	uint64_t	flushes;
	uint64_t	ends;			/* it starts no more then */
} Writer;

/* Result for a reader: checks, and those without a limit. */
typedef struct Outcome
{
	int			looks;
	int			seen;			/* checks that saw a waiting writer */
	int			free;			/* after the first flush */
} Outcome;

/* The kernel's counters at this time. */
static SsdparFlushes
flushes_until(const Writer *writer, uint64_t now)
{
	uint64_t	cycle = writer->thinks + writer->flushes;
	uint64_t	last = now < writer->ends ? now : writer->ends;
	SsdparFlushes flushes = {7000, 90000};

	flushes.count += last / cycle;
	flushes.milliseconds += last / cycle * writer->flushes / 1000;
	return flushes;
}

static Outcome
read_beside(const Writer *writer, uint64_t until, SsdparYield *yield)
{
	SsdparFlushWait wait = {0};
	Outcome		outcome = {0};
	uint64_t	first = writer->thinks + writer->flushes;

	yield->calm = SSDPAR_YIELD_FREE;
	yield->stalled = 0;
	for (uint64_t now = 0; now < until; now += LOOK_US)
	{
		bool		waits;

		wait = ssdpar_flush_step(wait, flushes_until(writer, now), now);
		waits = ssdpar_flush_waits(wait, now);
		*yield = ssdpar_yield_step(*yield, waits, false);
		outcome.looks++;
		outcome.seen += waits;
		outcome.free += ssdpar_yield_is_free(*yield) &&
			now >= first + LOOK_US;
	}
	return outcome;
}

static void
who_flushes_again_and_again_is_seen_all_the_time(void **state)
{
	/* from a drive with a large cache to a very slow one */
	static const uint64_t takes[] = {100, 700, 3000, 12000, 30000, 60000};

	(void) state;
	for (size_t i = 0; i < sizeof(takes) / sizeof(takes[0]); i++)
	{
		Writer		writer = {200, takes[i], 3 * SECOND_US};
		SsdparYield yield;
		Outcome		outcome = read_beside(&writer, writer.ends, &yield);

		assert_int_equal(outcome.free, 0);
		assert_int_equal(outcome.looks, 3000);
	}
}

static void
a_reader_is_free_again_soon_after(void **state)
{
	static const uint64_t takes[] = {100, 3000, 12000, 60000};

	(void) state;
	for (size_t i = 0; i < sizeof(takes) / sizeof(takes[0]); i++)
	{
		Writer		writer = {200, takes[i], SECOND_US};
		uint64_t	after = 2 * takes[i] +
			LOOK_US * (SSDPAR_YIELD_FREE + 2);
		SsdparYield yield;

		if (after > SSDPAR_FLUSH_MOST_US + LOOK_US * (SSDPAR_YIELD_FREE + 2))
			after = SSDPAR_FLUSH_MOST_US + LOOK_US * (SSDPAR_YIELD_FREE + 2);
		(void) read_beside(&writer, writer.ends + after, &yield);
		assert_true(ssdpar_yield_is_free(yield));
	}
}

/* Like ext4's journal, which flushes every five seconds. */
static void
a_flush_now_and_then_costs_a_reader_nearly_nothing(void **state)
{
	Writer		writer = {5 * SECOND_US, 300, 100 * SECOND_US};
	SsdparYield yield;
	Outcome		outcome = read_beside(&writer, writer.ends, &yield);

	(void) state;
	assert_true(outcome.seen >= 19);
	assert_true(outcome.seen <= 3 * 19);
	assert_true(outcome.free > 94000);
}

static void
what_was_flushed_long_ago_says_nothing(void **state)
{
	SsdparFlushes many = {1000, 5000};
	SsdparFlushWait wait = {0};

	(void) state;
	wait = ssdpar_flush_step(wait, many, 10);
	assert_false(ssdpar_flush_waits(wait, 10));
	many.count += 9;
	wait = ssdpar_flush_step(wait, many, SECOND_US);
	assert_false(ssdpar_flush_waits(wait, SECOND_US));
	many.count++;
	wait = ssdpar_flush_step(wait, many, SECOND_US + 1);
	assert_true(ssdpar_flush_waits(wait, SECOND_US + 1));
	assert_false(ssdpar_flush_waits(wait, SECOND_US + 2));
}

/* The previous check was made for another query. */
static void
who_has_flushed_all_the_while_is_seen_at_once(void **state)
{
	SsdparFlushes many = {1000, 5000};
	SsdparFlushWait wait = {0};

	(void) state;
	wait = ssdpar_flush_step(wait, many, SECOND_US);
	many.count += 50;
	many.milliseconds += 100;
	wait = ssdpar_flush_step(wait, many, 2 * SECOND_US);
	assert_true(ssdpar_flush_waits(wait, 2 * SECOND_US + 4000));
	assert_false(ssdpar_flush_waits(wait, 2 * SECOND_US + 4001));
}

static void
odd_numbers_do_no_harm(void **state)
{
	SsdparFlushes one = {1, 1};
	SsdparFlushes forever = {2, UINT64_MAX};
	SsdparFlushes less = {1, 0};
	SsdparFlushes quick = {3, 0};
	SsdparFlushWait wait = {0};

	(void) state;
	wait = ssdpar_flush_step(wait, one, 1);
	wait = ssdpar_flush_step(wait, forever, 2);
	assert_true(ssdpar_flush_waits(wait, 2 + SSDPAR_FLUSH_MOST_US));
	assert_false(ssdpar_flush_waits(wait, 3 + SSDPAR_FLUSH_MOST_US));
	wait = ssdpar_flush_step(wait, less, SECOND_US);
	assert_false(ssdpar_flush_waits(wait, SECOND_US));
	wait = ssdpar_flush_step(wait, forever, SECOND_US + 10);
	wait = ssdpar_flush_step(wait, quick, 2 * SECOND_US);
	assert_false(ssdpar_flush_waits(wait, 2 * SECOND_US));
}

static void
the_kernels_file_is_read(void **state)
{
	SsdparFlushes flushes;

	(void) state;
	assert_true(ssdpar_flushes_parse("87080035 19853381 8384452514 55542661  "
									 "4678650  3043452 1282025720  4851079  "
									 "      0  6085384 60832081  1707879   "
									 "    71 1060834520   370340   798945  "
									 "  67999\n", &flushes));
	assert_int_equal(flushes.count, 798945);
	assert_int_equal(flushes.milliseconds, 67999);

	/* a partition, or no cache; before 5.5; before 4.18; nothing */
	assert_false(ssdpar_flushes_parse("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 0",
									  &flushes));
	assert_false(ssdpar_flushes_parse("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
									  &flushes));
	assert_false(ssdpar_flushes_parse("1 2 3 4 5 6 7 8 9 10 11", &flushes));
	assert_false(ssdpar_flushes_parse("", &flushes));
	assert_false(ssdpar_flushes_parse("0 0 x", &flushes));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_flushes_again_and_again_is_seen_all_the_time),
		cmocka_unit_test(a_reader_is_free_again_soon_after),
		cmocka_unit_test(a_flush_now_and_then_costs_a_reader_nearly_nothing),
		cmocka_unit_test(what_was_flushed_long_ago_says_nothing),
		cmocka_unit_test(who_has_flushed_all_the_while_is_seen_at_once),
		cmocka_unit_test(odd_numbers_do_no_harm),
		cmocka_unit_test(the_kernels_file_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
