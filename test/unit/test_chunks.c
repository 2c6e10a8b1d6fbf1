/*
 * test_chunks.c
 *		Unit tests of src/prefetch/chunks.c: requests that a scan makes itself.
 *
 * links: src/prefetch/chunks.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prefetch/chunks.h"

#define PIECE SSDPAR_CHUNK_BLOCKS
#define SEGMENT 131072			/* 1 GB in blocks of 8 kB, as in a server */

static SsdparChunks chunks;
static uint32_t most = UINT32_MAX;	/* pages that may be outstanding */

static int
begin(void **state)
{
	(void) state;
	chunks.begun = false;
	most = UINT32_MAX;
	return 0;
}

/* Checks the request that a scan makes when it reaches block. */
static void
assert_asks(uint32_t block, uint32_t end, uint32_t first, uint32_t count)
{
	uint32_t	asked = 0;
	uint32_t	number = 0;

	assert_true(ssdpar_chunks_next(&chunks, block, end, SEGMENT, most,
								   &asked, &number));
	assert_int_equal(asked, first);
	assert_int_equal(number, count);
}

static void
assert_asks_nothing(uint32_t block, uint32_t end)
{
	uint32_t	asked;
	uint32_t	number;

	assert_false(ssdpar_chunks_next(&chunks, block, end, SEGMENT, most,
									&asked, &number));
}

static void
scan_asks_for_each_block_but_the_first_once(void **state)
{
	const uint32_t nblocks = 3 * SEGMENT + 21;
	uint32_t	next = 1;

	(void) state;
	for (uint32_t block = 0; block < nblocks; block++)
	{
		uint32_t	first;
		uint32_t	count;

		if (!ssdpar_chunks_next(&chunks, block, nblocks, SEGMENT, most,
								&first, &count))
			continue;
		assert_int_equal(first, next);
		assert_int_equal((first + count - 1) / SEGMENT, first / SEGMENT);
		next = first + count;
	}
	assert_int_equal(next, nblocks);
}

static void
consecutive_pieces_are_asked_for_one_ahead(void **state)
{
	(void) state;
	assert_asks(2 * PIECE, 1000, 2 * PIECE + 1, 2 * PIECE - 1);
	for (uint32_t block = 2 * PIECE + 1; block < 3 * PIECE; block++)
		assert_asks_nothing(block, 1000);
	assert_asks(3 * PIECE, 1000, 4 * PIECE, PIECE);
	/* a skipped page does not change the chunks */
	assert_asks(4 * PIECE + 2, 1000, 5 * PIECE, PIECE);
}

static void
jump_asks_for_the_rest_of_the_piece_too(void **state)
{
	(void) state;
	assert_asks(0, 1000, 1, 2 * PIECE - 1);
	assert_asks(9 * PIECE + 3, 1000, 9 * PIECE + 4, 2 * PIECE - 4);
	/* and back */
	assert_asks(0, 1000, 1, 2 * PIECE - 1);
	/* two chunks ahead is a jump too */
	assert_asks(2 * PIECE, 1000, 2 * PIECE + 1, 2 * PIECE - 1);
}

static void
nothing_is_asked_beyond_the_end(void **state)
{
	(void) state;
	assert_asks(0, PIECE + 4, 1, PIECE + 3);
	assert_asks_nothing(PIECE, PIECE + 4);
	/* a worker's chunk of 8 blocks, then one elsewhere */
	chunks.begun = false;
	assert_asks(64, 72, 65, 7);
	assert_asks_nothing(65, 72);
	assert_asks(128, 136, 129, 7);
	chunks.begun = false;
	assert_asks_nothing(7, 8);
	chunks.begun = false;
	assert_asks_nothing(0, 0);
}

static void
next_file_begins_with_a_piece_of_its_own(void **state)
{
	(void) state;
	/* a jump into a file's last chunk: a request does not span files */
	assert_asks(SEGMENT - 3, 2 * SEGMENT, SEGMENT - 2, 2);
	assert_asks(SEGMENT, 2 * SEGMENT, SEGMENT + 1, 2 * PIECE - 1);
	/* when reading on, it is requested before the scan arrives there */
	chunks.begun = false;
	assert_asks(SEGMENT - 2 * PIECE, 2 * SEGMENT, SEGMENT - 2 * PIECE + 1,
				2 * PIECE - 1);
	assert_asks(SEGMENT - PIECE, 2 * SEGMENT, SEGMENT, PIECE);
}

static void
last_blocks_of_the_largest_table(void **state)
{
	const uint32_t nblocks = UINT32_MAX - 1;	/* MaxBlockNumber + 1 */

	(void) state;
	assert_asks(nblocks - 10, nblocks, nblocks - 9, 9);
	assert_asks_nothing(nblocks - 1, nblocks);
}

static void
no_more_is_outstanding_than_may_be(void **state)
{
	const uint32_t nblocks = SEGMENT + 21;

	(void) state;
	for (most = 1; most <= 3 * PIECE; most++)
	{
		uint32_t	next = 1;

		chunks.begun = false;
		for (uint32_t block = SEGMENT - 500; block < nblocks; block++)
		{
			uint32_t	first;
			uint32_t	count;

			if (next == 1)
				next = block + 1;
			if (!ssdpar_chunks_next(&chunks, block, nblocks, SEGMENT, most,
									&first, &count))
				continue;
			assert_int_equal(first, next);
			next = first + count;
			assert_true(next - block - 1 <= most);
		}
		assert_int_equal(next, nblocks);
	}
}

static void
what_was_asked_for_is_not_asked_for_in_smaller_pieces(void **state)
{
	(void) state;
	assert_asks(0, 1000, 1, 2 * PIECE - 1);
	most = 8;
	assert_asks_nothing(PIECE, 1000);
	assert_asks(2 * PIECE - 4, 1000, 2 * PIECE, 4);
	assert_asks_nothing(2 * PIECE - 1, 1000);
	assert_asks(2 * PIECE, 1000, 2 * PIECE + 4, 4);
	most = UINT32_MAX;
	assert_asks(2 * PIECE + 1, 1000, 2 * PIECE + 8, 2 * PIECE - 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(scan_asks_for_each_block_but_the_first_once,
							   begin),
		cmocka_unit_test_setup(consecutive_pieces_are_asked_for_one_ahead,
							   begin),
		cmocka_unit_test_setup(jump_asks_for_the_rest_of_the_piece_too, begin),
		cmocka_unit_test_setup(nothing_is_asked_beyond_the_end, begin),
		cmocka_unit_test_setup(next_file_begins_with_a_piece_of_its_own,
							   begin),
		cmocka_unit_test_setup(last_blocks_of_the_largest_table, begin),
		cmocka_unit_test_setup(no_more_is_outstanding_than_may_be, begin),
		cmocka_unit_test_setup(what_was_asked_for_is_not_asked_for_in_smaller_pieces,
							   begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
