/*
 * test_ssdemu_model.c
 *		Completions of the emulated device against sums made by hand, and the
 *		paper's bandwidths out of the model alone.
 *
 * links: bench/ssdemu/ssdemu_calendar.c bench/ssdemu/ssdemu_model.c
 * links: bench/ssdemu/ssdemu_profile.c bench/ssdemu/ssdemu_window.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ssdemu_model.h"

#define CHUNK 4096
#define MAX_DEPTH 64

/* Small round numbers: every sum below can be done in the head. */
static const SsdemuProfile toy = {
	.name = "toy", .mapping = SSDEMU_MAP_STRIPE,
	.channels = 2, .packages = 2, .queue_depth = 4, .chunk_bytes = CHUNK,
	.write_buffer_chunks = 2,
	.host = 1, .read_command = 10, .write_command = 20, .read_setup = 5,
	.write_setup = 7, .flash_read = 100, .flash_program = 1000,
	.channel_transfer = 200, .bus_transfer = 40,
	.turn_to_write = 3, .turn_to_read = 2, .capacity = 1 << 30,
};

static SsdemuModel *
new_model(const SsdemuProfile *profile)
{
	SsdemuModel *model = malloc(sizeof(*model));

	assert_non_null(model);
	ssdemu_model_init(model, profile, 1);
	return model;
}

static int64_t
read_chunk(SsdemuModel *model, uint64_t chunk, int64_t now)
{
	return ssdemu_model_submit(model, SSDEMU_READ, chunk * CHUNK, CHUNK, now);
}

/* command 10, setup 5, flash 100, channel 200, bus 40, host 1 */
#define ONE_READ 356

static void
test_reads(void **state)
{
	SsdemuModel *model = new_model(&toy);

	(void) state;
	assert_int_equal(read_chunk(model, 0, 0), ONE_READ);

	/*
	 * another channel: 10 later because of the controller, then the bus is
	 * taken until 355 and gives 40
	 */
	assert_int_equal(read_chunk(model, 1, 0), 355 + 40 + 1);
	free(model);

	model = new_model(&toy);
	assert_int_equal(read_chunk(model, 0, 0), ONE_READ);
	/* same channel, other package: the channel's 200 once more */
	assert_int_equal(read_chunk(model, 2, 0), 315 + 200 + 40 + 1);
	free(model);

	model = new_model(&toy);
	assert_int_equal(read_chunk(model, 0, 0), ONE_READ);
	/* same channel and package: its 300 once more */
	assert_int_equal(read_chunk(model, 4, 0), 315 + 300 + 40 + 1);
	/* half a chunk takes half of the bus */
	assert_int_equal(ssdemu_model_submit(model, SSDEMU_READ, 0, CHUNK / 2,
										 5000), 5000 + ONE_READ - 20);
	free(model);
}

/* Complete with its last chunk: two channels work side by side. */
static void
test_large_read(void **state)
{
	SsdemuModel *model = new_model(&toy);

	(void) state;
	assert_int_equal(ssdemu_model_submit(model, SSDEMU_READ, 0, 2 * CHUNK, 0),
					 ONE_READ + 40);
	assert_int_equal(model->channels[0].busy, 200);
	assert_int_equal(model->channels[1].busy, 200);
	free(model);
}

static void
test_queue_depth(void **state)
{
	SsdemuModel *model = new_model(&toy);
	SsdemuModel *alone = new_model(&toy);
	int64_t		first = 0;

	(void) state;
	for (int i = 0; i < 4; i++)
	{
		int64_t		done = read_chunk(model, 0, 0);

		first = i == 0 ? done : first;
	}
	/* the fifth is let in when the first is done; another channel is idle */
	assert_true(read_chunk(model, 1, 0) >= first + 315 + 1);
	assert_int_equal(first, read_chunk(alone, 0, 0));
	free(model);
	free(alone);
}

static void
test_writes(void **state)
{
	SsdemuModel *model = new_model(&toy);

	(void) state;
	/* command 20, setup 7, bus 40, host 1; programmed in the background */
	assert_int_equal(ssdemu_model_submit(model, SSDEMU_WRITE, 0, CHUNK, 0),
					 68);
	assert_int_equal(ssdemu_model_flush(model, 68), 67 + 200 + 1000);
	assert_int_equal(ssdemu_model_submit(model, SSDEMU_WRITE, 0, CHUNK, 100),
					 168);
	/* the buffer holds two, so the third waits for the first's program */
	assert_int_equal(ssdemu_model_submit(model, SSDEMU_WRITE, 0, CHUNK, 200),
					 67 + 1200 + 40 + 1);
	free(model);
}

static void
test_turning(void **state)
{
	SsdemuModel *model = new_model(&toy);

	(void) state;
	assert_int_equal(read_chunk(model, 0, 0), ONE_READ);
	/* waits for the read, turns in 3, then its own 68 */
	assert_int_equal(ssdemu_model_submit(model, SSDEMU_WRITE, 0, CHUNK, 10),
					 ONE_READ + 3 + 68);
	/* the read after it turns in 2 and finds channel 1 idle */
	assert_int_equal(read_chunk(model, 1, 10000), 10000 + 2 + ONE_READ);
	free(model);
}

