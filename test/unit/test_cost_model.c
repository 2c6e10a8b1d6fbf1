/*
 * test_cost_model.c
 *		Unit tests of src/cost/model.c against cases computed by hand.
 *
 * links: src/cost/model.c src/device/machine.c
 * links: src/device/interpolate.c src/device/monotone.c
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cost/model.h"

#define KB8 8192
#define KB256 (256 * 1024)

/* Saturated at depth 4, where each random request takes 100 us. */
static const SsdparPoint ssd_points[] = {
	{SSDPAR_RANDOM, KB8, 1, 10000}, {SSDPAR_RANDOM, KB8, 4, 40000},
	{SSDPAR_RANDOM, KB8, 16, 40000}, {SSDPAR_RANDOM, KB256, 1, 1000},
	{SSDPAR_RANDOM, KB256, 4, 4000}, {SSDPAR_RANDOM, KB256, 16, 4000},
	{SSDPAR_SEQUENTIAL, KB8, 1, 20000}, {SSDPAR_SEQUENTIAL, KB8, 4, 40000},
	{SSDPAR_SEQUENTIAL, KB8, 16, 40000}, {SSDPAR_SEQUENTIAL, KB256, 1, 4000},
	{SSDPAR_SEQUENTIAL, KB256, 4, 8000}, {SSDPAR_SEQUENTIAL, KB256, 16, 8000},
};

/* 10 ms per seek, at any depth. */
static const SsdparPoint disk_points[] = {
	{SSDPAR_RANDOM, KB8, 1, 100}, {SSDPAR_RANDOM, KB8, 4, 100},
	{SSDPAR_RANDOM, KB256, 1, 80}, {SSDPAR_RANDOM, KB256, 4, 80},
	{SSDPAR_SEQUENTIAL, KB8, 1, 10000}, {SSDPAR_SEQUENTIAL, KB8, 4, 10000},
	{SSDPAR_SEQUENTIAL, KB256, 1, 400}, {SSDPAR_SEQUENTIAL, KB256, 4, 400},
};

#define COUNT(points) ((int) (sizeof(points) / sizeof((points)[0])))

static const SsdparMachine machine = {2, 1e-5, 1e-6, 2e-6, 4e-6, 3e-6};
static const SsdparDeviceLoad alone = {0, 0};
static const SsdparResidency cold = {0, 0};

static SsdparProfile ssd;
static SsdparProfile disk;

static int
build(void **state)
{
	(void) state;
	assert_null(ssdpar_profile_build(&ssd, ssd_points, COUNT(ssd_points)));
	assert_null(ssdpar_profile_build(&disk, disk_points,
									 COUNT(disk_points)));
	return 0;
}

static void
assert_close(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%.12g is not %.12g", value, expected);
}

static SsdparPrice
price_of(const SsdparReads *reads, int nreads, double cpu, double processes)
{
	SsdparDemand demand = {reads, nreads, cpu, processes};

	return ssdpar_model_price(&ssd, &machine, &alone, &demand);
}

static void
outstanding_is_bounded(void **state)
{
	SsdparDeviceLoad budget = {10, 7};
	SsdparDeviceLoad used_up = {10, 12};

	(void) state;
	assert_close(ssdpar_model_outstanding(&ssd, &alone, 1, 1), 1);
	assert_close(ssdpar_model_outstanding(&ssd, &alone, 3, 1), 3);
	assert_close(ssdpar_model_outstanding(&ssd, &alone, 2, 8), 4);
	assert_close(ssdpar_model_outstanding(&ssd, &budget, 2, 8), 3);
	assert_close(ssdpar_model_outstanding(&ssd, &used_up, 2, 8), 1);
	assert_close(ssdpar_model_outstanding(&ssd, &alone, 0, 0), 1);
	assert_close(ssdpar_model_outstanding(&ssd, &alone, NAN, 2), 1);
}

