/*
 * test_ssdsim_device.c
 *		Completion times against sums computed by hand, and the papers' figures
 *		from the shipped descriptions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "ssdsim_load.h"
#include "ssdsim_policy.h"

#define PAGE 4096
#define MB (UINT64_C(1) << 20)

/* Small round numbers, so that every sum below is easy to check. */
static const SsdsimSpec toy = {
	.channels = 2, .packages = 2, .dies = 1, .planes = 1, .blocks = 8, .pages = 4,
	.page_bytes = PAGE, .over_provisioning = 6000, .mapping = SSDSIM_MAP_ORDER,
	.chunk = 1,
	.interleave = 1, .gc_low = 1, .gc_high = 1, .queue = 4, .write_buffer = 2,
	.devices = 1, .stripe = 2 * PAGE, .readahead_streams = 1,
	.host = 1, .read_command = 10, .write_command = 20, .read_setup = 5,
	.write_setup = 7, .flash_read = 100, .flash_program = {1000},
	.program_times = 1, .flash_erase = 3000, .channel_transfer = 200,
	.bus_transfer = 40, .turn_to_write = 3, .turn_to_read = 2,
};

/* command 10, setup 5, flash 100, channel 200, bus 40, host 1 */
#define ONE_READ 356

/* ----- requests one by one ----- */

#define MAX_ASKED 16

typedef struct Bench
{
	SsdsimDevice *device;
	SsdsimRequest requests[MAX_ASKED];
	int64_t		ends[MAX_ASKED];
	int			asked;
} Bench;

static void
note(void *argument, SsdsimRequest *request, int64_t now)
{
	Bench	   *bench = argument;

	bench->ends[request - bench->requests] = now;
}

static Bench *
new_bench(const SsdsimSpec *spec, const char *policy)
{
	Bench	   *bench = calloc(1, sizeof(*bench));

	assert_non_null(bench);
	bench->device = ssdsim_device_new(spec, ssdsim_policy_find(policy), 1,
									  note, bench);
	ssdsim_device_fill(bench->device, 0,
					   (uint64_t) ssdsim_spec_user_pages(spec));
	return bench;
}

static void
free_bench(Bench *bench)
{
	ssdsim_device_free(bench->device);
	free(bench);
}

static void
run(Bench *bench, int64_t until)
{
	while (ssdsim_device_next(bench->device) <= until)
		ssdsim_device_step(bench->device);
}

static void
ask(Bench *bench, SsdsimKind kind, uint64_t page, uint64_t bytes, int64_t now)
{
	SsdsimRequest *request = &bench->requests[bench->asked++];

	*request = (SsdsimRequest)
	{
		.kind = kind, .address = page * PAGE, .bytes = bytes
	};
	run(bench, now);
	ssdsim_device_submit(bench->device, request, now);
}

/* Runs until all are complete; returns the completion time of number I. */
static int64_t
end_of(Bench *bench, int i)
{
	run(bench, SSDSIM_NEVER - 1);
	return bench->ends[i];
}

/*
 * Requests page 0 and another one together; returns the other's completion
 * time.
 */
static int64_t
second_read(const SsdsimSpec *spec, const char *policy, uint64_t page)
{
	Bench	   *bench = new_bench(spec, policy);
	int64_t		end;

	ask(bench, SSDSIM_READ, 0, PAGE, 0);
	ask(bench, SSDSIM_READ, page, PAGE, 0);
	end = end_of(bench, 1);
	assert_int_equal(bench->ends[0], ONE_READ);
	free_bench(bench);
	return end;
}

static void
test_reads(void **state)
{
	(void) state;
	/* another channel: 10 later, and then the bus is busy until 355 */
	assert_int_equal(second_read(&toy, "noop", 1), 355 + 40 + 1);
	/* same channel, other package: the channel's 200 again */
	assert_int_equal(second_read(&toy, "noop", 2), 315 + 200 + 40 + 1);
	/* same die: its 300 again */
	assert_int_equal(second_read(&toy, "noop", 4), 315 + 300 + 40 + 1);
}

