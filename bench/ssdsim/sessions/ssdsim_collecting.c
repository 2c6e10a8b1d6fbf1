/*
 * ssdsim_collecting.c
 *		One reader with the daemon ahead of it, and writers.
 */
#include "ssdsim_collecting.h"

#include <stdlib.h>

#include "bench/ssdsim/ssdsim_memory.h"
#include "bench/ssdsim/ssdsim_random.h"
#include "ssdsim_pairs.h"

#define AGE 1.5					/* times that all was overwritten before */
#define LEAD INT64_C(1000000000)	/* head start of the writers, ns */
#define PAGE 4096

/* Like an index join's list of pages: QR of ssdsim_pairs.c, shorter. */
static const SsdsimWork list = {
	.name = "list", .processes = 1, .steps = 6000, .table = 32768,
	.reads = 1, .known_ahead = true, .compute = 11000,
};

typedef struct Writer
{
	SsdsimMachine *machine;
	uint64_t	random;
	uint64_t	first;			/* first page, and number of pages */
	uint64_t	pages;
	int64_t		rest;
	uint64_t	written;
	SsdsimCall	stored;
	SsdsimCall	rested;
} Writer;

typedef struct World
{
	SsdsimMachine machine;
	SsdsimSsdpard daemon;
	SsdsimProcess reader;
	SsdsimHistogram waits;
	Writer		writers[SSDSIM_MOST_WRITERS];
} World;

static void
write_page(void *whom)
{
	Writer	   *writer = whom;
	uint64_t	page = writer->first +
		ssdsim_random_below(&writer->random, writer->pages);

	ssdsim_machine_write(writer->machine, 0, page * PAGE, PAGE,
						 &writer->stored);
}

static void
rest(void *whom)
{
	Writer	   *writer = whom;

	writer->written++;
	ssdsim_machine_after(writer->machine, writer->rest, &writer->rested);
}

/* They write outside of tables. */
static void
begin_writer(World *world, int number, const SsdsimSpec *spec, int64_t rests)
{
	Writer	   *writer = &world->writers[number];
	uint64_t	table = list.table * SSDSIM_BLOCK / PAGE;

	*writer = (Writer)
	{
		.machine = &world->machine, .random = (uint64_t) number,
			.first = table, .rest = rests,
			.pages = ssdsim_spec_capacity(spec) / PAGE - table,
			.stored =
		{
			.call = rest, .whom = writer
		},
			.rested =
		{
			.call = write_page, .whom = writer
		}
	};
	write_page(writer);
}

static uint64_t
count_writes(const World *world, int writers)
{
	uint64_t	count = 0;

	for (int i = 0; i < writers; i++)
		count += world->writers[i].written;
	return count;
}

static void
begin_reader(World *world, uint32_t depth, uint32_t lead)
{
	world->reader = (SsdsimProcess)
	{
		.work = &list, .machine = &world->machine,
			.daemon = &world->daemon, .depth = depth,
			.lead = lead * depth, .random = 1, .waits = &world->waits
	};
	ssdsim_process_begin(&world->reader);
}

bool
ssdsim_collecting_device(const char *name, const char *folder,
						 SsdsimSpec *spec, SsdsimError *error)
{
	if (!ssdsim_pair_device(name, folder, spec, error))
		return false;
	if (!spec->mechanical && spec->devices == 1)
		return true;
	return ssdsim_fail(error, "%.200s is %s, which cannot tell what the die of a page does. Take a single SSD.",
					   name, spec->mechanical ? "a disk" :
					   "several devices as one");
}

SsdsimCollectingResult
ssdsim_collecting_run(const SsdsimSpec *spec, const SsdsimCollecting *how,
					  uint32_t depth)
{
	World	   *world = ssdsim_allocate(1, sizeof(*world));
	SsdsimMachine *machine = &world->machine;
	SsdsimCollectingResult result;
	uint64_t	before;

	ssdsim_machine_init(machine, spec, 1, list.table);
	ssdsim_machine_age(machine, AGE);
	ssdsim_ssdpard_init(&world->daemon, machine, &ssdsim_ssdpard_usual, depth);
	world->daemon.held.longest = how->hold;
	for (int i = 0; i < how->writers; i++)
		begin_writer(world, i, spec, how->rest);
	while (how->writers > 0 && machine->now < LEAD)
		ssdsim_machine_step(machine);
	result.time = -machine->now;
	before = count_writes(world, how->writers);
	begin_reader(world, depth, how->lead);
	while (!world->reader.ended)
		ssdsim_machine_step(machine);
	result.time += machine->now;
	result.wait99 = ssdsim_histogram_at(&world->waits, 0.99);
	result.writes = (double) (count_writes(world, how->writers) - before) /
		((double) result.time / 1e9);
	result.held = world->daemon.held.times;
	ssdsim_process_disconnect(&world->reader);
	ssdsim_ssdpard_free(&world->daemon);
	ssdsim_machine_free(machine);
	free(world);
	return result;
}