/* 1000 pages: 100 ms one at a time, 25 ms four at a time, in whatever way. */
static void
random_reads(void **state)
{
	SsdparReads one = ssdpar_model_random(1000, 1, false, cold);
	SsdparReads deep = ssdpar_model_random(1000, 4, true, cold);

	(void) state;
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &one, 1), 0.1);
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &one, 2), 0.05);
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &one, 4), 0.025);
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &one, 64), 0.025);
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &deep, 1), 0.025);
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &deep, 64), 0.025);
	assert_close(ssdpar_model_io_seconds(&disk, &alone, &deep, 1), 10);
}

/* 3200 pages are 100 requests of 256 kB. */
static void
sequential_reads(void **state)
{
	SsdparReads window = ssdpar_model_window(3200, 4, cold);
	SsdparReads small = ssdpar_model_read_ahead(3200, 0, cold);
	SsdparReads middle = ssdpar_model_read_ahead(3200, 128, cold);
	SsdparReads large = ssdpar_model_read_ahead(3200, 8192, cold);

	(void) state;
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &window, 1), 0.0125);
	assert_close(small.request_pages, 1);
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &small, 1), 0.16);
	assert_close(middle.request_pages, 16);
	assert_close(middle.depth, 1);
	assert_close(large.request_pages, 32);
	assert_close(large.depth, 32);
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &large, 1), 0.0125);
	assert_true(window.overlap > large.overlap);
}

/*
 * If others have 12 requests outstanding, 4 of ours see depth 16: 400 us each,
 * a quarter of the device.
 */
static void
kernel_reads_all(void **state)
{
	(void) state;
	/* without read-ahead, only if all pages are read */
	assert_true(ssdpar_model_kernel_reads_all(0) == 1.0);
	/* larger windows need a smaller share, within bounds */
	assert_true(ssdpar_model_kernel_reads_all(16) <= 0.9);
	assert_true(ssdpar_model_kernel_reads_all(128) == 0.3);
	assert_true(ssdpar_model_kernel_reads_all(512) == 0.15);
	assert_true(ssdpar_model_kernel_reads_all(8192) == 0.15);
}

static void
company_slows_down(void **state)
{
	SsdparReads deep = ssdpar_model_random(1000, 4, true, cold);
	SsdparDeviceLoad load = {0, 12};
	SsdparDeviceLoad budget = {14, 12};

	(void) state;
	assert_close(ssdpar_model_io_seconds(&ssd, &load, &deep, 1), 0.1);
	assert_close(ssdpar_model_io_seconds(&ssd, &budget, &deep, 1),
				 1000 * 14 / 40000.0 / 2);
}

static void
runs_of_neighbours(void **state)
{
	(void) state;
	assert_close(ssdpar_model_run_pages(1, 1000), 1);
	assert_close(ssdpar_model_run_pages(501, 1000), 2);
	assert_close(ssdpar_model_run_pages(901, 1000), 10);
	assert_close(ssdpar_model_run_pages(1000, 1000), 32);
	assert_close(ssdpar_model_run_pages(5000, 1000), 32);
	assert_close(ssdpar_model_run_pages(0, 0), 1);
}

static void
block_order(void **state)
{
	SsdparReads bitmap =
		ssdpar_model_block_order(501, 1000, false, 1, false, cold);
	SsdparReads sparse =
		ssdpar_model_block_order(10, 100000, false, 1, false, cold);
	SsdparReads all = ssdpar_model_block_order(3200, 3200, true, 4, true,
											   cold);

	(void) state;

	/*
	 * passing over 1000 pages at 20,000 per second takes less than 501 seeks
	 */
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &bitmap, 1), 0.05);
	assert_close(ssdpar_model_io_seconds(&disk, &alone, &bitmap, 1), 0.1);
	assert_close(ssdpar_model_io_seconds(&disk, &alone, &sparse, 1), 0.1);

	/* all pages, merged: like a sequential window */
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &all, 1), 0.0125);

	/* half of the longest runs is waited for, but nothing of single pages */
	assert_close(all.overlap, 0.5);
	assert_close(ssdpar_model_block_order(501, 1000, false, 4, true,
										  cold).overlap, 1);
	/* runs of two pages */
	assert_close(ssdpar_model_block_order(501, 1000, true, 4, true,
										  cold).overlap, 1 - 0.5 / 31);
	assert_close(bitmap.overlap, 0);
}

