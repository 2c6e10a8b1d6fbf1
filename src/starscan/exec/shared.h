/*
 * shared.h
 *		Shared memory of a parallel star scan, in the segment that the server
 *		gives the node.
 */
#ifndef SSDPAR_STAR_SHARED_H
#define SSDPAR_STAR_SHARED_H

#include "access/tableam.h"

#include "starscan/exec/counters.h"
#include "starscan/exec/page_allocator.h"
#include "starscan/exec/participants.h"
#include "starscan/exec/result.h"

typedef struct SsdparStarShared SsdparStarShared;

/* Returns the size for this many processes, including the leader.  */
extern Size ssdpar_star_shared_size(int nprocesses, int nreducers,
									Relation fact, Snapshot snapshot);

/* Initializes it, before any worker is started.  */
extern void ssdpar_star_shared_init(SsdparStarShared *shared, int nprocesses,
									int nreducers);

/* Resets it while no worker is running.  Counters are kept.  */
extern void ssdpar_star_shared_reset(SsdparStarShared *shared, dsa_area *area);

/* Its parts.  Process 0 is the leader.  */
extern SsdparStarResult *ssdpar_star_shared_result(SsdparStarShared *shared);
extern SsdparStarCounters *
			ssdpar_star_shared_counters(SsdparStarShared *shared, int process);
extern SsdparParticipants *
			ssdpar_star_shared_participants(SsdparStarShared *shared);
extern SsdparPageAllocator *
			ssdpar_star_shared_allocator(SsdparStarShared *shared);

/*
 * Core's block allocator, for sequential access.  One process must begin it
 * before any process uses it.
 */
extern void ssdpar_star_shared_begin_scan(SsdparStarShared *shared,
										  Relation fact, Snapshot snapshot);
extern ParallelTableScanDesc ssdpar_star_shared_scan(SsdparStarShared *shared);

/* Adds the counters of all processes so far to total.  */
extern void ssdpar_star_shared_add_counters(SsdparStarShared *shared,
											SsdparStarCounters *total);

#endif							/* SSDPAR_STAR_SHARED_H */
