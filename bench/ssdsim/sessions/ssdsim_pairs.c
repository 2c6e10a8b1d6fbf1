/*
 * ssdsim_pairs.c
 *		The four workloads of bench/fig12.py, small, and pairs of them.
 *
 * Computing times are derived from the scenario's runs (docs/results/raw).
 */
#include "ssdsim_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "bench/ssdsim/ssdsim_load.h"
#include "bench/ssdsim/ssdsim_memory.h"
#include "bench/ssdsim/ssdsim_policy.h"

#include "ssdsim_protection.h"

#define MOST_PROCESSES 4		/* of a pair */
#define MOST_DEPTH 64			/* the limit of ssdpar-probe */
#define LEAD 20000000			/* head start of a co-runner, ns */
#define PROFILE_READS 10000
#define LOG_SPACE (UINT64_C(64) << 20)	/* per process */

static const SsdsimWork works[] = {
	{.name = "QS", .about = "scan of a table, as a hash join's",
		.processes = 1, .steps = 8192, .table = 8192, .reads = 1,
	.sequential = true, .known_ahead = true, .compute = 7500},
	{.name = "QR", .about = "list of random pages, as an index join's",
		.processes = 1, .steps = 8192, .table = 32768, .reads = 1,
	.known_ahead = true, .compute = 11000},
	{.name = "PB", .about = "pgbench: lookups, and a synchronous commit",
		.processes = 2, .steps = 300, .table = 8192, .reads = 5,
	.in_buffers = 800, .compute = 80000, .writes = 1, .write_bytes = 8192},
	{.name = "PM", .about = "postmark: small synchronous writes, few reads",
		.processes = 1, .steps = 300, .table = 4096, .reads = 1,
		.in_buffers = 500, .compute = 300000, .writes = 4, .write_bytes = 4096,
	.elsewhere = true},
};

const SsdsimWork *
ssdsim_work_at(int i)
{
	int			count = (int) (sizeof(works) / sizeof(works[0]));

	return i >= 0 && i < count ? &works[i] : NULL;
}

const SsdsimWork *
ssdsim_work_find(const char *name)
{
	const SsdsimWork *work;

	for (int i = 0; (work = ssdsim_work_at(i)) != NULL; i++)
		if (strcmp(work->name, name) == 0)
			return work;
	return NULL;
}

bool
ssdsim_pair_device(const char *name, const char *folder, SsdsimSpec *spec,
				   SsdsimError *error)
{
	if (!ssdsim_spec_load(name, folder, spec, error))
		return false;
	if (ssdsim_spec_capacity(spec) >= SSDSIM_PAIR_SPACE)
		return true;
	return ssdsim_fail(error, "%.200s has %llu bytes, and the tables need %llu. Take a larger device.",
					   name, (unsigned long long) ssdsim_spec_capacity(spec),
					   (unsigned long long) SSDSIM_PAIR_SPACE);
}

/* The state of a pair. */
typedef struct World
{
	SsdsimMachine machine;
	SsdsimSsdpard daemon;
	SsdsimProtection protection;
	SsdsimProcess processes[MOST_PROCESSES];
	int			nprocesses;
	uint64_t	blocks;			/* given to tables so far */
	uint64_t	log;			/* given to logs */
} World;

static uint64_t
blocks_of(const SsdsimWork *work)
{
	return work == NULL ? 0 : work->table;
}

/* Starts a workload, whose processes share a separate table. */
static void
begin(World *world, const SsdsimPair *pair, const SsdsimWork *work,
	  bool again)
{
	for (int i = 0; i < work->processes; i++)
	{
		SsdsimProcess *process = &world->processes[world->nprocesses];

		*process = (SsdsimProcess)
		{
			.work = work, .machine = &world->machine,
				.daemon = pair->rules != NULL ? &world->daemon : NULL,
				.allowed = pair->protects ? &world->protection.allowed : NULL,
				.depth = pair->depth, .first = world->blocks,
				.log = world->log, .again = again,
				.random = (uint64_t) (world->nprocesses + 1) << 32
		};
		world->nprocesses++;
		world->log += LOG_SPACE;
		ssdsim_process_begin(process);
	}
	world->blocks += work->table;
}