/* Chunks of two pages: page 1 is with page 0, page 2 on another channel. */
static void
test_chunks(void **state)
{
	SsdsimSpec	spec = toy;

	(void) state;
	spec.chunk = 2;
	for (spec.mapping = 0; spec.mapping < 2; spec.mapping++)
	{
		assert_int_equal(second_read(&spec, "noop", 1), 315 + 300 + 40 + 1);
		assert_int_equal(second_read(&spec, "noop", 2), 355 + 40 + 1);
		assert_int_equal(second_read(&spec, "noop", 3), 355 + 40 + 1);
		assert_int_equal(second_read(&spec, "noop", 4), 315 + 200 + 40 + 1);
		assert_int_equal(second_read(&spec, "noop", 8), 315 + 300 + 40 + 1);
	}
}

static void
test_dies_and_planes(void **state)
{
	SsdsimSpec	spec = toy;

	(void) state;
	spec.packages = 1;
	spec.dies = 2;
	/* two dies of a package work concurrently; page 2 is on the other one */
	assert_int_equal(second_read(&spec, "noop", 2), 315 + 200 + 40 + 1);
	spec.interleave = 0;
	assert_int_equal(second_read(&spec, "noop", 2), 315 + 300 + 40 + 1);

	/* two planes: one command for both only if allowed */
	spec.dies = 1;
	spec.planes = 2;
	assert_int_equal(second_read(&spec, "noop", 2), 315 + 300 + 40 + 1);
	spec.multi_plane = 1;
	/* they arrive 10 apart, too late to be packed */
	assert_int_equal(second_read(&spec, "noop", 2), 315 + 300 + 40 + 1);
}

/* Reads pages 0, 2 and 6; the die is busy when the others arrive. */
static int64_t
third_read(const SsdsimSpec *spec, uint64_t second, uint64_t third)
{
	Bench	   *bench = new_bench(spec, "noop");
	int64_t		end;

	ask(bench, SSDSIM_READ, 0, PAGE, 0);
	ask(bench, SSDSIM_READ, second, PAGE, 0);
	ask(bench, SSDSIM_READ, third, PAGE, 0);
	end = end_of(bench, 2);
	free_bench(bench);
	return end;
}

/*
 * One channel, one die of two planes.  Pages 2 and 3 have the same position in
 * blocks of both planes; page 4 has another one.
 */
static void
test_plane_addressing(void **state)
{
	SsdsimSpec	spec = toy;

	(void) state;
	spec.channels = 1;
	spec.packages = 1;
	spec.planes = 2;
	spec.multi_plane = 1;
	/* page 0 until 315; then both are read in 100, and moved in 200 each */
	assert_int_equal(third_read(&spec, 2, 3), 315 + 100 + 200 + 200 + 41);
	/* another page of the block: one after the other */
	assert_int_equal(third_read(&spec, 2, 5), 315 + 2 * 300 + 41);
	spec.multi_plane = 0;
	assert_int_equal(third_read(&spec, 2, 3), 315 + 2 * 300 + 41);
}

static void
test_large_read(void **state)
{
	Bench	   *bench = new_bench(&toy, "noop");

	(void) state;
	/* complete with its last page; two channels work concurrently */
	ask(bench, SSDSIM_READ, 0, 2 * PAGE, 0);
	assert_int_equal(end_of(bench, 0), ONE_READ + 40);
	/* half a page needs half of the bus time */
	ask(bench, SSDSIM_READ, 0, PAGE / 2, 5000);
	assert_int_equal(end_of(bench, 1), 5000 + ONE_READ - 20);
	free_bench(bench);
}

static void
test_queue(void **state)
{
	Bench	   *bench = new_bench(&toy, "noop");

	(void) state;
	for (int i = 0; i < 4; i++)
		ask(bench, SSDSIM_READ, 0, PAGE, 0);
	ask(bench, SSDSIM_READ, 1, PAGE, 0);

	/*
	 * the fifth is admitted when the first completes; another channel is idle
	 */
	assert_int_equal(end_of(bench, 4), 2 * ONE_READ);
	assert_int_equal(bench->requests[4].admitted, ONE_READ);
	free_bench(bench);
}

static void
test_writes(void **state)
{
	Bench	   *bench = new_bench(&toy, "noop");

	(void) state;
	/* command 20, setup 7, bus 40, host 1; programmed afterwards */
	ask(bench, SSDSIM_WRITE, 0, PAGE, 0);
	ask(bench, SSDSIM_WRITE, 1, PAGE, 100);

	/*
	 * the buffer holds two, so the third waits for the first to be programmed
	 */
	ask(bench, SSDSIM_WRITE, 2, PAGE, 200);
	assert_int_equal(end_of(bench, 2), 67 + 200 + 1000 + 40 + 1);
	assert_int_equal(bench->ends[0], 68);
	assert_int_equal(bench->ends[1], 168);
	free_bench(bench);
}

