/*
 * scheduler_queues.h
 *		The ranges of all clients and their states.
 *
 * A client has one flow for each class and device, which contains its ranges,
 * first in first out.  A device has one list for each class, which contains
 * the flows with queued ranges.
 *
 * This file only keeps the books.  scheduler_policy.c chooses the next flow,
 * and only the scheduler's files use this header.
 */
#ifndef SSDPARD_SCHEDULER_QUEUES_H
#define SSDPARD_SCHEDULER_QUEUES_H

#include <assert.h>
#include <stddef.h>
#include <sys/queue.h>

#include "latency.h"
#include "request.h"

/* Devices with a separate queue; further devices share the last one. */
#define SSDPARD_MAX_DEVICES 16

typedef TAILQ_HEAD(SsdpardRangeList, SsdpardRange) SsdpardRangeList;
typedef TAILQ_HEAD(SsdpardFlowList, SsdpardFlow) SsdpardFlowList;

/*
 * Invariant of a range
 *	- it is free, or it is queued in its flow, partly outstanding, or both;
 *	- issued <= length, and it is queued only while issued < length.
 */
struct SsdpardRange
{
	TAILQ_ENTRY(SsdpardRange) link; /* in its flow's list while queued, in its
									 * device's once given out, or free */
	struct SsdpardFlow *flow;
	void	   *file;
	uint64_t	offset;
	uint64_t	arrived;		/* us */
	uint64_t	given;			/* us, when the last part was given out */
	uint32_t	length;
	uint32_t	issued;			/* bytes given out as device requests */
	uint32_t	stream;
	uint16_t	outstanding;	/* device requests */
	bool		queued;
	bool		had[SSDPARD_RESULTS];	/* results of its device requests */
};

/*
 * Invariant of a flow: it is in its device's active list if and only if
 * something is queued in it; otherwise its deficit is 0 (nothing is
 * accumulated while idle).
 */
typedef struct SsdpardFlow
{
	TAILQ_ENTRY(SsdpardFlow) link;
	SsdpardRangeList ranges;
	SsdpardClient *client;
	struct SsdpardDevice *device;
	SsdpardClass class;
	uint32_t	deficit;		/* bytes it may still read in this turn */
} SsdpardFlow;

struct SsdpardClient
{
	SsdpardFlow flows[SSDPARD_MAX_DEVICES][SSDPARD_CLASSES];
	uint32_t	outstanding[SSDPARD_MAX_DEVICES];	/* device requests */
	uint64_t	bytes[SSDPARD_MAX_DEVICES]; /* bytes of outstanding requests */
	const uint64_t *allowed;	/* bytes; NULL or 0: no limit */
	uint32_t	ranges;			/* queued or outstanding */
	uint32_t	depth;			/* per device */
	void	   *owner;
};

/*
 * Invariant of a device
 *	- 1 <= depth <= limit;
 *	- nactive counts the flows in active;
 *	- given has the ranges that are completely given out and have outstanding
 *	  parts, in the order in which that began.
 */
typedef struct SsdpardDevice
{
	int			index;			/* in SsdpardQueues.devices */
	uint64_t	number;			/* st_dev */
	uint32_t	limit;			/* depth without garbage collection */
	uint32_t	depth;			/* current depth */
	uint32_t	profile;		/* saturation depth, 0: unknown */
	uint32_t	outstanding[SSDPARD_CLASSES];
	SsdpardFlowList active[SSDPARD_CLASSES];
	uint32_t	nactive[SSDPARD_CLASSES];
	SsdpardRangeList given[SSDPARD_CLASSES];

	/* state of scheduler_policy.c */
	uint32_t	random_run;		/* random requests since the last sequential
								 * one */
	SsdpardWindow windows[SSDPARD_CLASSES];
	uint64_t	cpu_wait[SSDPARD_CLASSES];	/* us, at the last full window */
} SsdpardDevice;

/*
 * Invariant: ranges + the length of free = max_ranges; an outstanding device
 * request belongs to a range that is not free.
 */
typedef struct SsdpardQueues
{
	SsdpardDevice devices[SSDPARD_MAX_DEVICES];
	int			ndevices;
	SsdpardRange *pool;			/* array of max_ranges */
	SsdpardRangeList free;
	uint32_t	max_ranges;
	uint32_t	ranges;			/* not free */
	uint32_t	outstanding;	/* device requests */
	SsdpardFinished finished;
} SsdpardQueues;

static inline void
ssdpard_check_range(const SsdpardRange *range)
{
	assert(range->queued || range->outstanding > 0);
	assert(range->issued <= range->length);
	assert(!range->queued || range->issued < range->length);
}

static inline void
ssdpard_check_flow(const SsdpardFlow *flow)
{
	assert(!TAILQ_EMPTY(&flow->ranges) || flow->deficit == 0);
	assert(TAILQ_EMPTY(&flow->ranges) ||
		   flow->device->nactive[flow->class] > 0);
}

static inline void
ssdpard_check_device(const SsdpardDevice *device)
{
	assert(device->depth >= 1 && device->depth <= device->limit);
	for (int class = 0; class < SSDPARD_CLASSES; class++)
		assert((device->nactive[class] == 0) ==
			   TAILQ_EMPTY(&device->active[class]));
}

static inline void
ssdpard_check_queues(const SsdpardQueues *queues)
{
	assert(queues->ranges <= queues->max_ranges);
	assert((queues->ranges == queues->max_ranges) ==
		   TAILQ_EMPTY(&queues->free));
	assert(queues->ranges > 0 || queues->outstanding == 0);
}

/* Returns false if there is no memory for MAX_RANGES. */
extern bool ssdpard_queues_init(SsdpardQueues *queues, uint32_t max_ranges,
								SsdpardFinished finished);

/* Requires that every range is free. */
extern void ssdpard_queues_free(SsdpardQueues *queues);

/* Initializes CLIENT's flows as empty. */
extern void ssdpard_queues_init_client(SsdpardQueues *queues,
									   SsdpardClient *client);

/* Appends a range to its flow.  Returns false if there is no room. */
extern bool ssdpard_queues_add(SsdpardQueues *queues, SsdpardClient *client,
							   const SsdpardRangeSpec *spec, uint64_t now);

/*
 * Gives out the next LENGTH bytes of the flow's first range at the time NOW;
 * at least that many must be left.
 */
extern void ssdpard_queues_issue(SsdpardQueues *queues, SsdpardFlow *flow,
								 uint32_t length, uint64_t now,
								 SsdpardDeviceRequest *request);

/* Completes a device request. */
extern void ssdpard_queues_complete(SsdpardQueues *queues,
									const SsdpardDeviceRequest *request,
									SsdpardResult result);

/* Drops the ranges CLIENT has queued: all, or those of STREAM if not NULL. */
extern void ssdpard_queues_drop(SsdpardQueues *queues, SsdpardClient *client,
								const uint32_t *stream);

#endif							/* SSDPARD_SCHEDULER_QUEUES_H */
