/*
 * test_inside_blind.c
 *		ssdpar-probe --inside (probe/inside.c) on simulated devices that are
 *		unknown to it: does it find out their structure?
 *
 * links: probe/plan.c probe/statistics.c probe/error.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "inside.h"
#include "ssdsim_device.h"
#include "ssdsim_policy.h"
#include "ssdsim_random.h"

#define DEVICES 40
#define NOISY 12
#define FILE_BYTES (UINT64_C(64) << 20)

/* Behavior of a device that its description does not include. */
typedef enum Twist
{
	STRAIGHT,
	CHANGING,					/* from some request on, pages move to random
								 * places */
	ENDING,						/* it stops answering */
} Twist;

/* A device, and the disturbances between it and the probe. */
typedef struct Probed
{
	SsdsimDevice *device;
	uint64_t	start;			/* of the file on the device, in bytes */
	uint64_t	random;
	double		jitter;			/* relative, of each time */
	double		stalls;			/* share of requests that are stalled */
	int64_t		now;
	int			left;			/* incomplete requests of a batch */
	Twist		twist;
	uint64_t	issued;
	uint64_t	twist_from;		/* number of requests */
} Probed;

static double
evenly(uint64_t *random)
{
	return (double) (ssdsim_random(random) >> 11) * 0x1p-53;
}

/* The sum of twelve is close to normal. */
static double
normal(uint64_t *random)
{
	double		sum = -6;

	for (int i = 0; i < 12; i++)
		sum += evenly(random);
	return sum;
}

static void
done(void *argument, SsdsimRequest *request, int64_t now)
{
	Probed	   *probed = argument;

	(void) request;
	probed->now = now;
	probed->left--;
}

/* An odd factor permutes the places and destroys all strides. */
static uint64_t
place_of(const Probed *probed, uint64_t offset)
{
	uint64_t	page = offset / 4096;
	uint64_t	pages = FILE_BYTES / 4096;
	bool		scattered = probed->twist == CHANGING &&
		probed->issued > probed->twist_from;

	for (int i = 0; scattered && i < 3; i++)
		page = ((page ^ (page >> 7)) * 40503 + 77) % pages;
	return probed->start + page * 4096 + offset % 4096;
}

static bool
issue(void *arg, const ProbeInsideRequest *requests, int count, double *time)
{
	Probed	   *probed = arg;
	SsdsimRequest list[PROBE_INSIDE_BATCH] = {0};
	int64_t		begun = probed->now;

	assert_in_range(count, 1, PROBE_INSIDE_BATCH);
	probed->left = count;
	probed->issued += (uint64_t) count;
	if (probed->twist == ENDING && probed->issued > probed->twist_from)
		return false;
	for (int i = 0; i < count; i++)
	{
		assert_true(requests[i].offset + requests[i].size <= FILE_BYTES);
		list[i].kind = requests[i].operation == PROBE_READ ? SSDSIM_READ
			: SSDSIM_WRITE;
		list[i].address = place_of(probed, requests[i].offset);
		list[i].bytes = requests[i].size;
		ssdsim_device_submit(probed->device, &list[i], begun);
	}
	while (probed->left > 0)
		ssdsim_device_step(probed->device);
	*time = (double) (probed->now - begun);
	*time *= 1 + probed->jitter * fabs(normal(&probed->random));
	*time *= 1 + probed->jitter / 4 * normal(&probed->random);
	if (evenly(&probed->random) < probed->stalls)
		*time += 1e6 * evenly(&probed->random);
	return true;
}

static bool
settle(void *arg)
{
	Probed	   *probed = arg;

	/* background collection ends within this time */
	probed->now += INT64_C(5000000000);
	while (ssdsim_device_next(probed->device) <= probed->now)
		ssdsim_device_step(probed->device);
	return true;
}

