/*
 * ssdsim_partitions.c
 *		Partitions alternate between the devices.
 */
#include "ssdsim_partitions.h"

#include <stdlib.h>

#include "bench/ssdsim/ssdsim_memory.h"

static const SsdsimWork scan = {
	.name = "partition", .processes = 1, .steps = 16384, .table = 16384,
	.reads = 1, .sequential = true, .known_ahead = true,
};

typedef struct World
{
	SsdsimMachine machine;
	SsdsimSsdpard daemon;
	SsdsimProcess processes[SSDSIM_PARTITIONS];
} World;

static bool
have_ended(const World *world)
{
	for (int i = 0; i < SSDSIM_PARTITIONS; i++)
		if (!world->processes[i].ended)
			return false;
	return true;
}

int64_t
ssdsim_partitions_scan(const SsdsimSpec *spec, int ndevices, uint32_t depth)
{
	World	   *world = ssdsim_allocate(1, sizeof(*world));
	uint64_t	share = SSDSIM_PARTITIONS / (uint64_t) ndevices * scan.table;
	int64_t		time;

	ssdsim_machine_init(&world->machine, spec, ndevices, share);
	ssdsim_ssdpard_init(&world->daemon, &world->machine,
						&ssdsim_ssdpard_usual, depth);
	for (int i = 0; i < SSDSIM_PARTITIONS; i++)
	{
		uint64_t	device = (uint64_t) (i % ndevices);
		uint64_t	place = (uint64_t) (i / ndevices);

		world->processes[i] = (SsdsimProcess)
		{
			.work = &scan, .machine = &world->machine,
				.daemon = &world->daemon, .depth = depth,
				.first = device * share + place * scan.table
		};
		ssdsim_process_begin(&world->processes[i]);
	}
	while (!have_ended(world))
		ssdsim_machine_step(&world->machine);
	time = world->machine.now;
	for (int i = 0; i < SSDSIM_PARTITIONS; i++)
		ssdsim_process_disconnect(&world->processes[i]);
	ssdsim_ssdpard_free(&world->daemon);
	ssdsim_machine_free(&world->machine);
	free(world);
	return time;
}