/* A flush waits for earlier writes, and for nothing else. */
static void
test_flush(void **state)
{
	Bench	   *bench = new_bench(&toy, "noop");

	(void) state;
	ask(bench, SSDSIM_FLUSH, 0, 0, 0);
	ask(bench, SSDSIM_WRITE, 0, PAGE, 10);
	ask(bench, SSDSIM_FLUSH, 0, 0, 78);
	/* the same channel and die: programmed 1200 later than the first */
	ask(bench, SSDSIM_WRITE, 4, PAGE, 100);
	ask(bench, SSDSIM_FLUSH, 0, 0, 180);
	assert_int_equal(end_of(bench, 0), 1);
	assert_int_equal(bench->ends[2], 77 + 200 + 1000 + 1);
	assert_true(bench->ends[4] > bench->ends[2]);
	free_bench(bench);
}

/* Without a buffer, a write completes when it is programmed. */
static void
test_write_through(void **state)
{
	SsdsimSpec	spec = toy;
	Bench	   *bench;

	(void) state;
	spec.write_buffer = 0;
	bench = new_bench(&spec, "noop");
	ask(bench, SSDSIM_WRITE, 0, PAGE, 0);
	assert_int_equal(end_of(bench, 0), 67 + 200 + 1000 + 1);
	free_bench(bench);
}

/* Buffered data is read from the buffer. */
static void
test_read_of_buffered(void **state)
{
	Bench	   *bench = new_bench(&toy, "noop");

	(void) state;
	ask(bench, SSDSIM_WRITE, 0, PAGE, 0);
	ask(bench, SSDSIM_READ, 0, PAGE, 68);
	assert_int_equal(end_of(bench, 1), 68 + 2 + 10 + 5 + 40 + 1);
	free_bench(bench);
}

static void
test_turning(void **state)
{
	Bench	   *bench = new_bench(&toy, "noop");

	(void) state;
	ask(bench, SSDSIM_READ, 0, PAGE, 0);
	/* waits for the read, turns in 3, then its own 68 */
	ask(bench, SSDSIM_WRITE, 0, PAGE, 10);
	assert_int_equal(end_of(bench, 1), ONE_READ + 3 + 68);
	/* the read after it turns in 2 */
	ask(bench, SSDSIM_READ, 1, PAGE, 10000);
	assert_int_equal(end_of(bench, 2), 10000 + 2 + ONE_READ);
	free_bench(bench);
}

static void
test_readahead(void **state)
{
	SsdsimSpec	spec = toy;
	Bench	   *bench;
	SsdsimCounts counts;

	(void) state;
	spec.readahead = 4;
	bench = new_bench(&spec, "noop");
	ask(bench, SSDSIM_READ, 0, PAGE, 0);
	ask(bench, SSDSIM_READ, 1, PAGE, 10000);	/* 2 to 5 are read ahead */
	ask(bench, SSDSIM_READ, 2, PAGE, 20000);
	ask(bench, SSDSIM_READ, 50, PAGE, 30000);	/* takes the only place */
	ask(bench, SSDSIM_READ, 4, PAGE, 40000);
	/* command, bus, host: no flash */
	assert_int_equal(end_of(bench, 2), 20000 + 10 + 40 + 1);
	assert_int_equal(bench->ends[3], 30000 + ONE_READ);
	assert_int_equal(bench->ends[4], 40000 + ONE_READ);
	ssdsim_device_count(bench->device, &counts);
	assert_int_equal(counts.read_ahead, 5);
	assert_int_equal(counts.read_ahead_used, 1);
	free_bench(bench);
}

/*
 * VAQ has one queue.  Page 4 waits for the die of page 0, and page 1 waits
 * behind it although its die is idle.
 */
static void
test_vaq(void **state)
{
	Bench	   *noop = new_bench(&toy, "noop");
	Bench	   *vaq = new_bench(&toy, "vaq");

	(void) state;
	for (int i = 0; i < 3; i++)
	{
		static const uint64_t pages[] = {0, 4, 1};

		ask(noop, SSDSIM_READ, pages[i], PAGE, 0);
		ask(vaq, SSDSIM_READ, pages[i], PAGE, 0);
	}
	/* commands until 30, then 5, 100, 200; the bus is busy until 355 */
	assert_int_equal(end_of(noop, 2), 355 + 40 + 1);
	assert_int_equal(end_of(vaq, 2), 315 + 100 + 200 + 40 + 40 + 1);
	free_bench(noop);
	free_bench(vaq);
}