static void
memory_is_no_device(void **state)
{
	SsdparResidency half = {0.2, 0.3};
	SsdparResidency all = {1, 0};
	SsdparResidency beyond = {0.8, 0.8};
	SsdparReads reads = ssdpar_model_random(1000, 1, false, half);

	(void) state;
	assert_close(ssdpar_model_io_seconds(&ssd, &alone, &reads, 1), 0.05);
	assert_close(ssdpar_model_page_seconds(&machine, &reads),
				 200e-6 + 300 * 2e-6 + 500 * 4e-6);
	reads.request_pages = 4;
	assert_close(ssdpar_model_page_seconds(&machine, &reads),
				 200e-6 + 300 * 2e-6 + 500 * 3.25e-6);
	reads.request_pages = 1;
	reads.resident = all;
	assert_true(ssdpar_model_io_seconds(&ssd, &alone, &reads, 1) == 0);
	assert_close(ssdpar_model_page_seconds(&machine, &reads), 1e-3);
	reads.resident = beyond;
	assert_true(ssdpar_model_device_pages(&reads) == 0);
}

/* 1000 pages one at a time take 100 ms and 4 ms of CPU, plus 50 ms. */
static void
waiting_adds_up(void **state)
{
	SsdparReads reads = ssdpar_model_random(1000, 1, false, cold);
	SsdparPrice price = price_of(&reads, 1, 0.05, 1);

	(void) state;
	assert_close(price.io, 0.1);
	assert_close(price.cpu, 0.054);
	assert_close(price.total, 0.154);
	assert_true(price.startup == 0);

	/* two processes on two cores: half of everything */
	assert_close(price_of(&reads, 1, 0.05, 2).total, 0.077);

	/* four: a quarter of waiting and computing, but two cores compute 27 ms */
	assert_close(price_of(&reads, 1, 0.05, 4).total, 0.025 + 0.0135);
	assert_close(price_of(&reads, 1, 5, 4).total, 5.004 / 2);
}

/* The longer, and a bit for those moments in which one waits for the other. */
static double
at_once(double reading, double computing)
{
	return cbrt(pow(reading, 3) + pow(computing, 3));
}

static void
prefetching_overlaps(void **state)
{
	SsdparReads reads = ssdpar_model_random(1000, 4, true, cold);

	(void) state;

	/* 25 ms of device against 10 + 4 of CPU; the first returns in 100 us */
	assert_close(price_of(&reads, 1, 0.01, 1).total,
				 1e-4 + at_once(0.025, 0.014));
	assert_close(price_of(&reads, 1, 0.05, 1).total,
				 1e-4 + at_once(0.025, 0.054));
	assert_close(price_of(&reads, 1, 0.05, 1).startup, 1e-4);
	assert_close(at_once(0.025, 0), 0.025);
	assert_true(at_once(0.025, 0.025) < 0.0315);

	/* saturated: more processes share the CPU, not the device */
	assert_close(price_of(&reads, 1, 0.05, 8).total,
				 1e-4 + at_once(0.025, 0.027));
}

/*
 * 12.5 ms of device against 100 ms of CPU and 9.7 for the pages; the first
 * request returns in 500 us.  A tenth of the device's time is waited for with
 * the daemon, three quarters with the kernel.
 */
static void
sequential_reads_overlap_in_part(void **state)
{
	SsdparReads window = ssdpar_model_window(3200, 4, cold);
	SsdparReads kernel = ssdpar_model_read_ahead(3200, 8192, cold);

	(void) state;
	assert_close(price_of(&window, 1, 0.1, 1).total,
				 0.00025 + 0.00125 + at_once(0.01125, 0.1097));
	assert_close(price_of(&kernel, 1, 0.1, 1).total,
				 0.00025 + 0.009375 + at_once(0.003125, 0.1097));
	assert_close(price_of(&window, 1, 0, 1).total,
				 0.00025 + 0.00125 + at_once(0.01125, 0.0097));
}

