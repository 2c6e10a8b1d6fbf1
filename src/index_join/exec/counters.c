/*
 * counters.c
 *		Counters of an index join's processes, in shared memory.
 *
 * Each process writes only its own, without a lock.  They are added up when no
 * worker is running.
 */
#include "postgres.h"

#include "storage/shmem.h"

#include "index_join/exec/counters.h"

Size
ssdpar_join_counters_shared_size(int nprocesses)
{
	return add_size(offsetof(SsdparSharedJoinCounters, of),
					mul_size(nprocesses, sizeof(SsdparJoinCounters)));
}

void
ssdpar_join_counters_init(SsdparSharedJoinCounters *shared, int nprocesses)
{
	memset(shared, 0, ssdpar_join_counters_shared_size(nprocesses));
	shared->nprocesses = nprocesses;
}

static void
add_waits(SsdparReadWaits *total, const SsdparReadWaits *one)
{
	total->waits += one->waits;
	total->microseconds += one->microseconds;
}

void
ssdpar_join_counters_add(SsdparJoinCounters *total,
						 const SsdparSharedJoinCounters *shared)
{
	for (int i = 0; shared != NULL && i < shared->nprocesses; i++)
	{
		const SsdparJoinCounters *one = &shared->of[i];

		total->batches += one->batches;
		total->rows += one->rows;
		total->keys += one->keys;
		total->distinct += one->distinct;
		total->cut += one->cut;
		total->alone += one->alone;
		total->index.leaves += one->index.leaves;
		total->index.hits += one->index.hits;
		total->index.rows += one->index.rows;
		add_waits(&total->index.waits, &one->index.waits);
		total->index.deepest = Max(total->index.deepest, one->index.deepest);
		total->pages += one->pages;
		total->reads += one->reads;
		add_waits(&total->waits, &one->waits);
		total->deepest = Max(total->deepest, one->deepest);
		total->merged += one->merged;
		total->heap_fetches += one->heap_fetches;
	}
}
