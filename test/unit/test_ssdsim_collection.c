/*
 * test_ssdsim_collection.c
 *		Greedy collection against theory, and the mapping's bookkeeping.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "ssdsim_load.h"
#include "ssdsim_policy.h"
#include "ssdsim_random.h"

/* One plane, because the theory has one pool of blocks. */
static const SsdsimSpec one_plane = {
	.channels = 1, .packages = 1, .dies = 1, .planes = 1, .blocks = 2000,
	.pages = 64, .page_bytes = 4096, .mapping = SSDSIM_MAP_ORDER,
	.chunk = 1,
	.interleave = 1, .gc_low = 1, .gc_high = 1, .queue = 4, .write_buffer = 8,
	.devices = 1, .stripe = 65536, .readahead_streams = 1,
	.flash_read = 10, .flash_program = {100}, .program_times = 1,
	.flash_erase = 1000, .channel_transfer = 5, .bus_transfer = 1,
};

/* The branch of Lambert's W above -1, for arguments from -1/e to 0. */
static double
lambert_w(double x)
{
	double		w = 0;

	for (int i = 0; i < 100; i++)
	{
		double		power = exp(w);
		double		off = w * power - x;

		w -= off / (power * (w + 1) - (w + 2) * off / (2 * w + 2));
	}
	return w;
}

/*
 * Greedy collection under uniform random writes: Desnoyers, "Analytic Models
 * of SSD Write Performance" (SYSTOR 2012, ACM TOS 2014), section 4.
 * Parameters: physical pages per page of the host, and pages per block.
 */
static double
write_amplification(double alpha, double pages)
{
	double		corrected = alpha * (1 + 1 / (2 * pages));
	double		least = 0.5 - pages / alpha *
		lambert_w(-corrected * exp(-corrected));

	return pages / (pages - (least - 1));
}

/*
 * For large blocks, the limit is alpha / (alpha + W): Luojie and Kurkoski
 * (ICNC 2012) print 2.36 for an over-provisioning of 0.3.
 */
static void
test_formula(void **state)
{
	(void) state;
	assert_true(fabs(write_amplification(1.3, 1e6) - 2.36) < 0.005);
}

static double
simulated(const SsdsimSpec *spec)
{
	static SsdsimRun run;
	SsdsimLoad	load = {
		.nloops = 1, .requests = 150000, .time = SSDSIM_NEVER, .seed = 1
	};

	load.loops[0] = (SsdsimLoop)
	{
		.depth = 4, .random_share =
		{
			1, 1
		}, .bytes = 4096,
			.length = ssdsim_spec_capacity(spec)
	};
	ssdsim_run_begin(&run, spec, ssdsim_policy_find("noop"), 1, 3);
	ssdsim_load_run(&load, &run);
	/* a few are still in the write buffer */
	assert_in_range(run.result.counts.programmed,
					load.requests - (uint64_t) spec->write_buffer,
					load.requests);
	return 1 + (double) run.result.counts.moved /
		(double) run.result.counts.programmed;
}

/* Two to three blocks are free or open, so they hold no data. */
static void
check_theory(const SsdsimSpec *spec)
{
	double		planes = (double) ssdsim_spec_planes(spec);
	double		held = planes * ((double) spec->blocks - 2.5) *
		(double) spec->pages;
	double		theory = write_amplification(
											 held / (double) ssdsim_spec_user_pages(spec),
											 (double) spec->pages);
	double		ours = simulated(spec);

	if (fabs(ours / theory - 1) > 0.03)
		fail_msg("over-provisioning %.2f %%: %.4f, theory %.4f",
				 (double) spec->over_provisioning / 100, ours, theory);
}

static void
test_write_amplification(void **state)
{
	static const int64_t spare[] = {700, 1200, 2000, 2800, 5000};

	(void) state;
	for (size_t i = 0; i < sizeof(spare) / sizeof(*spare); i++)
	{
		SsdsimSpec	spec = one_plane;

		spec.over_provisioning = spare[i];
		check_theory(&spec);
	}
}

/* Striping does not change it. */
static void
test_striped(void **state)
{
	SsdsimSpec	spec = one_plane;

	(void) state;
	spec.channels = 4;
	spec.blocks = 600;
	spec.over_provisioning = 2000;
	check_theory(&spec);
	spec.mapping = SSDSIM_MAP_STATIC;
	check_theory(&spec);
}

/*
 * Nine of ten writes go to a tenth of the pages: separating them costs less.
 */
static void
test_hot_and_cold(void **state)
{
	double		moved[2];

	(void) state;
	for (int apart = 0; apart < 2; apart++)
	{
		SsdsimSpec	spec = one_plane;
		SsdsimFtl	ftl;
		uint64_t	random = 1;

		spec.blocks = 500;
		spec.over_provisioning = 2000;
		spec.hot_cold = apart;
		ssdsim_ftl_init(&ftl, &spec);
		for (uint32_t page = 0; page < ftl.user_pages; page++)
			ssdsim_ftl_write_now(&ftl, page);
		for (int i = 0; i < 400000; i++)
		{
			uint64_t	pages = ssdsim_random_below(&random, 10) > 0 ?
				ftl.user_pages / 10 : ftl.user_pages;

			ssdsim_ftl_write_now(&ftl, (uint32_t)
								 ssdsim_random_below(&random, pages));
		}
		moved[apart] = (double) ftl.moved;
		ssdsim_ftl_free(&ftl);
	}
	assert_true(moved[1] < 0.9 * moved[0]);
}