/* Does it finish?  The file may be anywhere on the device. */
static bool
probe_twisted(const SsdsimSpec *spec, Probed *probed, ProbeInside *told)
{
	ProbeInsideDevice device = {
		.bytes = FILE_BYTES, .alignment = 512, .issue = issue,
		.settle = settle, .arg = probed,
	};
	uint64_t	capacity = ssdsim_spec_capacity(spec);
	uint64_t	seed = ssdsim_random(&probed->random);
	bool		good;

	assert_true(capacity > FILE_BYTES);
	probed->start = ssdsim_random_below(&probed->random,
										(capacity - FILE_BYTES) / 65536 + 1) *
		65536;
	probed->device = ssdsim_device_new(spec, ssdsim_policy_find("noop"), seed,
									   done, probed);
	good = ssdpar_probe_inside(&device, 45, seed, told);
	ssdsim_device_free(probed->device);
	return good;
}

static ProbeInside
probe(const SsdsimSpec *spec, double jitter, double stalls, uint64_t seed)
{
	Probed		probed = {
		.random = seed, .jitter = jitter, .stalls = stalls,
	};
	ProbeInside told;

	assert_true(probe_twisted(spec, &probed, &told));
	return told;
}

/* ----- forty devices ----- */

static int64_t
from_to(uint64_t *random, int64_t least, int64_t most)
{
	return least + (int64_t) ssdsim_random_below(random, (uint64_t)
												 (most - least + 1));
}

static SsdsimSpec
any_device(uint64_t *random)
{
	SsdsimSpec	spec = {
		.channels = from_to(random, 2, 24), .packages = from_to(random, 1, 4),
		.dies = from_to(random, 1, 2), .planes = from_to(random, 1, 2),
		.pages = 64, .page_bytes = INT64_C(4096) << from_to(random, 0, 2),
		.over_provisioning = 3000, .mapping = from_to(random, 0, 1),
		.chunk = from_to(random, 1, 4), .interleave = 1, .gc_low = 1,
		.gc_high = 2, .queue = 32, .write_buffer = 1024,
		.readahead = 64 * from_to(random, 0, 1),
		.readahead_streams = from_to(random, 1, 8),
		.devices = 1, .stripe = 65536,
		.host = from_to(random, 3000, 15000),
		.read_command = from_to(random, 500, 25000),
		.write_command = from_to(random, 4000, 20000),
		.read_setup = from_to(random, 0, 15000),
		.write_setup = from_to(random, 0, 15000),
		.turn_to_write = from_to(random, 0, 70000),
		.turn_to_read = from_to(random, 0, 5000),
		.flash_read = from_to(random, 20000, 90000),
		.flash_program = {from_to(random, 200000, 1500000)},
		.program_times = 1,
		.flash_erase = from_to(random, 700000, 5000000),
		.bus_transfer = from_to(random, 1000, 16000),
	};
	int64_t		planes = ssdsim_spec_planes(&spec);
	int64_t		slower = spec.read_command > spec.bus_transfer
		? spec.read_command : spec.bus_transfer;

	/* a channel without any contention cannot be detected */
	spec.channel_transfer = slower + from_to(random, 3000, 100000);
	spec.blocks = (int64_t) (FILE_BYTES * 2 / (uint64_t) spec.page_bytes) /
		(planes * spec.pages) + 8;
	return spec;
}

typedef enum Outcome
{
	RIGHT,
	NOT_SAID,					/* nothing, or only a part, was found */
	WRONG,
	OUTCOMES,
} Outcome;

static Outcome
judge(const SsdsimSpec *spec, const ProbeInside *told)
{
	ProbeMapping truth = spec->mapping == SSDSIM_MAP_ORDER
		? PROBE_MAPPING_ORDER : PROBE_MAPPING_STATIC;

	if (told->verdict != PROBE_INSIDE_PATTERN)
		return NOT_SAID;
	if ((int64_t) told->chunk_bytes != spec->chunk * spec->page_bytes ||
		told->degree != spec->channels ||
		(told->subdomains > 0 &&
		 told->subdomains != spec->packages * spec->dies))
		return WRONG;
	if (told->mapping == PROBE_MAPPING_UNKNOWN)
		return NOT_SAID;
	return told->mapping == truth ? RIGHT : WRONG;
}

