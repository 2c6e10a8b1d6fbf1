/*
 * test_window.c
 *		Unit tests of src/prefetch/window.c: what is announced ahead of a scan.
 *
 * links: src/prefetch/window.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prefetch/window.h"

/* 32 MB, 1 MB, 256 kB and 1 GB in blocks of 8 kB, as in a server. */
static const SsdparWindowSizes sizes = {4096, 128, 32, 131072, 0};

/* How often each block of the table was announced. */
static unsigned char *announced;
static uint64_t nannounced;

static void
forget(uint32_t nblocks)
{
	free(announced);
	announced = calloc(nblocks, 1);
	assert_non_null(announced);
	nannounced = 0;
}

static void
announce(const SsdparWindow *window, SsdparSpan span)
{
	uint32_t	block;
	uint32_t	count;

	while (ssdpar_window_next_read(window, &span, &block, &count))
	{
		uint32_t	last = block + count - 1;

		assert_true(count >= 1 && count <= window->sizes.io);
		assert_true(last < window->nblocks);
		assert_int_equal(block / window->sizes.segment,
						 last / window->sizes.segment);
		for (uint32_t i = block; i <= last; i++)
		{
			assert_int_equal(announced[i], 0);
			announced[i]++;
		}
		nannounced += count;
	}
}

/* Scan a whole table; everything behind the first step must be announced. */
static void
scan_whole(const SsdparWindowSizes *with, uint32_t n, uint32_t start)
{
	SsdparWindow window;

	forget(n);
	ssdpar_window_init(&window, with, n, start);
	for (uint64_t offset = 0; offset < n; offset++)
	{
		SsdparSpan	span;
		uint32_t	block = (start + offset) % n;

		/* announced before it is read, except for the first two */
		if (offset > 1)
			assert_int_equal(announced[block], 1);
		switch (ssdpar_window_advance(&window, block, &span))
		{
			case SSDPAR_WINDOW_ANNOUNCE:
				assert_true(span.from > offset && span.to <= n);
				assert_true(span.to - offset <= with->window);
				announce(&window, span);
				break;
			case SSDPAR_WINDOW_WAIT:
				break;
			case SSDPAR_WINDOW_RESTART:
				fail();
		}
	}
	assert_int_equal(nannounced, n - 2);
	assert_int_equal(ssdpar_window_unused(&window), 0);
}

static void
test_forward(void **state)
{
	(void) state;
	scan_whole(&sizes, 8192, 0);
	scan_whole(&sizes, 8191, 0);
	scan_whole(&sizes, 300000, 0);
	scan_whole(&sizes, 3, 0);
}

static void
test_synchronised(void **state)
{
	(void) state;
	scan_whole(&sizes, 20000, 12345);
	scan_whole(&sizes, 20000, 19999);
	scan_whole(&sizes, 140000, 131071);
}

/* Sizes that are not multiples. */
static void
test_odd_sizes(void **state)
{
	static const SsdparWindowSizes odd = {1000, 128, 13, 131072, 0};
	static const SsdparWindowSizes tiny = {128, 128, 1, 131072, 0};
	static const SsdparWindowSizes big = {128, 128, 128, 100, 0};

	(void) state;
	scan_whole(&odd, 150001, 77);
	scan_whole(&big, 9001, 9000);
	scan_whole(&tiny, 9001, 9000);
}

/* Stops a scan after this many blocks; returns the wasted announcements. */
static uint64_t
wasted_after(uint64_t blocks)
{
	SsdparWindow window;
	SsdparSpan	span;

	forget(1000000);
	ssdpar_window_init(&window, &sizes, 1000000, 0);
	for (uint64_t block = 0; block < blocks; block++)
		if (ssdpar_window_advance(&window, block, &span) ==
			SSDPAR_WINDOW_ANNOUNCE)
			announce(&window, span);
	assert_int_equal(nannounced + 2,
					 blocks + ssdpar_window_unused(&window));
	return ssdpar_window_unused(&window);
}

