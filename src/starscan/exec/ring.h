/*
 * ring.h
 *		Rings of shared buffers that a fact's pages go through.
 */
#ifndef SSDPAR_RING_H
#define SSDPAR_RING_H

#include "storage/bufmgr.h"

/* That which the scans of a process have in common, for as long as a query. */
typedef struct SsdparRing SsdparRing;

/* In the current memory context, where its buffers are listed as well. */
extern SsdparRing *ssdpar_ring_create(void);

/* For a sequential scan. */
extern BufferAccessStrategy ssdpar_ring_for_sequence(SsdparRing *ring);

/* For pages of a bitmap, of which so many requests are outstanding. */
extern BufferAccessStrategy ssdpar_ring_for_bitmap(SsdparRing *ring,
												   int depth);

#endif							/* SSDPAR_RING_H */