static void
test_readahead(void **state)
{
	SsdemuProfile ahead = toy;
	SsdemuModel *model;

	(void) state;
	ahead.readahead_chunks = 4;
	ahead.readahead_streams = 1;
	model = new_model(&ahead);
	read_chunk(model, 0, 0);
	read_chunk(model, 1, 10000);	/* established: 2 to 5 are read ahead */
	assert_int_equal(model->chunks_ahead, 4);
	/* command, bus, host: nothing of the flash */
	assert_int_equal(read_chunk(model, 2, 20000), 20000 + 10 + 40 + 1);
	assert_int_equal(model->chunks_hit, 1);
	/* another stream takes the only place, so both are strangers again */
	assert_int_equal(read_chunk(model, 1000, 30000), 30000 + ONE_READ);
	assert_int_equal(read_chunk(model, 3, 40000), 40000 + ONE_READ);
	free(model);
}

static void
test_mapping(void **state)
{
	SsdemuProfile mapped = toy;
	SsdemuModel *model = new_model(&mapped);
	int			on_first = 0;

	(void) state;
	assert_int_equal(ssdemu_model_channel(model, 4), 0);
	assert_int_equal(ssdemu_model_channel(model, 5), 1);
	assert_int_equal(ssdemu_model_package(model, 5), 0);
	assert_int_equal(ssdemu_model_package(model, 6), 1);
	free(model);
	mapped.mapping = SSDEMU_MAP_SINGLE;
	model = new_model(&mapped);
	assert_int_equal(ssdemu_model_channel(model, 5), 0);
	free(model);
	mapped.mapping = SSDEMU_MAP_HASH;
	model = new_model(&mapped);
	for (uint64_t chunk = 0; chunk < 1000; chunk++)
		on_first += ssdemu_model_channel(model, chunk) == 0;
	assert_in_range(on_first, 400, 600);
	free(model);
}

/* ----- whole devices ----- */

/* A program that keeps DEPTH requests outstanding: MB/s. */
typedef struct Load
{
	SsdemuKind	kind;
	bool		random;
	uint32_t	bytes;
	int			depth;
	int			streams;		/* sequential ones, taking turns */
} Load;

static double
bandwidth(SsdemuModel *model, const Load *load)
{
	int64_t		ends[MAX_DEPTH] = {0};
	uint64_t	next[MAX_DEPTH] = {0};
	int64_t		now = 0;
	int			requests = 20000;

	for (int i = 0; i < requests; i++)
	{
		int			first = 0;
		uint64_t	address;

		for (int j = 1; j < load->depth; j++)
			if (ends[j] < ends[first])
				first = j;
		now = ends[first];
		if (load->random)
			address = ssdemu_mix((uint64_t) i) % 65536 * load->bytes;
		else
			address = ((uint64_t) (first % load->streams) << 30) +
				load->bytes * next[first % load->streams]++;
		ends[first] = ssdemu_model_submit(model, load->kind, address,
										  load->bytes, now);
	}
	return (double) requests * load->bytes / ((double) now / 1e9) / 1e6;
}

static double
measure(const char *name, Load load)
{
	SsdemuModel *model = new_model(ssdemu_profile_find(name));
	double		result;

	load.streams = load.streams ? load.streams : 1;
	result = bandwidth(model, &load);
	free(model);
	return result;
}

/* A reader and a writer of 4 kB together, one request each: MB/s in sum. */
static double
measure_mixed(bool random)
{
	SsdemuModel *model = new_model(ssdemu_profile_find("ssd-s"));
	int64_t		ends[2] = {0};
	uint64_t	count[2] = {0};
	int64_t		now = 0;

	while (now < INT64_C(1000000000))
	{
		int			kind = ends[1] < ends[0];
		uint64_t	next = count[kind]++;

		if (random && kind == SSDEMU_READ)
			next = ssdemu_mix(next) % 65536;
		now = ends[kind];
		ends[kind] = ssdemu_model_submit(model, kind, ((uint64_t) kind << 30) +
										 next * CHUNK, CHUNK, now);
	}
	free(model);
	return (double) (count[0] + count[1]) * CHUNK / 1e6;
}

/* The paper's figure to within 20 %. */
static void
check_paper(const char *what, double paper, double ours)
{
	if (ours < paper * 0.8 || ours > paper * 1.2)
		fail_msg("%s: %.1f MB/s, paper %.1f", what, ours, paper);
}