static void
test_limit_wastes_little(void **state)
{
	SsdparWindow window;
	SsdparSpan	span;

	(void) state;
	ssdpar_window_init(&window, &sizes, 1000000, 0);
	assert_int_equal(ssdpar_window_advance(&window, 0, &span),
					 SSDPAR_WINDOW_WAIT);
	assert_int_equal(ssdpar_window_unused(&window), 0);
	assert_true(wasted_after(2) <= 128);
	assert_true(wasted_after(1000) <= 128 + 1000);
	for (uint64_t blocks = 2; blocks < 20000; blocks += 997)
		assert_true(wasted_after(blocks) <= sizes.window);
}

/* Nothing for the first blocks, everything afterwards. */
static void
test_grace(void **state)
{
	static const SsdparWindowSizes patient = {4096, 128, 32, 131072, 16};
	SsdparWindow window;
	SsdparSpan	span;

	(void) state;
	ssdpar_window_init(&window, &patient, 10000, 500);
	for (uint32_t block = 500; block < 516; block++)
		assert_int_equal(ssdpar_window_advance(&window, block, &span),
						 SSDPAR_WINDOW_WAIT);
	assert_int_equal(ssdpar_window_unused(&window), 0);
	assert_int_equal(ssdpar_window_advance(&window, 516, &span),
					 SSDPAR_WINDOW_ANNOUNCE);
	assert_int_equal(span.from, 17);
}

static void
test_restart(void **state)
{
	SsdparWindow window;
	SsdparSpan	span;

	(void) state;
	forget(100000);
	ssdpar_window_init(&window, &sizes, 100000, 0);
	for (uint32_t block = 0; block < 500; block++)
		ssdpar_window_advance(&window, block, &span);
	assert_true(ssdpar_window_unused(&window) > 0);
	assert_int_equal(ssdpar_window_advance(&window, 0, &span),
					 SSDPAR_WINDOW_RESTART);
	assert_int_equal(ssdpar_window_advance(&window, 1, &span),
					 SSDPAR_WINDOW_ANNOUNCE);
	assert_int_equal(span.from, 2);
	assert_int_equal(span.to, 128);
}

static void
test_end(void **state)
{
	SsdparWindow window;
	SsdparSpan	span;

	(void) state;
	ssdpar_window_init(&window, &sizes, 100000, 500);
	ssdpar_window_advance(&window, 500, &span);
	ssdpar_window_advance(&window, 501, &span);
	assert_int_equal(ssdpar_window_unused(&window), 126);
	ssdpar_window_end(&window, 510);
	assert_int_equal(ssdpar_window_unused(&window), 117);
	ssdpar_window_end(&window, UINT32_MAX);
	assert_int_equal(ssdpar_window_unused(&window), 0);
}

/* A cached table costs a few small announcements, until it is not cached. */
static void
test_back_off(void **state)
{
	SsdparWindow window;
	uint64_t	asked = 0;
	int			times = 0;

	(void) state;
	ssdpar_window_init(&window, &sizes, 400000, 0);
	for (uint32_t block = 0; block < 400000; block++)
	{
		SsdparSpan	span;

		if (ssdpar_window_advance(&window, block, &span) !=
			SSDPAR_WINDOW_ANNOUNCE)
			continue;
		/* every second one is answered "all was cached" */
		if (times++ % 2 == 1)
			ssdpar_window_back_off(&window, &span);
		else
			asked += span.to - span.from;
	}
	assert_in_range(times, 180, 200);
	assert_true(asked <= 400000 / 25);
	assert_int_equal(ssdpar_window_unused(&window), 0);
}

/* A jump over blocks without rows. */
static void
test_jump(void **state)
{
	SsdparWindow window;
	SsdparSpan	span;

	(void) state;
	ssdpar_window_init(&window, &sizes, 100000, 0);
	ssdpar_window_advance(&window, 0, &span);
	assert_int_equal(ssdpar_window_advance(&window, 50000, &span),
					 SSDPAR_WINDOW_ANNOUNCE);
	assert_int_equal(span.from, 50001);
	assert_true(span.to <= 50000 + sizes.window);
}

/* One process of a parallel scan, and its chunk. */
typedef struct Process
{
	SsdparWindow window;
	uint64_t	offset;
	uint64_t	chunk_end;
	uint32_t	chunk_size;
} Process;

/*
 * Like the server's allocator, with smaller chunks at the end. Returns false
 * when nothing is left.
 */
