/*
 * shared.c
 *		Shared memory of a parallel star scan.
 *
 * One process makes the result (key sets, pages of the bitmap), and others
 * share its index reads (participants.c).  After that the rows of the fact are
 * divided: by core's block allocator for sequential access, by our allocator
 * over the bitmap's pages otherwise.
 *
 * The parts are located by offsets, because workers map the segment at
 * different addresses.  Their data in the query's area is freed here too,
 * while no worker is running.
 */
#include "postgres.h"

#include "storage/predicate.h"
#include "storage/shmem.h"

#include "base/compat.h"
#include "starscan/exec/shared.h"

/*
 * Followed by the result, the counters of each process, the participants, and
 * core's scan, each MAXALIGNed.  Invariant: the leader fills in this struct
 * once, and only the allocator and the parts that follow change later.
 */
struct SsdparStarShared
{
	SsdparPageAllocator allocator;
	int			nprocesses;		/* leader and planned workers */
	int			nreducers;
	Size		result_offset;
	Size		counters_offset;
	Size		counters_size;	/* of each process */
	Size		participants_offset;
	Size		scan_offset;
};

/* Computes the offsets; returns the size of everything but core's scan.  */
static Size
lay_out(SsdparStarShared *shared, int nprocesses, int nreducers)
{
	Size		size = MAXALIGN(sizeof(SsdparStarShared));

	memset(shared, 0, sizeof(SsdparStarShared));
	shared->nprocesses = nprocesses;
	shared->nreducers = nreducers;
	shared->result_offset = size;
	size = add_size(size, MAXALIGN(ssdpar_star_result_size(nreducers)));
	shared->counters_offset = size;
	shared->counters_size = MAXALIGN(ssdpar_star_counters_size(nreducers));
	size = add_size(size, mul_size(nprocesses, shared->counters_size));
	shared->participants_offset = size;
	size = add_size(size, MAXALIGN(ssdpar_participants_size(nprocesses)));
	shared->scan_offset = size;
	return size;
}

Size
ssdpar_star_shared_size(int nprocesses, int nreducers, Relation fact,
						Snapshot snapshot)
{
	SsdparStarShared layout;

	return add_size(lay_out(&layout, nprocesses, nreducers),
					table_parallelscan_estimate(fact, snapshot));
}

static void *
part_at(SsdparStarShared *shared, Size offset)
{
	Assert(offset >= MAXALIGN(sizeof(SsdparStarShared)) &&
		   offset == MAXALIGN(offset));
	return (char *) shared + offset;
}

SsdparStarResult *
ssdpar_star_shared_result(SsdparStarShared *shared)
{
	return part_at(shared, shared->result_offset);
}

SsdparStarCounters *
ssdpar_star_shared_counters(SsdparStarShared *shared, int process)
{
	Assert(process >= 0 && process < shared->nprocesses);
	return part_at(shared, shared->counters_offset +
				   process * shared->counters_size);
}

SsdparParticipants *
ssdpar_star_shared_participants(SsdparStarShared *shared)
{
	return part_at(shared, shared->participants_offset);
}

ParallelTableScanDesc
ssdpar_star_shared_scan(SsdparStarShared *shared)
{
	return part_at(shared, shared->scan_offset);
}

SsdparPageAllocator *
ssdpar_star_shared_allocator(SsdparStarShared *shared)
{
	return &shared->allocator;
}

void
ssdpar_star_shared_init(SsdparStarShared *shared, int nprocesses,
						int nreducers)
{
	lay_out(shared, nprocesses, nreducers);
	ssdpar_page_allocator_init(&shared->allocator, nprocesses);
	ssdpar_participants_init(ssdpar_star_shared_participants(shared),
							 nprocesses);
	memset(ssdpar_star_shared_result(shared), 0,
		   ssdpar_star_result_size(nreducers));
	memset(ssdpar_star_shared_counters(shared, 0), 0,
		   nprocesses * shared->counters_size);
}

void
ssdpar_star_shared_reset(SsdparStarShared *shared, dsa_area *area)
{
	ssdpar_star_result_reset(ssdpar_star_shared_result(shared),
							 shared->nreducers, area);
	ssdpar_participants_init(ssdpar_star_shared_participants(shared),
							 shared->nprocesses);
	pg_atomic_write_u64(&shared->allocator.next, 0);
}

/*
 * The scan ends at the current end of the table.  A serializable transaction
 * locks the table first, so that later insertions beyond this end conflict
 * with the lock.
 */
void
ssdpar_star_shared_begin_scan(SsdparStarShared *shared, Relation fact,
							  Snapshot snapshot)
{
	PredicateLockRelation(fact, snapshot);
	table_parallelscan_initialize(fact, ssdpar_star_shared_scan(shared),
								  snapshot);
}

void
ssdpar_star_shared_add_counters(SsdparStarShared *shared,
								SsdparStarCounters *total)
{
	for (int i = 0; i < shared->nprocesses; i++)
		ssdpar_star_counters_add(total, ssdpar_star_shared_counters(shared, i),
								 shared->nreducers);
}
