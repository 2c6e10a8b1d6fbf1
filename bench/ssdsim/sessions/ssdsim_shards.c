/*
 * ssdsim_shards.c
 *		Shards share nothing, so each is simulated separately.
 */
#include "ssdsim_shards.h"

#define TABLE 8					/* size of the table, per page read */

static int64_t
read_share(const SsdsimSpec *spec, int number, uint64_t pages, uint32_t depth)
{
	SsdsimMachine machine;
	SsdsimSsdpard daemon;
	const SsdsimWork list = {
		.name = "shard", .processes = 1, .steps = pages,
		.table = TABLE * pages, .reads = 1, .known_ahead = true,
	};
	SsdsimProcess process = {
		.work = &list, .machine = &machine, .daemon = &daemon,
		.depth = depth, .random = (uint64_t) number + 1
	};
	int64_t		time;

	ssdsim_machine_init(&machine, spec, 1, list.table);
	ssdsim_ssdpard_init(&daemon, &machine, &ssdsim_ssdpard_usual, depth);
	ssdsim_process_begin(&process);
	while (!process.ended)
		ssdsim_machine_step(&machine);
	time = machine.now;
	ssdsim_process_disconnect(&process);
	ssdsim_ssdpard_free(&daemon);
	ssdsim_machine_free(&machine);
	return time;
}

int64_t
ssdsim_shards_read(const SsdsimSpec *spec, int nshards, uint64_t pages,
				   uint32_t depth)
{
	uint64_t	share = (pages + (uint64_t) nshards - 1) / (uint64_t) nshards;
	int64_t		longest = 0;

	for (int i = 0; i < nshards; i++)
	{
		int64_t		time = read_share(spec, i, share, depth);

		longest = time > longest ? time : longest;
	}
	return longest;
}