static bool
get_block(Process *process, uint64_t *allocated, uint32_t n)
{
	if (process->offset + 1 < process->chunk_end)
	{
		process->offset++;
		return process->offset < n;
	}
	if (process->chunk_size > 1 &&
		*allocated + process->chunk_size * 64 > n)
		process->chunk_size /= 2;
	process->offset = *allocated;
	*allocated += process->chunk_size;
	process->chunk_end = *allocated;
	return process->offset < n;
}

/* With a shared word, or each chunk separately. */
static SsdparWindowStep
follow(Process *process, uint32_t n, uint32_t start, uint64_t allocated,
	   uint64_t *common, SsdparSpan *span)
{
	uint32_t	block = (start + process->offset) % n;

	if (common == NULL)
		return ssdpar_window_advance_chunk(&process->window, block,
										   process->chunk_end, span);
	assert_true(ssdpar_window_can_share(&process->window,
										process->chunk_size));
	return ssdpar_window_advance_shared(&process->window, allocated, common,
										4711, span);
}

/* every: blocks that a process reads between two checks of the scan */
static void
scan_parallel(uint32_t n, uint32_t start, int processes, uint32_t chunk_size,
			  uint64_t *common, int every)
{
	Process    *all = calloc(processes, sizeof(Process));
	uint64_t	allocated = 0;
	int			running = processes;

	forget(n);
	for (int i = 0; i < processes; i++)
	{
		ssdpar_window_init(&all[i].window, &sizes, n, start);
		all[i].chunk_size = chunk_size;
	}
	srand(4711);
	while (running > 0)
	{
		Process    *process = &all[rand() % processes];
		SsdparSpan	span;

		if (process->chunk_size == 0)
			continue;
		if (!get_block(process, &allocated, n))
		{
			process->chunk_size = 0;
			running--;
			continue;
		}
		if (rand() % every != 0)
			continue;
		switch (follow(process, n, start, allocated, common, &span))
		{
			case SSDPAR_WINDOW_ANNOUNCE:
				assert_true(span.to <= n);
				announce(&process->window, span);
				break;
			case SSDPAR_WINDOW_WAIT:
				break;
			case SSDPAR_WINDOW_RESTART:
				fail();
		}
	}
	for (int i = 0; i < processes && common != NULL; i++)
		assert_int_equal(ssdpar_window_unused(&all[i].window), 0);
	/* announce() checks that nothing is announced twice */
	assert_true(nannounced <= n);
	assert_true(nannounced + n / 20 + 1200 >= n);
	free(all);
}

static void
test_parallel(void **state)
{
	uint64_t	common = 0;

	(void) state;
	scan_parallel(8192, 0, 2, 4, &common, 1);
	common = 1;
	scan_parallel(400000, 0, 3, 256, &common, 1);
	common = (uint64_t) 4711 << 32 | 399999;	/* before a rescan */
	scan_parallel(400000, 123456, 5, 256, &common, 100);
	common = 0;
	scan_parallel(400000, 0, 1, 1024, &common, 500);
	common = UINT64_MAX;
	scan_parallel(1000000, 999999, 4, 1024, &common, 100);
}

/* Chunks larger than the window, or nothing shared. */
static void
test_large_chunks(void **state)
{
	(void) state;
	scan_parallel(2000000, 0, 3, 8192, NULL, 1);
	scan_parallel(2000000, 1234567, 16, 8192, NULL, 1);
}

static int
release(void **state)
{
	(void) state;
	free(announced);
	announced = NULL;
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_forward, release),
		cmocka_unit_test_teardown(test_synchronised, release),
		cmocka_unit_test_teardown(test_odd_sizes, release),
		cmocka_unit_test_teardown(test_limit_wastes_little, release),
		cmocka_unit_test_teardown(test_grace, release),
		cmocka_unit_test_teardown(test_restart, release),
		cmocka_unit_test_teardown(test_end, release),
		cmocka_unit_test_teardown(test_back_off, release),
		cmocka_unit_test_teardown(test_jump, release),
		cmocka_unit_test_teardown(test_parallel, release),
		cmocka_unit_test_teardown(test_large_chunks, release),
	};

	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
