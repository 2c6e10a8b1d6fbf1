/*
 * ring.h
 *		Rings of shared buffers for a fact's pages.
 */
#ifndef SSDPAR_RING_H
#define SSDPAR_RING_H

#include "storage/bufmgr.h"

/* Rings shared by the scans of a process, for the duration of a query.  */
typedef struct SsdparRing SsdparRing;

/*
 * Creates it in the current memory context, where its rings are allocated too.
 */
extern SsdparRing *ssdpar_ring_create(void);

/* Returns the ring for a sequential scan.  */
extern BufferAccessStrategy ssdpar_ring_for_sequence(SsdparRing *ring);

/*
 * Returns the ring for pages of a bitmap with this many outstanding requests.
 */
extern BufferAccessStrategy ssdpar_ring_for_bitmap(SsdparRing *ring,
												   int depth);

#endif							/* SSDPAR_RING_H */
