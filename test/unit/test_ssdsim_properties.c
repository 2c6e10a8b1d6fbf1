/*
 * test_ssdsim_properties.c
 *		Properties of any device under any load: every request completes once
 *		and when foreseen, nothing that serves one request at a time serves
 *		two, time never goes backward, and the same seed gives the same bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ssdsim_load.h"
#include "ssdsim_policy.h"
#include "ssdsim_random.h"

#define CASES 1000
#define REQUESTS 600

static int64_t
from_to(uint64_t *random, int64_t least, int64_t most)
{
	return least + (int64_t) ssdsim_random_below(random, (uint64_t)
												 (most - least + 1));
}

/* The host sees the largest share that a description allows. */
static void
fill_up(SsdsimSpec *spec)
{
	/* a chunk may be cut off at a plane's end */
	int64_t		held = spec->gc_high + 1 + spec->hot_cold + (spec->chunk > 1);

	spec->blocks = 2 * held;
	spec->over_provisioning = 10000;
}

/*
 * Small, so that every queue fills and every plane runs out of space; every
 * other one is as full as possible.
 */
static SsdsimSpec
any_device(uint64_t *random)
{
	SsdsimSpec	spec = {
		.channels = from_to(random, 1, 4), .packages = from_to(random, 1, 3),
		.dies = from_to(random, 1, 2), .planes = from_to(random, 1, 3),
		.blocks = from_to(random, 6, 12), .pages = from_to(random, 2, 9),
		.page_bytes = 4096, .over_provisioning = 12000,
		.mapping = from_to(random, 0, 1), .chunk = from_to(random, 1, 2),
		.hot_cold = from_to(random, 0, 1),
		.copy_back = from_to(random, 0, 1),
		.multi_plane = from_to(random, 0, 1),
		.interleave = from_to(random, 0, 1), .gc_low = 1,
		.gc_high = from_to(random, 1, 3), .queue = from_to(random, 1, 40),
		.write_buffer = from_to(random, 0, 20),
		.readahead = from_to(random, 0, 6),
		.readahead_streams = from_to(random, 1, 3),
		.devices = 1, .stripe = 4096 * from_to(random, 1, 3),
		.host = from_to(random, 0, 20),
		.read_command = from_to(random, 0, 20),
		.write_command = from_to(random, 0, 20),
		.read_setup = from_to(random, 0, 20),
		.write_setup = from_to(random, 0, 20),
		.turn_to_write = from_to(random, 0, 20),
		.turn_to_read = from_to(random, 0, 20),
		.flash_command = from_to(random, 0, 5),
		.flash_read = from_to(random, 0, 100),
		.flash_program = {from_to(random, 0, 500), from_to(random, 0, 900)},
		.program_times = from_to(random, 1, 2),
		.flash_erase = from_to(random, 0, 2000),
		.channel_transfer = from_to(random, 0, 50),
		.bus_transfer = from_to(random, 0, 30),
	};

	if (from_to(random, 0, 1) == 0)
		fill_up(&spec);
	return spec;
}

static const SsdsimPolicy *
any_policy(uint64_t *random)
{
	int			count = 0;

	while (ssdsim_policy_at(count) != NULL)
		count++;
	return ssdsim_policy_at((int) from_to(random, 0, count - 1));
}

/* ----- one device, watched ----- */

typedef struct Watch
{
	SsdsimDevice *device;
	SsdsimSpec	spec;
	SsdsimRequest requests[REQUESTS];
	bool		complete[REQUESTS];
	int64_t		foreseen[REQUESTS]; /* plus one; 0: not yet */
	int			ncomplete;
	int64_t		now;
	int64_t		free[4][64];	/* by resource and index: busy until */
	int64_t		busy[4];
} Watch;

static void
observe(void *argument, SsdsimResource resource, uint32_t index, int64_t from,
		int64_t until)
{
	Watch	   *watch = argument;
	int64_t    *free = &watch->free[resource][index];

	assert_true(from >= *free && until >= from);
	*free = until;
	watch->busy[resource] += until - from;
}

static void
done(void *argument, SsdsimRequest *request, int64_t now)
{
	Watch	   *watch = argument;
	ptrdiff_t	number = request - watch->requests;

	assert_false(watch->complete[number]);
	assert_int_equal(watch->foreseen[number], now + 1);
	assert_true(now >= watch->now && now >= request->admitted &&
				request->admitted >= request->arrived);
	watch->complete[number] = true;
	watch->ncomplete++;
}

static void
foresee(void *argument, SsdsimRequest *request, int64_t time)
{
	Watch	   *watch = argument;
	ptrdiff_t	number = request - watch->requests;

	assert_int_equal(watch->foreseen[number], 0);
	watch->foreseen[number] = time + 1;
}