/* Chunks of two pages on two devices: each handles its half. */
static void
test_array(void **state)
{
	static SsdsimRun once;
	SsdsimLoad	load = {
		.nloops = 1, .requests = 1, .time = SSDSIM_NEVER,
		.loops = {{.depth = 1, .read_share = 1, .bytes = 4 * PAGE,
		.length = 4 * PAGE}}
	};
	SsdsimSpec	spec = toy;

	(void) state;
	ssdsim_run_begin(&once, &spec, ssdsim_policy_at(0), 1, 0);
	ssdsim_load_run(&load, &once);
	/* two dies per channel: 100, twice 200, and the last page's 40 */
	assert_int_equal(once.result.time, 15 + 100 + 400 + 2 * 40 + 1);
	spec.devices = 2;
	ssdsim_run_begin(&once, &spec, ssdsim_policy_at(0), 1, 0);
	ssdsim_load_run(&load, &once);
	assert_int_equal(once.result.time, ONE_READ + 40);
}

typedef struct Foreseen
{
	int64_t		time;
	int			calls;
	int64_t		done;
} Foreseen;

static void
keep_foreseen(void *argument, SsdsimRequest *request, int64_t time)
{
	Foreseen   *kept = argument;

	(void) request;
	kept->time = time;
	kept->calls++;
}

static void
keep_done(void *argument, SsdsimRequest *request, int64_t now)
{
	Foreseen   *kept = argument;

	(void) request;
	assert_int_equal(kept->time, now);
	kept->done = now;
}

/* An array foresees a request, or a flush, when all of its devices do. */
static void
test_array_foresees(void **state)
{
	SsdsimSpec	spec = toy;
	Foreseen	kept = {0};
	SsdsimArray *array;
	SsdsimRequest requests[2] = {
		{.kind = SSDSIM_WRITE, .address = PAGE, .bytes = 5 * PAGE},
		{.kind = SSDSIM_FLUSH},
	};
	int64_t		now = 0;

	(void) state;
	spec.devices = 3;
	array = ssdsim_array_new(&spec, ssdsim_policy_at(0), 1, keep_done, &kept);
	ssdsim_array_foresee(array, keep_foreseen);
	for (int i = 0; i < 2; i++)
	{
		ssdsim_array_submit(array, &requests[i], now);
		while (kept.done == 0 || kept.calls < i + 1 || kept.done < now)
			ssdsim_array_step(array);
		assert_int_equal(kept.calls, i + 1);
		now = kept.done + 1;
	}
	/* three pages of one device: the buffer holds two */
	assert_true(now > 1000);
	ssdsim_array_free(array);
}

/* ----- whole devices ----- */

static double
bandwidth(const char *device, const SsdsimLoop *loops, int nloops)
{
	static SsdsimRun whole;
	SsdsimLoad	load = {
		.requests = 20000, .time = SSDSIM_NEVER, .seed = 1, .nloops = nloops
	};
	SsdsimSpec	spec;
	SsdsimError error;

	if (!ssdsim_spec_load(device, SSDSIM_DEVICES, &spec, &error))
		fail_msg("%s", error.text);
	for (int i = 0; i < nloops; i++)
		load.loops[i] = loops[i];
	ssdsim_run_begin(&whole, &spec, ssdsim_policy_find("noop"), 1, 0);
	ssdsim_load_run(&load, &whole);
	return (double) whole.result.bytes / 1e6 /
		((double) whole.result.time / 1e9);
}

/* Each loop has a separate gigabyte, as in the paper. */
static double
measure(const char *device, SsdsimKind kind, bool random, uint64_t bytes,
		int64_t depth)
{
	SsdsimLoop	loop = {
		.depth = depth, .read_share = kind == SSDSIM_READ,
		.random_share = {random, random}, .bytes = bytes, .length = 1024 * MB
	};

	return bandwidth(device, &loop, 1);
}

static double
measure_mixed(bool random_reads, bool random_writes)
{
	SsdsimLoop	loops[2] = {
		{.depth = 1, .read_share = 1, .random_share = {random_reads, random_reads},
		.bytes = PAGE, .length = 1024 * MB},
		{.depth = 1, .random_share = {random_writes, random_writes}, .bytes = PAGE,
		.first = 1024 * MB, .length = 1024 * MB},
	};

	return bandwidth("ssd-s", loops, 2);
}