/*
 * Prints missing or wrong results in full, because they are hard to reproduce.
 */
static void
tell(Outcome outcome, const SsdsimSpec *spec, const ProbeInside *told)
{
	if (outcome == RIGHT)
		return;
	print_message("%s: chunk of %d kB, %d channels of %d dies, mapping %d; "
				  "told: verdict %d, %d kB, %d of %d, mapping %d, confidence "
				  "%.2f, %.2f; %.1f and %.1f us, noise %.1f\n",
				  outcome == WRONG ? "wrong" : "not said",
				  (int) (spec->chunk * spec->page_bytes / 1024),
				  (int) spec->channels, (int) (spec->packages * spec->dies),
				  (int) spec->mapping, told->verdict,
				  (int) told->chunk_bytes / 1024, told->degree,
				  told->subdomains, told->mapping, told->confidence,
				  told->mapping_confidence, told->apart / 1e3,
				  told->together / 1e3, told->noise / 1e3);
}

/* Probes COUNT random devices with this noise, and counts the outcomes. */
static void
probe_many(int count, uint64_t seed, double jitter, double stalls,
		   int *outcomes)
{
	uint64_t	random = seed;

	memset(outcomes, 0, OUTCOMES * sizeof(int));
	for (int i = 0; i < count; i++)
	{
		SsdsimSpec	spec = any_device(&random);
		ProbeInside told = probe(&spec, jitter * (0.2 + evenly(&random)),
								 stalls * evenly(&random),
								 ssdsim_random(&random));
		Outcome		outcome = judge(&spec, &told);

		outcomes[outcome]++;
		tell(outcome, &spec, &told);
	}
	print_message("%d devices: %d right, %d not said, %d wrong\n", count,
				  outcomes[RIGHT], outcomes[NOT_SAID], outcomes[WRONG]);
}

/* At least 38 of 40 are correct, and none is wrong. */
static void
test_forty(void **state)
{
	int			outcomes[OUTCOMES];

	(void) state;
	probe_many(DEVICES, 17, 0.05, 0.02, outcomes);
	assert_int_equal(outcomes[WRONG], 0);
	assert_true(outcomes[RIGHT] >= 0.95 * DEVICES);
}

/* With strong noise, little can be detected, so little is reported. */
static void
test_noise(void **state)
{
	int			outcomes[OUTCOMES];

	(void) state;
	probe_many(NOISY, 18, 0.35, 0.2, outcomes);
	assert_int_equal(outcomes[WRONG], 0);
}

/* ----- devices by name ----- */

static SsdsimSpec
load(const char *name)
{
	SsdsimSpec	spec;
	SsdsimError error;

	if (!ssdsim_spec_load(name, SSDSIM_DEVICES, &spec, &error))
		fail_msg("%s", error.text);
	return spec;
}

/*
 * Paper 000, section 5: ten domains of two subdomains, chunks of 4 kB, mapped
 * in the order of writes.
 */
static void
test_shipped(void **state)
{
	static const struct
	{
		const char *name;
		int			degree;
	}			shipped[] = {
		{"ssd-s", 10}, {"ssd-m", 10}, {"x25-e", 10}, {"s3700", 8},
		{"750", 9}, {"nvme", 16}, {"paq", 8},
	};

	(void) state;
	for (size_t i = 0; i < sizeof(shipped) / sizeof(shipped[0]); i++)
	{
		SsdsimSpec	spec = load(shipped[i].name);
		ProbeInside told = probe(&spec, 0.02, 0.005, 3);

		assert_int_equal(told.verdict, PROBE_INSIDE_PATTERN);
		assert_int_equal(told.chunk_bytes, 4096);
		assert_int_equal(told.degree, shipped[i].degree);
		assert_int_equal(told.mapping, PROBE_MAPPING_ORDER);
		assert_int_equal(told.subdomains, spec.packages * spec.dies);
		assert_true(told.together > told.apart);
	}
}

