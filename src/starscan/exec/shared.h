/*
 * shared.h
 *		What the processes of a parallel star scan share, and where it lies in
 *		the shared memory that the server gives the node.
 */
#ifndef SSDPAR_STAR_SHARED_H
#define SSDPAR_STAR_SHARED_H

#include "access/tableam.h"

#include "starscan/exec/counters.h"
#include "starscan/exec/page_allocator.h"
#include "starscan/exec/participants.h"
#include "starscan/exec/result.h"

typedef struct SsdparStarShared SsdparStarShared;

/* Bytes of it for this many processes, the leader included. */
extern Size ssdpar_star_shared_size(int nprocesses, int nreducers,
									Relation fact, Snapshot snapshot);

/* Fill it in, before any worker is started. */
extern void ssdpar_star_shared_init(SsdparStarShared *shared, int nprocesses,
									int nreducers);

/* Once more from the start, while no worker runs.  Counters stay. */
extern void ssdpar_star_shared_reset(SsdparStarShared *shared, dsa_area *area);

/* Its parts.  Process 0 is the leader. */
extern SsdparStarResult *ssdpar_star_shared_result(SsdparStarShared *shared);
extern SsdparStarCounters *
			ssdpar_star_shared_counters(SsdparStarShared *shared, int process);
extern SsdparParticipants *
			ssdpar_star_shared_participants(SsdparStarShared *shared);
extern SsdparPageAllocator *
			ssdpar_star_shared_allocator(SsdparStarShared *shared);

/*
 * Core's block allocator, for sequential access: one process begins it, before
 * any uses it.
 */
extern void ssdpar_star_shared_begin_scan(SsdparStarShared *shared,
										  Relation fact, Snapshot snapshot);
extern ParallelTableScanDesc ssdpar_star_shared_scan(SsdparStarShared *shared);

/* Counters of all processes so far, added to total. */
extern void ssdpar_star_shared_add_counters(SsdparStarShared *shared,
											SsdparStarCounters *total);

#endif							/* SSDPAR_STAR_SHARED_H */
