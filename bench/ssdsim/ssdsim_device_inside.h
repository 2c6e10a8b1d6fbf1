/*
 * ssdsim_device_inside.h
 *		Shared by reads and writes on their way through a device.
 *
 * Only for ssdsim_device.c and ssdsim_device_write.c.
 */
#ifndef SSDSIM_DEVICE_INSIDE_H
#define SSDSIM_DEVICE_INSIDE_H

#include "ssdsim_device.h"
#include "ssdsim_disk.h"
#include "ssdsim_readahead.h"
#include "ssdsim_turning.h"

/* The stage that an event ends; SSDSIM_EVENT_DIE is the flash's. */
enum
{
	SSDSIM_EVENT_TURN = SSDSIM_EVENT_DIE + 1,	/* changing direction */
	SSDSIM_EVENT_LOOK,			/* command: check what was read ahead */
	SSDSIM_EVENT_FETCH,			/* setup: read from the flash */
	SSDSIM_EVENT_STORE,			/* setup: receive data from the host */
	SSDSIM_EVENT_STORED,		/* a page is in the write buffer */
	SSDSIM_EVENT_DONE,
};

struct SsdsimDevice
{
	SsdsimFlash flash;
	SsdsimReadahead readahead;
	SsdsimDisk	disk;
	uint64_t	random;
	SsdsimDone	done;
	SsdsimDone	foreseen;		/* or NULL */
	void	   *argument;

	SsdsimRequestList waiting;	/* outside, for a place in the queue */
	int64_t		inside;
	int64_t		controller;		/* busy until */
	int64_t		bus;
	SsdsimRequestList full;		/* writes that wait for the write buffer */
	int64_t		buffered;		/* pages in it */
	SsdsimRequestList flushes;	/* that wait for pages to be programmed */
	uint64_t	nflushes;		/* so far */
	SsdsimTurning turning;
	SsdsimCounts counts;
};

extern void ssdsim_device_plan(SsdsimDevice *device, int64_t time,
							   uint32_t what, void *whom);

/* When something that is busy until *FREE has also worked for DURATION. */
extern int64_t ssdsim_device_take(SsdsimDevice *device, int64_t *free,
								  SsdsimResource resource, int64_t duration);

/* When the bus has moved the part of a page that a request needs. */
extern int64_t ssdsim_device_take_bus(SsdsimDevice *device,
									  const SsdsimRequest *request,
									  uint64_t page);

/* One more page has arrived, at TIME. */
extern void ssdsim_device_page_there(SsdsimDevice *device,
									 SsdsimRequest *request, int64_t time);

/* The completion time of a request is certain, whatever comes after it. */
extern void ssdsim_device_complete_at(SsdsimDevice *device,
									  SsdsimRequest *request, int64_t time);

static inline int64_t
ssdsim_device_now(const SsdsimDevice *device)
{
	return device->flash.events.now;
}

#endif							/* SSDSIM_DEVICE_INSIDE_H */
