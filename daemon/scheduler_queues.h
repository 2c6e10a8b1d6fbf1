/*
 * scheduler_queues.h
 *		What scheduler.c and scheduler_next.c share, and nobody else looks at.
 *
 * Invariants
 *	- a flow is in its device's active list exactly while something is queued
 *	  in it, and has a deficit of 0 otherwise;
 *	- a range is in the free list, or queued in its flow, or has pieces in
 *	  flight, or both of the latter;
 *	- 1 <= depth <= limit for every device.
 */
#ifndef SSDPARD_SCHEDULER_QUEUES_H
#define SSDPARD_SCHEDULER_QUEUES_H

#include <sys/queue.h>

#include "latency.h"
#include "scheduler.h"

typedef TAILQ_HEAD(RangeQueue, SsdpardRange) RangeQueue;

struct SsdpardRange
{
	TAILQ_ENTRY(SsdpardRange) link; /* in a flow while queued, or free */
	struct Flow *flow;
	void *file;
	uint64_t offset;
	uint64_t arrived;
	uint32_t length;
	uint32_t issued;			/* bytes handed out as pieces */
	uint32_t stream;
	uint16_t in_flight;			/* pieces */
	bool queued;
	bool was[SSDPARD_HAS_FAILED + 1];	/* results of its pieces */
};

/* What one client has queued for one class of one device. */
typedef struct Flow
{
	TAILQ_ENTRY(Flow) link;		/* in the class while ranges is not empty */
	RangeQueue ranges;
	SsdpardClient *client;
	int device;
	SsdpardClass class;
	uint32_t deficit;			/* bytes it may still read in this turn */
} Flow;

typedef TAILQ_HEAD(FlowQueue, Flow) FlowQueue;

struct SsdpardClient
{
	Flow flows[SSDPARD_MAX_DEVICES][SSDPARD_CLASSES];
	uint32_t in_flight[SSDPARD_MAX_DEVICES];	/* pieces */
	uint32_t ranges;			/* queued or in flight */
	uint32_t depth;
	void *owner;
};

typedef struct Device
{
	uint64_t number;
	uint32_t limit;				/* depth when all is well */
	uint32_t depth;				/* depth now, 1 to limit */
	uint32_t profile;			/* saturation depth, 0: unknown */
	uint32_t in_flight[SSDPARD_CLASSES];
	FlowQueue active[SSDPARD_CLASSES];	/* flows with something queued */
	uint32_t nactive[SSDPARD_CLASSES];
	uint32_t random_run;		/* random pieces since a sequential one */
	SsdpardWindow windows[SSDPARD_CLASSES];
	uint64_t waited[SSDPARD_CLASSES];	/* for a CPU, by the last verdict */
} Device;

struct SsdpardScheduler
{
	SsdpardRules rules;
	SsdpardFinished finished;
	SsdpardCpuWait cpu_wait;	/* NULL: nobody tells */
	Device devices[SSDPARD_MAX_DEVICES];
	int ndevices;
	SsdpardRange *pool;			/* rules.max_ranges of them */
	RangeQueue free;
	uint32_t ranges;			/* not free */
	uint32_t in_flight;
};

/* Takes a range out of its flow: no further piece of it is handed out. */
extern void ssdpard_queue_remove(SsdpardScheduler *scheduler,
								 SsdpardRange *range);
/* Counts the range if nothing more will happen to it. */
extern void ssdpard_queue_finish(SsdpardScheduler *scheduler,
								 SsdpardRange *range);

#endif							/* SSDPARD_SCHEDULER_QUEUES_H */