/* A single head, so slow that the window is small. */
static void
test_disk(void **state)
{
	SsdsimSpec	spec = load("hdd");
	ProbeInside told = probe(&spec, 0.01, 0, 4);

	(void) state;
	assert_int_equal(told.verdict, PROBE_INSIDE_NONE);
	assert_true(told.window < 4096 * PROBE_INSIDE_UNIT);
	assert_int_equal(told.chunk_bytes, 0);
	assert_int_equal(told.mapping, PROBE_MAPPING_UNKNOWN);
}

/* If placement makes no difference (a network), no pattern is found. */
static void
test_nothing_to_see(void **state)
{
	SsdsimSpec	spec = load("nvme");
	ProbeInside told;

	(void) state;
	spec.host = 400000;
	told = probe(&spec, 0.25, 0.02, 5);
	assert_int_equal(told.verdict, PROBE_INSIDE_NONE);

	/* a cache that serves everything */
	spec = load("ssd-s");
	spec.flash_read = spec.channel_transfer = 0;
	told = probe(&spec, 0.02, 0.01, 6);
	assert_int_equal(told.verdict, PROBE_INSIDE_NONE);
}

/* A channel without contention is not detected, but the dies are. */
static void
test_unseen_channels(void **state)
{
	SsdsimSpec	spec = load("ssd-s");
	ProbeInside told;

	(void) state;
	spec.channel_transfer = 10000;
	told = probe(&spec, 0.02, 0.005, 8);
	assert_int_equal(told.verdict, PROBE_INSIDE_PATTERN);
	assert_int_equal(told.degree, spec.channels * spec.packages);
	assert_int_equal(told.subdomains, 0);
}

/* Chunks smaller than the resolution are not mistaken for larger ones. */
static void
test_small_pages(void **state)
{
	SsdsimSpec	spec = load("ssd-s");

	(void) state;
	spec.page_bytes = 2048;
	for (spec.channels = 4; spec.channels < 12; spec.channels += 3)
		assert_int_not_equal(probe(&spec, 0.02, 0.005, 7).verdict,
							 PROBE_INSIDE_PATTERN);
}

/* The device changes while it is probed. */
static void
test_changes(void **state)
{
	SsdsimSpec	spec = load("ssd-s");

	(void) state;
	spec.mapping = SSDSIM_MAP_STATIC;
	for (uint64_t from = 0; from < 40000; from += 8000)
	{
		Probed		probed = {
			.random = from, .jitter = 0.02, .twist = CHANGING,
			.twist_from = from,
		};
		ProbeInside told;

		assert_true(probe_twisted(&spec, &probed, &told));
		assert_int_not_equal(told.verdict, PROBE_INSIDE_PATTERN);
		assert_int_equal(told.chunk_bytes, 0);
	}
}

/* A device that stops answering, or a user who cancels: no result. */
static void
test_ends(void **state)
{
	SsdsimSpec	spec = load("ssd-s");

	(void) state;
	for (uint64_t from = 0; from < 60000; from += 6000)
	{
		Probed		probed = {
			.random = from, .twist = ENDING, .twist_from = from,
		};
		ProbeInside told;

		if (probe_twisted(&spec, &probed, &told))
			assert_true(probed.issued <= from);
		else
			assert_true(probed.issued > from);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forty),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_shipped),
		cmocka_unit_test(test_disk),
		cmocka_unit_test(test_nothing_to_see),
		cmocka_unit_test(test_unseen_channels),
		cmocka_unit_test(test_small_pages),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