/* Every page is at its mapped position, and is counted there. */
static void
check_maps(const SsdsimFtl *ftl)
{
	uint64_t	mapped = 0;
	uint64_t	counted = 0;

	for (uint32_t page = 0; page < ftl->user_pages; page++)
	{
		if (ftl->page_of[page] == SSDSIM_NO_PAGE)
			continue;
		assert_int_equal(ftl->owner[ftl->page_of[page]], page);
		mapped++;
	}
	for (uint32_t i = 0; i < ftl->nplanes; i++)
		counted += ftl->planes[i].valid;
	assert_int_equal(counted, mapped);
}

/* The worst order: the data of one plane is never overwritten. */
static void
test_lopsided(void **state)
{
	SsdsimSpec	spec = one_plane;
	SsdsimFtl	ftl;

	(void) state;
	spec.channels = 4;
	spec.blocks = 8;
	spec.pages = 4;
	spec.over_provisioning = 4000;
	ssdsim_ftl_init(&ftl, &spec);
	for (uint32_t i = 0; i < 100000; i++)
		ssdsim_ftl_write_now(&ftl, i % 4 == 0 ? i / 4 % ftl.user_pages :
							 i * 7 % 3);
	check_maps(&ftl);
	for (uint32_t page = 0; page < ftl.user_pages; page++)
		ssdsim_ftl_trim(&ftl, page);
	check_maps(&ftl);
	for (uint32_t page = 0; page < ftl.user_pages; page++)
		ssdsim_ftl_write_now(&ftl, page);
	check_maps(&ftl);
	ssdsim_ftl_free(&ftl);
}

/* Trimmed pages need not be moved. */
static void
test_trim(void **state)
{
	SsdsimSpec	spec = one_plane;
	SsdsimFtl	ftl;
	uint64_t	random = 1;

	(void) state;
	spec.blocks = 100;
	spec.over_provisioning = 1000;
	ssdsim_ftl_init(&ftl, &spec);
	for (uint32_t page = 0; page < ftl.user_pages; page++)
		ssdsim_ftl_write_now(&ftl, page);
	for (uint32_t page = ftl.user_pages / 10; page < ftl.user_pages; page++)
		ssdsim_ftl_trim(&ftl, page);
	for (int i = 0; i < 20000; i++)
		ssdsim_ftl_write_now(&ftl, (uint32_t)
							 ssdsim_random_below(&random,
												 ftl.user_pages / 10));
	check_maps(&ftl);
	assert_true(ftl.moved < 20000 / 50);
	ssdsim_ftl_free(&ftl);
}

/*
 * Paper 003, Figure 5: if a share A of each block is in use, 1 / (1 - A)
 * blocks have to be compacted to free one.
 */
static double
blocks_compacted(uint32_t percent)
{
	SsdsimSpec	spec = one_plane;
	SsdsimFtl	ftl;
	uint64_t	first = 0;
	uint64_t	placed;
	double		compacted;

	spec.blocks = 200;
	spec.pages = 100;
	spec.over_provisioning = 200;
	ssdsim_ftl_init(&ftl, &spec);
	for (uint32_t page = 0; page < ftl.user_pages; page++)
		ssdsim_ftl_write_now(&ftl, page);
	for (uint32_t page = 0; page < ftl.user_pages; page++)
		if (page % 100 >= percent)
			ssdsim_ftl_trim(&ftl, page);
	/* rewritten pages leave the others as full as they are */
	for (uint32_t page = 0; page < ftl.user_pages; page++)
	{
		if (page % 100 < percent)
			continue;
		ssdsim_ftl_write_now(&ftl, page);
		first = ftl.erased == 0 ? ftl.placed : first;
	}
	placed = ftl.placed - first;
	assert_true(ftl.erased > 20);
	compacted = (double) ftl.erased * 100 / (double) placed;
	ssdsim_ftl_free(&ftl);
	return compacted;
}

static void
test_compacted(void **state)
{
	static const uint32_t percents[] = {50, 80, 90, 95};

	(void) state;
	for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++)
	{
		double		theory = 100.0 / (100 - percents[i]);
		double		ours = blocks_compacted(percents[i]);

		if (fabs(ours / theory - 1) > 0.05)
			fail_msg("%u %% full: %.2f blocks, paper %.2f", percents[i], ours,
					 theory);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formula),
		cmocka_unit_test(test_write_amplification),
		cmocka_unit_test(test_striped),
		cmocka_unit_test(test_hot_and_cold),
		cmocka_unit_test(test_lopsided),
		cmocka_unit_test(test_trim),
		cmocka_unit_test(test_compacted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