static void
test_paper_figures(void **state)
{
	(void) state;
	check_paper("4 kB random, depth 1", 21.3,
				measure("ssd-s", (Load) {SSDEMU_READ, true, 4096, 1, 1}));
	check_paper("4 kB random, depth 32", 145,
				measure("ssd-s", (Load) {SSDEMU_READ, true, 4096, 32, 1}));
	check_paper("16 kB random, depth 1", 65.5,
				measure("ssd-s", (Load) {SSDEMU_READ, true, 16384, 1, 1}));
	check_paper("16 kB random, depth 32", 225.5,
				measure("ssd-s", (Load) {SSDEMU_READ, true, 16384, 32, 1}));
	check_paper("64 kB sequential", 221.3,
				measure("ssd-s", (Load) {SSDEMU_READ, false, 65536, 1, 1}));
	check_paper("4 kB sequential", 72.6,
				measure("ssd-s", (Load) {SSDEMU_READ, false, 4096, 1, 1}));
	check_paper("4 kB write", 61.4,
				measure("ssd-s", (Load) {SSDEMU_WRITE, false, 4096, 1, 1}));
	check_paper("4 kB write, depth 32", 186.1,
				measure("ssd-s", (Load) {SSDEMU_WRITE, true, 4096, 32, 1}));
	check_paper("sequential read and write", 109.2, measure_mixed(false));
	check_paper("random read, sequential write", 32.8, measure_mixed(true));
	check_paper("ssd-m writes", 80,
				measure("ssd-m", (Load) {SSDEMU_WRITE, true, 4096, 32, 1}));
}

/*
 * Section 5.3: all requests in one package, in one channel.  (The 64 MB/s of
 * two channels are twice a package's there; here both packages of each take
 * part, for 80.)
 */
static void
test_paper_domains(void **state)
{
	SsdemuModel *model = new_model(ssdemu_profile_find("ssd-s"));
	static const struct
	{
		uint64_t	stride;
		double		paper;
	}			cases[] = {{20, 33}, {10, 40}};

	(void) state;
	for (int i = 0; i < 2; i++)
	{
		int64_t		ends[4] = {0};
		int64_t		now = 0;

		ssdemu_model_init(model, ssdemu_profile_find("ssd-s"), 1);
		for (uint64_t n = 0; n < 4000; n++)
		{
			now = ends[n % 4];
			ends[n % 4] = read_chunk(model, n * cases[i].stride, now);
		}
		check_paper("stride", cases[i].paper,
					4000.0 * CHUNK / ((double) now / 1e9) / 1e6);
	}
	free(model);
}

/* Figure 6: two streams of 4 kB get less than one, eight get more. */
static void
test_streams_hurt_readahead(void **state)
{
	double		one = measure("ssd-s",
							  (Load) {SSDEMU_READ, false, 4096, 1, 1});
	double		two = measure("ssd-s",
							  (Load) {SSDEMU_READ, false, 4096, 2, 2});
	double		eight = measure("ssd-s",
								(Load) {SSDEMU_READ, false, 4096, 8, 8});

	(void) state;
	check_paper("two streams", one * 0.57, two);
	assert_true(eight > one);
}

/* Outstanding requests bring a disk nothing; an SSD lives on them. */
static void
test_parallelism(void **state)
{
	Load		one = {SSDEMU_READ, true, 8192, 1, 1};
	Load		many = {SSDEMU_READ, true, 8192, 32, 1};

	(void) state;
	assert_true(measure("hdd", many) < measure("hdd", one) * 1.05);
	assert_true(measure("ssd-s", many) > measure("ssd-s", one) * 4);
	assert_true(measure("ssd-m", many) > measure("ssd-m", one) * 4);
	assert_true(measure("nvme", many) > measure("nvme", one) * 8);
}

/* Positions count. */
static void
test_disk(void **state)
{
	SsdemuModel *model = new_model(ssdemu_profile_find("hdd"));
	const SsdemuProfile *disk = &model->profile;
	int64_t		first = read_chunk(model, 0, 0);

	(void) state;
	assert_int_equal(first, disk->host + disk->media_transfer);
	/* two chunks later: the one between passes by under the head */
	assert_int_equal(read_chunk(model, 2, 1000000000),
					 1000000000 + disk->host + 2 * disk->media_transfer);
	/* one back: a seek, and up to a full turn */
	assert_in_range(read_chunk(model, 1, INT64_C(2000000000)) -
					INT64_C(2000000000),
					disk->seek_least, disk->host + disk->seek_least +
					disk->rotation + 2 * disk->media_transfer);
	free(model);
	check_paper("disk, in order", 100,
				measure("hdd", (Load) {SSDEMU_READ, false, 65536, 1, 1}));
}

static void
test_repeatable(void **state)
{
	for (int i = 0; ssdemu_profile_at(i) != NULL; i++)
	{
		const char *name = ssdemu_profile_at(i)->name;
		Load		load = {SSDEMU_READ, true, 8192, 16, 1};

		assert_true(measure(name, load) == measure(name, load));
	}
	assert_null(ssdemu_profile_find("ssd-x"));
	(void) state;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_large_read),
		cmocka_unit_test(test_queue_depth),
		cmocka_unit_test(test_writes),
		cmocka_unit_test(test_turning),
		cmocka_unit_test(test_readahead),
		cmocka_unit_test(test_mapping),
		cmocka_unit_test(test_paper_figures),
		cmocka_unit_test(test_paper_domains),
		cmocka_unit_test(test_streams_hurt_readahead),
		cmocka_unit_test(test_parallelism),
		cmocka_unit_test(test_disk),
		cmocka_unit_test(test_repeatable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
