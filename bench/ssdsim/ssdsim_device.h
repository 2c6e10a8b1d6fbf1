/*
 * ssdsim_device.h
 *		One device on virtual time, as its host sees it: requests go in and
 *		complete.
 *
 *	host queue -> controller -> flash -> bus -> done		a read
 *	host queue -> controller -> bus -> write buffer, done	a write
 *	write buffer -> flash									afterwards
 *
 * It has no clock, input or output: the caller advances time, from event to
 * event.  The same requests at the same times with the same seed complete at
 * the same times.  Not thread-safe.
 */
#ifndef SSDSIM_DEVICE_H
#define SSDSIM_DEVICE_H

#include "ssdsim_flash.h"
#include "ssdsim_request.h"
#include "ssdsim_spec.h"

/* Counters, which only grow. */
typedef struct SsdsimCounts
{
	uint64_t	requests[SSDSIM_KINDS]; /* complete */
	uint64_t	bytes[SSDSIM_KINDS];
	uint64_t	programmed;		/* pages, for the host */
	uint64_t	moved;			/* pages, by garbage collection */
	uint64_t	erased;			/* blocks */
	uint64_t	foreground;		/* steps of collecting, by cause */
	uint64_t	background;
	uint64_t	packed;			/* operations combined with another */
	uint64_t	read_ahead;		/* pages */
	uint64_t	read_ahead_used;
	int64_t		die_busy;		/* sum over dies, ns */
	int64_t		channel_busy;	/* sum over channels */
	int64_t		contention;		/* operations waiting for a channel */
	int64_t		queued;			/* operations waiting to be started */
} SsdsimCounts;

typedef struct SsdsimDevice SsdsimDevice;

typedef void (*SsdsimDone) (void *argument, SsdsimRequest *request,
							int64_t now);

/* DONE may submit again.  The description has been checked. */
extern SsdsimDevice *ssdsim_device_new(const SsdsimSpec *spec,
									   const SsdsimPolicy *policy,
									   uint64_t seed, SsdsimDone done,
									   void *argument);
extern void ssdsim_device_free(SsdsimDevice *device);

/*
 * FORESEEN is called, like DONE and before it, with the time at which a
 * request will be complete, as soon as nothing can change that any more.  It
 * must not submit.
 */
extern void ssdsim_device_foresee(SsdsimDevice *device, SsdsimDone foreseen);
extern void ssdsim_device_observe(SsdsimDevice *device,
								  SsdsimObserver observe, void *observer);

/* Writes pages FIRST to LAST - 1 in that order, taking no time. */
extern void ssdsim_device_fill(SsdsimDevice *device, uint64_t first,
							   uint64_t last);

/* Overwrites COUNT random pages, taking no time. */
extern void ssdsim_device_age(SsdsimDevice *device, uint64_t count);

/* Submits a request at time NOW, which is not before the last event. */
extern void ssdsim_device_submit(SsdsimDevice *device, SsdsimRequest *request,
								 int64_t now);

/* The time of the next event, or SSDSIM_NEVER; and handles it. */
extern int64_t ssdsim_device_next(const SsdsimDevice *device);
extern void ssdsim_device_step(SsdsimDevice *device);

/* Does the die of a page collect now?  No host can see that. */
extern bool ssdsim_device_collects(const SsdsimDevice *device, uint64_t page);

extern void ssdsim_device_count(const SsdsimDevice *device,
								SsdsimCounts *counts);

#endif							/* SSDSIM_DEVICE_H */
