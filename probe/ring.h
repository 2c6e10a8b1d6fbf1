/*
 * ring.h
 *		The engine's use of io_uring: one ring, one file, and one slot with
 *		a buffer for each request that can be outstanding.
 */
#ifndef SSDPAR_PROBE_RING_H
#define SSDPAR_PROBE_RING_H

#include <liburing.h>

#include "probe.h"

/*
 * Invariant: busy = number of requests, queued or in the kernel, whose
 * completion has not been taken; one per slot, so at most slots.  The buffers
 * exist at least while busy > 0, because the kernel reads and writes them.
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
	bool		ticking;		/* the timeout request is in the kernel */
	bool		stuck;			/* some did not complete: only close it */
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

/* Drains the ring if possible, then frees it and its buffers. */
extern void ssdpar_probe_ring_close(ProbeRing *ring);

extern void ssdpar_probe_ring_queue(ProbeRing *ring, ProbeOperation operation,
									int slot, uint32_t size, uint64_t offset);

/*
 * Submits queued requests and waits for a completion or 50 ms, so that the
 * caller can check whether to continue.
 */
extern bool ssdpar_probe_ring_wait(ProbeRing *ring, ProbeError *error);

/* Takes one completion; false if there is none. */
extern bool ssdpar_probe_ring_take(ProbeRing *ring,
								   ProbeCompletion *completion);

/*
 * Waits for all busy requests and discards their results.  Returns false if
 * the device hangs, after 10 s without a completion, and immediately from then
 * on.
 */
extern bool ssdpar_probe_ring_drain(ProbeRing *ring);

static inline char *
ssdpar_probe_ring_buffer(const ProbeRing *ring, int slot)
{
	return ring->buffers + (size_t) slot * ring->slot_bytes;
}

#endif							/* SSDPAR_PROBE_RING_H */