/* It waits for one request, no larger than the read, not for a window. */
static void
first_request_is_waited_for(void **state)
{
	SsdparReads one = ssdpar_model_read_ahead(1, 8192, cold);
	SsdparReads few = ssdpar_model_read_ahead(31, 8192, cold);
	SsdparReads many = ssdpar_model_read_ahead(1e6, 8192, cold);
	SsdparReads half = ssdpar_model_read_ahead(0.5, 8192, cold);
	SsdparReads waited = ssdpar_model_random(1000, 1, false, cold);

	(void) state;
	assert_close(price_of(&one, 1, 0, 1).startup, 1.0 / 20000);
	assert_true(price_of(&few, 1, 0, 1).startup > 1.0 / 20000);
	assert_true(price_of(&few, 1, 0, 1).startup < 1.0 / 4000);
	assert_close(price_of(&many, 1, 0, 1).startup, 1.0 / 4000);
	assert_close(price_of(&many, 1, 0, 4).startup, 1.0 / 4000);
	assert_close(price_of(&half, 1, 0, 1).startup, 0.5 / 20000);
	assert_close(price_of(&waited, 1, 0, 1).startup, 0);
}

static void
streams_share_the_device(void **state)
{
	SsdparReads reads[2];
	SsdparPrice price;

	(void) state;
	reads[0] = ssdpar_model_random(1000, 4, true, cold);
	reads[1] = ssdpar_model_random(100, 1, false, cold);
	price = price_of(reads, 2, 0, 1);
	assert_close(price.io, 0.035);
	assert_close(price.total, 0.0001 + 0.01 + at_once(0.025, 0.0044));
	assert_close(price_of(NULL, 0, 0.5, 1).total, 0.5);
}

static void
units(void **state)
{
	(void) state;
	assert_close(ssdpar_model_units(&machine, 1), 1e5);
}

/* Visits to the part of a table that is in the caches are free. */
static void
visits_to_memory(void **state)
{
	(void) state;
	assert_close(ssdpar_model_access_seconds(0), 0);
	assert_close(ssdpar_model_access_seconds(1 << 21), 0);
	assert_close(ssdpar_model_access_seconds(1 << 22), 1e-7);
	assert_close(ssdpar_model_access_seconds(1 << 25), 2e-7 * 15 / 16);
}

static void
nonsense_machines(void **state)
{
	SsdparMachine bad = machine;

	(void) state;
	assert_null(ssdpar_machine_problem(&machine));
	bad.cores = 0.5;
	assert_non_null(ssdpar_machine_problem(&bad));
	bad = machine;
	bad.seconds_per_cost_unit = NAN;
	assert_non_null(ssdpar_machine_problem(&bad));
	bad = machine;
	bad.page_fill_seconds = -1;
	assert_non_null(ssdpar_machine_problem(&bad));
	bad = machine;
	bad.page_hit_seconds = INFINITY;
	assert_non_null(ssdpar_machine_problem(&bad));
	bad = machine;
	bad.cores = 1e300;
	assert_non_null(ssdpar_machine_problem(&bad));
	bad = machine;
	bad.seconds_per_cost_unit = 1e-300;
	assert_non_null(ssdpar_machine_problem(&bad));
	bad = machine;
	bad.page_copy_seconds = 60;
	assert_non_null(ssdpar_machine_problem(&bad));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outstanding_is_bounded),
		cmocka_unit_test(random_reads),
		cmocka_unit_test(sequential_reads),
		cmocka_unit_test(kernel_reads_all),
		cmocka_unit_test(company_slows_down),
		cmocka_unit_test(runs_of_neighbours),
		cmocka_unit_test(block_order),
		cmocka_unit_test(memory_is_no_device),
		cmocka_unit_test(waiting_adds_up),
		cmocka_unit_test(prefetching_overlaps),
		cmocka_unit_test(sequential_reads_overlap_in_part),
		cmocka_unit_test(first_request_is_waited_for),
		cmocka_unit_test(streams_share_the_device),
		cmocka_unit_test(units),
		cmocka_unit_test(visits_to_memory),
		cmocka_unit_test(nonsense_machines),
	};

	return cmocka_run_group_tests(tests, build, NULL);
}