static bool
have_ended(const World *world, int first)
{
	for (int i = first; i < world->nprocesses; i++)
		if (!world->processes[i].ended)
			return false;
	return true;
}

static void
end(World *world, const SsdsimPair *pair)
{
	for (int i = 0; i < world->nprocesses; i++)
		world->processes[i].stopped = true;
	for (int i = 0; i < world->nprocesses; i++)
		ssdsim_process_disconnect(&world->processes[i]);
	if (pair->rules != NULL)
		ssdsim_ssdpard_free(&world->daemon);
	ssdsim_machine_free(&world->machine);
}

/* Random reads of a page, DEPTH at a time, per nanosecond. */
static double
reads_a_nanosecond(const SsdsimSpec *spec, int64_t depth)
{
	SsdsimLoad *load = ssdsim_allocate(1, sizeof(*load));
	SsdsimRun  *run = ssdsim_allocate(1, sizeof(*run));
	double		speed;

	load->nloops = 1;
	load->loops[0] = (SsdsimLoop)
	{
		.depth = depth, .read_share = 1, .random_share =
		{
			1, 1
		},
			.bytes = SSDSIM_BLOCK, .length = UINT64_C(1) << 30
	};
	load->requests = PROFILE_READS;
	load->time = SSDSIM_NEVER;
	ssdsim_run_begin(run, spec, ssdsim_policy_at(0), 1, -1);
	ssdsim_array_fill_until(run->array, load->loops[0].length);
	ssdsim_load_run(load, run);
	speed = (double) run->result.requests / (double) run->result.time;
	free(run);
	free(load);
	return speed;
}

/* Like make_pace() in src/prefetch/yield.c. */
static double
least_pages(const SsdsimSpec *spec, const SsdsimPair *pair)
{
	double		alone = 1 / reads_a_nanosecond(spec, 1);

	return (alone + pair->may_lose * 1e6) *
		reads_a_nanosecond(spec, pair->depth);
}

SsdsimPairResult
ssdsim_pair_run(const SsdsimSpec *spec, const SsdsimPair *pair)
{
	World	   *world = ssdsim_allocate(1, sizeof(*world));
	uint64_t	blocks = blocks_of(pair->target) + blocks_of(pair->beside);
	SsdsimPairResult result;
	int64_t		began = 0;
	int			first;

	ssdsim_machine_init(&world->machine, spec, 1, blocks);
	world->log = (blocks * SSDSIM_BLOCK / LOG_SPACE + 1) * LOG_SPACE;
	if (pair->rules != NULL)
		ssdsim_ssdpard_init(&world->daemon, &world->machine, pair->rules,
							pair->depth);
	if (pair->protects)
		ssdsim_protection_begin(&world->protection, &world->machine,
								least_pages(spec, pair));
	if (pair->beside != NULL)
	{
		began = LEAD;
		begin(world, pair, pair->beside, true);
		while (world->machine.now < began)
			ssdsim_machine_step(&world->machine);
	}
	began = world->machine.now;
	first = world->nprocesses;
	begin(world, pair, pair->target, false);
	while (!have_ended(world, first))
		ssdsim_machine_step(&world->machine);
	result = (SsdsimPairResult)
	{
		.time = world->machine.now - began,
			.bytes_read = world->machine.bytes_read,
			.deepest = world->daemon.deepest
	};
	end(world, pair);
	free(world);
	return result;
}

uint32_t
ssdsim_saturation_depth(const SsdsimSpec *spec)
{
	double		speeds[16];
	double		most = 0;
	int			n = 0;

	for (uint32_t depth = 1; depth <= MOST_DEPTH; depth *= 2)
	{
		speeds[n] = reads_a_nanosecond(spec, depth);
		most = speeds[n] > most ? speeds[n] : most;
		n++;
	}
	for (int i = 0; i < n; i++)
		if (speeds[i] >= 0.9 * most)
			return UINT32_C(1) << i;
	return MOST_DEPTH;
}
