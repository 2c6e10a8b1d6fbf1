/*
 * ring.h
 *		io_uring as the engine uses it: one ring, one file, one slot with a
 *		buffer for each request that can be outstanding.
 */
#ifndef SSDPAR_PROBE_RING_H
#define SSDPAR_PROBE_RING_H

#include <liburing.h>

#include "probe.h"

/*
 * Invariant: busy = requests queued or with the kernel whose completion has
 * not been taken, one per slot and so at most slots.  The buffers live at
 * least as long as busy > 0: the kernel reads and writes them.
 */
typedef struct ProbeRing
{
	struct io_uring ring;
	int			fd;
	char	   *buffers;		/* slots * slot_bytes */
	uint32_t	slot_bytes;
	int			slots;
	int			busy;
	struct __kernel_timespec tick;
	bool		ticking;		/* the timeout request is with the kernel */
	bool		stuck;			/* some did not come back: only close it */
	bool		open;
} ProbeRing;

/* One completed request; RESULT is a byte count or a negative errno. */
typedef struct ProbeCompletion
{
	int			slot;
	int			result;
} ProbeCompletion;

extern bool ssdpar_probe_ring_open(ProbeRing *ring, int slots,
								   uint32_t slot_bytes, ProbeError *error);

/* Drains the ring, if it can be, then frees it and its buffers. */
extern void ssdpar_probe_ring_close(ProbeRing *ring);

extern void ssdpar_probe_ring_queue(ProbeRing *ring, ProbeOperation operation,
									int slot, uint32_t size, uint64_t offset);

/*
 * Submits what is queued and waits until a completion is there or 50 ms have
 * passed, so that the caller can look whether it should go on.
 */
extern bool ssdpar_probe_ring_wait(ProbeRing *ring, ProbeError *error);

/* Takes one completion; false if none is there. */
extern bool ssdpar_probe_ring_take(ProbeRing *ring,
								   ProbeCompletion *completion);

/*
 * Waits for every busy request and forgets their results.  False if the device
 * hangs, after 10 s without a completion; from then on at once.
 */
extern bool ssdpar_probe_ring_drain(ProbeRing *ring);

static inline char *
ssdpar_probe_ring_buffer(const ProbeRing *ring, int slot)
{
	return ring->buffers + (size_t) slot * ring->slot_bytes;
}

#endif							/* SSDPAR_PROBE_RING_H */
