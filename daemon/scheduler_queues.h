/*
 * scheduler_queues.h
 *		The ranges of all clients, and where each of them is.
 *
 * A client has one flow for each class and device: its ranges, first in first
 * out.  A device has one list for each class: the flows with something queued.
 *
 * Bookkeeping alone.  Which flow is next decides scheduler_policy.c, and
 * nothing but the scheduler's own files looks in here.
 */
#ifndef SSDPARD_SCHEDULER_QUEUES_H
#define SSDPARD_SCHEDULER_QUEUES_H

#include <assert.h>
#include <stddef.h>
#include <sys/queue.h>

#include "latency.h"
#include "request.h"

/* Devices that have a queue of their own; further ones share the last. */
#define SSDPARD_MAX_DEVICES 16

typedef TAILQ_HEAD(SsdpardRangeList, SsdpardRange) SsdpardRangeList;
typedef TAILQ_HEAD(SsdpardFlowList, SsdpardFlow) SsdpardFlowList;

/*
 * Invariant of a range
 *	- it is free; or queued in its flow, or part of it is outstanding, or both;
 *	- issued <= length, and it is queued only while issued < length.
 */
struct SsdpardRange
{
	TAILQ_ENTRY(SsdpardRange) link; /* in its flow while queued, in its device
									 * once given out, or free */
	struct SsdpardFlow *flow;
	void	   *file;
	uint64_t	offset;
	uint64_t	arrived;		/* us */
	uint64_t	given;			/* us, when the last of it was given out */
	uint32_t	length;
	uint32_t	issued;			/* bytes given out as device requests */
	uint32_t	stream;
	uint16_t	outstanding;	/* device requests */
	bool		queued;
	bool		had[SSDPARD_RESULTS];	/* results of its device requests */
};

/*
 * Invariant of a flow: it is in its device's active list exactly while
 * something is queued in it, and its deficit is 0 otherwise (nothing is saved
 * up while idle).
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
	uint64_t	bytes[SSDPARD_MAX_DEVICES]; /* of these */
	const uint64_t *allowed;	/* bytes; NULL or 0: any number */
	uint32_t	ranges;			/* queued or outstanding */
	uint32_t	depth;			/* on each device */
	void	   *owner;
};

/*
 * Invariant of a device
 *	- 1 <= depth <= limit;
 *	- nactive counts the flows in active;
 *	- given has the ranges of which nothing is left to be given out and
 *	  something is outstanding, in the order in which that began.
 */
typedef struct SsdpardDevice
{
	int			index;			/* in SsdpardQueues.devices */
	uint64_t	number;			/* st_dev */
	uint32_t	limit;			/* depth when all is well */
	uint32_t	depth;			/* depth now */
	uint32_t	profile;		/* saturation depth, 0: unknown */
	uint32_t	outstanding[SSDPARD_CLASSES];
	SsdpardFlowList active[SSDPARD_CLASSES];
	uint32_t	nactive[SSDPARD_CLASSES];
	SsdpardRangeList given[SSDPARD_CLASSES];

	/* scheduler_policy.c's memory */
	uint32_t	random_run;		/* random requests since a sequential one */
	SsdpardWindow windows[SSDPARD_CLASSES];
	uint64_t	cpu_wait[SSDPARD_CLASSES];	/* us, at the last full window */
} SsdpardDevice;

/*
 * Invariant: ranges + the length of free = max_ranges; a device request that
 * is outstanding belongs to a range that is not free.
 */
typedef struct SsdpardQueues
{
	SsdpardDevice devices[SSDPARD_MAX_DEVICES];
	int			ndevices;
	SsdpardRange *pool;			/* max_ranges of them */
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

/* False if there is no memory for MAX_RANGES. */
extern bool ssdpard_queues_init(SsdpardQueues *queues, uint32_t max_ranges,
								SsdpardFinished finished);

/* Every range has to be free. */
extern void ssdpard_queues_free(SsdpardQueues *queues);

/* CLIENT's flows, empty. */
extern void ssdpard_queues_init_client(SsdpardQueues *queues,
									   SsdpardClient *client);

/* To the end of its flow.  False if there is no room. */
extern bool ssdpard_queues_add(SsdpardQueues *queues, SsdpardClient *client,
							   const SsdpardRangeSpec *spec, uint64_t now);

/*
 * Gives out the next LENGTH bytes of the flow's first range, which has at
 * least that many left, at the time NOW.
 */
extern void ssdpard_queues_issue(SsdpardQueues *queues, SsdpardFlow *flow,
								 uint32_t length, uint64_t now,
								 SsdpardDeviceRequest *request);

/* Takes back what was given out. */
extern void ssdpard_queues_complete(SsdpardQueues *queues,
									const SsdpardDeviceRequest *request,
									SsdpardResult result);

/* Drops what CLIENT has queued: all of it, or that of STREAM (not NULL). */
extern void ssdpard_queues_drop(SsdpardQueues *queues, SsdpardClient *client,
								const uint32_t *stream);

#endif							/* SSDPARD_SCHEDULER_QUEUES_H */
