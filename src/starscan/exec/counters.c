/*
 * counters.c
 *		Adds up the counters of a star scan's processes.
 */
#include "postgres.h"

#include "storage/shmem.h"

#include "base/compat.h"
#include "starscan/exec/counters.h"

Size
ssdpar_star_counters_size(int nreducers)
{
	return add_size(offsetof(SsdparStarCounters, filters),
					mul_size(nreducers, sizeof(SsdparFilterCount)));
}

void
ssdpar_star_counters_add(SsdparStarCounters *total,
						 const SsdparStarCounters *counters, int nreducers)
{
	const SsdparReadCounters *read = &counters->read;

	total->read.pages += read->pages;
	total->read.reads += read->reads;
	total->read.asked += read->asked;
	total->read.merged += read->merged;
	total->read.waits += read->waits;
	total->read.depth_sum += read->depth_sum;
	total->read.depth_n += read->depth_n;
	total->read.depth_max = Max(total->read.depth_max, read->depth_max);
	ssdpar_io_stats_add(&total->read.io, &read->io);
	total->pruned += counters->pruned;
	INSTR_TIME_ADD(total->prepare_time, counters->prepare_time);
	for (int i = 0; i < SSDPAR_PHASES; i++)
		ssdpar_busy_sum(&total->busy[i], &counters->busy[i]);
	for (int i = 0; i < nreducers; i++)
	{
		total->filters[i].rows += counters->filters[i].rows;
		total->filters[i].dropped += counters->filters[i].dropped;
		total->filters[i].partnerless += counters->filters[i].partnerless;
	}
}