/* The paper's figure within 20 %. */
static void
check_paper(const char *what, double paper, double ours)
{
	if (ours < paper * 0.8 || ours > paper * 1.2)
		fail_msg("%s: %.1f MB/s, paper %.1f", what, ours, paper);
}

/* Paper 000, Figure 5 and section 6.1. */
static void
test_figure_5(void **state)
{
	(void) state;
	check_paper("4 kB random, depth 1", 21.3,
				measure("ssd-s", SSDSIM_READ, true, PAGE, 1));
	check_paper("4 kB random, depth 32", 145,
				measure("ssd-s", SSDSIM_READ, true, PAGE, 32));
	check_paper("16 kB random, depth 1", 65.5,
				measure("ssd-s", SSDSIM_READ, true, 4 * PAGE, 1));
	check_paper("16 kB random, depth 32", 225.5,
				measure("ssd-s", SSDSIM_READ, true, 4 * PAGE, 32));
	check_paper("64 kB sequential", 221.3,
				measure("ssd-s", SSDSIM_READ, false, 16 * PAGE, 1));
	check_paper("4 kB write, depth 32", 186.1,
				measure("ssd-s", SSDSIM_WRITE, true, PAGE, 32));
	check_paper("ssd-m writes", 80,
				measure("ssd-m", SSDSIM_WRITE, true, PAGE, 32));
}

/* Paper 000, Table II. */
static void
test_table_2(void **state)
{
	(void) state;
	check_paper("sequential read", 72.6,
				measure("ssd-s", SSDSIM_READ, false, PAGE, 1));
	check_paper("sequential write", 61.4,
				measure("ssd-s", SSDSIM_WRITE, false, PAGE, 1));
	check_paper("random write", 59.4,
				measure("ssd-s", SSDSIM_WRITE, true, PAGE, 1));
	check_paper("sequential read, sequential write", 109.2,
				measure_mixed(false, false));
	check_paper("sequential read, random write", 103.5,
				measure_mixed(false, true));
	check_paper("random read, sequential write", 32.8,
				measure_mixed(true, false));
	check_paper("random read, random write", 33.2,
				measure_mixed(true, true));
}

/* Paper 000, Figure 6: two streams of 4 kB get less than one, eight more. */
static void
test_figure_6(void **state)
{
	SsdsimLoop	loops[8];
	double		one;

	(void) state;
	for (uint64_t i = 0; i < 8; i++)
		loops[i] = (SsdsimLoop)
	{
		.depth = 1, .read_share = 1, .bytes = PAGE,
			.first = i * 256 * MB, .length = 256 * MB
	};
	one = bandwidth("ssd-s", loops, 1);
	check_paper("two streams", one * 0.57, bandwidth("ssd-s", loops, 2));
	assert_true(bandwidth("ssd-s", loops, 8) > one);
}

/* A disk gains nothing from outstanding requests; an SSD depends on them. */
static void
test_parallelism(void **state)
{
	static const char *const ssds[] = {
		"ssd-s", "ssd-m", "ssd-p", "paq", "x25-e", "s3700", "750", "nvme"
	};

	(void) state;
	assert_true(measure("hdd", SSDSIM_READ, true, 2 * PAGE, 32) <
				measure("hdd", SSDSIM_READ, true, 2 * PAGE, 1) * 1.05);
	for (size_t i = 0; i < sizeof(ssds) / sizeof(*ssds); i++)
		assert_true(measure(ssds[i], SSDSIM_READ, true, 2 * PAGE, 32) >
					measure(ssds[i], SSDSIM_READ, true, 2 * PAGE, 1) * 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_chunks),
		cmocka_unit_test(test_dies_and_planes),
		cmocka_unit_test(test_plane_addressing),
		cmocka_unit_test(test_large_read),
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_writes),
		cmocka_unit_test(test_flush),
		cmocka_unit_test(test_write_through),
		cmocka_unit_test(test_read_of_buffered),
		cmocka_unit_test(test_turning),
		cmocka_unit_test(test_readahead),
		cmocka_unit_test(test_vaq),
		cmocka_unit_test(test_array),
		cmocka_unit_test(test_array_foresees),
		cmocka_unit_test(test_figure_5),
		cmocka_unit_test(test_table_2),
		cmocka_unit_test(test_figure_6),
		cmocka_unit_test(test_parallelism),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
