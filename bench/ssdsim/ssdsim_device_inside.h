/*
 * ssdsim_device_inside.h
 *		What the two ways through a device, a read's and a write's, share.
 *
 * For ssdsim_device.c and ssdsim_device_write.c alone.
 */
#ifndef SSDSIM_DEVICE_INSIDE_H
#define SSDSIM_DEVICE_INSIDE_H

#include "ssdsim_device.h"
#include "ssdsim_disk.h"
#include "ssdsim_readahead.h"
#include "ssdsim_turning.h"

/* What an event is the end of; SSDSIM_EVENT_DIE is the flash's. */
enum
{
	SSDSIM_EVENT_TURN = SSDSIM_EVENT_DIE + 1,	/* turning round */
	SSDSIM_EVENT_LOOK,			/* command: look what was read ahead */
	SSDSIM_EVENT_FETCH,			/* set-up: ask the flash */
	SSDSIM_EVENT_STORE,			/* set-up: take data from the host */
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

/* When something that is busy until *FREE has also served for DURATION. */
extern int64_t ssdsim_device_take(SsdsimDevice *device, int64_t *free,
								  SsdsimResource resource, int64_t duration);

/* When the bus has moved the part of a page that a request wants. */
extern int64_t ssdsim_device_take_bus(SsdsimDevice *device,
									  const SsdsimRequest *request,
									  uint64_t page);

/* One more page is where it was to be, at TIME. */
extern void ssdsim_device_page_there(SsdsimDevice *device,
									 SsdsimRequest *request, int64_t time);

/* It is certain, whatever comes after it, when a request is complete. */
extern void ssdsim_device_complete_at(SsdsimDevice *device,
									  SsdsimRequest *request, int64_t time);

static inline int64_t
ssdsim_device_now(const SsdsimDevice *device)
{
	return device->flash.events.now;
}

#endif							/* SSDSIM_DEVICE_INSIDE_H */