static void
pass_time(Watch *watch, int64_t until)
{
	while (ssdsim_device_next(watch->device) <= until)
	{
		assert_true(ssdsim_device_next(watch->device) >= watch->now);
		watch->now = ssdsim_device_next(watch->device);
		ssdsim_device_step(watch->device);
	}
}

static void
any_request(uint64_t *random, uint64_t capacity, bool trims,
			SsdsimRequest *request)
{
	request->kind = (SsdsimKind) (ssdsim_random_below(random, 9) * 3 / 8);
	if (request->kind > SSDSIM_TRIM || !trims)
		request->kind = SSDSIM_WRITE;
	request->bytes = 1 + ssdsim_random_below(random, 5 * 4096);
	if (request->bytes > capacity)
		request->bytes = capacity;
	request->address =
		ssdsim_random_below(random, capacity - request->bytes + 1);
	if (ssdsim_random_below(random, 20) == 0)
		*request = (SsdsimRequest)
	{
		.kind = SSDSIM_FLUSH
	};
}

static void
watch_device(uint64_t seed)
{
	Watch	   *watch = calloc(1, sizeof(*watch));
	uint64_t	random = seed;
	SsdsimCounts counts;
	int64_t		time = 0;
	bool		trims;

	assert_non_null(watch);
	watch->spec = any_device(&random);
	watch->device = ssdsim_device_new(&watch->spec, any_policy(&random), seed,
									  done, watch);
	ssdsim_device_observe(watch->device, observe, watch);
	ssdsim_device_foresee(watch->device, foresee);
	if (from_to(&random, 0, 1) == 1)
		ssdsim_device_fill(watch->device, 0, (uint64_t)
						   ssdsim_spec_user_pages(&watch->spec));
	/* without trims, a device that was filled stays full */
	trims = from_to(&random, 0, 1) == 1;
	for (int i = 0; i < REQUESTS; i++)
	{
		any_request(&random, ssdsim_spec_capacity(&watch->spec), trims,
					&watch->requests[i]);
		time += from_to(&random, 0, 400);
		pass_time(watch, time);
		ssdsim_device_submit(watch->device, &watch->requests[i], time);
	}
	pass_time(watch, SSDSIM_NEVER - 1);
	if (watch->ncomplete != REQUESTS)
		fail_msg("seed %llu: %d of %d requests complete",
				 (unsigned long long) seed, watch->ncomplete, REQUESTS);
	ssdsim_device_count(watch->device, &counts);
	assert_int_equal(counts.die_busy, watch->busy[SSDSIM_DIE]);
	assert_int_equal(counts.channel_busy, watch->busy[SSDSIM_CHANNEL]);
	assert_int_equal(counts.requests[0] + counts.requests[1] +
					 counts.requests[2] + counts.requests[3], REQUESTS);
	ssdsim_device_free(watch->device);
	free(watch);
}

static void
test_any_device(void **state)
{
	(void) state;
	for (uint64_t seed = 1; seed <= CASES; seed++)
		watch_device(seed);
}

/* ----- whole runs ----- */

/* The complete output of a run. */
static char *
run_any(uint64_t seed)
{
	static SsdsimRun run;
	uint64_t	random = seed;
	SsdsimSpec	spec = any_device(&random);
	SsdsimLoad	load = {
		.nloops = 1, .requests = 500, .time = SSDSIM_NEVER, .seed = seed
	};
	char	   *text;
	size_t		size;
	FILE	   *file = open_memstream(&text, &size);

	assert_non_null(file);
	spec.devices = from_to(&random, 1, 3);
	spec.stripe_cut = from_to(&random, 0, 1);
	load.loops[0] = (SsdsimLoop)
	{
		.depth = from_to(&random, 1, 9), .read_share = 0.5,
			.random_share =
		{
			0.7, 0.7
		}, .bytes = 4096 * (uint64_t)
			from_to(&random, 1, 3), .length = ssdsim_spec_capacity(&spec)
	};
	ssdsim_run_begin(&run, &spec, any_policy(&random), seed, 1);
	ssdsim_load_run(&load, &run);
	assert_int_equal(run.result.requests, load.requests);
	assert_int_equal(run.result.bytes, load.requests * load.loops[0].bytes);
	ssdsim_result_print(&run, file);
	fclose(file);
	return text;
}

static void
test_repeatable(void **state)
{
	(void) state;
	for (uint64_t seed = 1; seed <= 50; seed++)
	{
		char	   *once = run_any(seed);
		char	   *again = run_any(seed);

		assert_string_equal(once, again);
		free(once);
		free(again);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_device),
		cmocka_unit_test(test_repeatable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
