/*
 * ssdsim_device.c
 *		A request's way through the device.
 *
 * Each stage is an event; what serves one request at a time and first who
 * comes first, the controller and the bus, is a time until which it is busy.
 */
#include "ssdsim_device.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ssdsim_disk.h"
#include "ssdsim_memory.h"
#include "ssdsim_random.h"
#include "ssdsim_readahead.h"
#include "ssdsim_turning.h"

/* What an event is the end of; SSDSIM_EVENT_DIE is the flash's. */
enum
{
	EVENT_TURN = SSDSIM_EVENT_DIE + 1,	/* turning round */
	EVENT_LOOK,					/* command: look what was read ahead */
	EVENT_FETCH,				/* set-up: ask the flash */
	EVENT_STORE,				/* set-up: take data from the host */
	EVENT_STORED,				/* a page is in the write buffer */
	EVENT_DONE,
};

struct SsdsimDevice
{
	SsdsimFlash flash;
	SsdsimReadahead readahead;
	SsdsimDisk	disk;
	uint64_t	random;
	SsdsimDone	done;
	void	   *argument;

	SsdsimRequestList waiting;	/* outside, for a place in the queue */
	int64_t		inside;
	int64_t		controller;		/* busy until */
	int64_t		bus;
	SsdsimRequestList full;		/* writes that wait for the write buffer */
	int64_t		buffered;		/* pages in it */
	SsdsimTurning turning;
	SsdsimCounts counts;
};

static void page_done(void *argument, SsdsimOp *op);

SsdsimDevice *
ssdsim_device_new(const SsdsimSpec *spec, const SsdsimPolicy *policy,
				  uint64_t seed, SsdsimDone done, void *argument)
{
	SsdsimDevice *device = ssdsim_allocate(1, sizeof(*device));

	ssdsim_flash_init(&device->flash, spec, policy);
	device->flash.done = page_done;
	device->flash.argument = device;
	ssdsim_readahead_init(&device->readahead, spec);
	device->random = seed;
	ssdsim_disk_init(&device->disk, spec, ssdsim_random(&device->random));
	device->done = done;
	device->argument = argument;
	return device;
}

void
ssdsim_device_free(SsdsimDevice *device)
{
	ssdsim_flash_free(&device->flash);
	ssdsim_readahead_free(&device->readahead);
	free(device);
}

void
ssdsim_device_observe(SsdsimDevice *device, SsdsimObserver observe,
					  void *observer)
{
	device->flash.observe = observe;
	device->flash.observer = observer;
}

void
ssdsim_device_fill(SsdsimDevice *device, uint64_t first, uint64_t last)
{
	for (uint64_t page = first; page < last; page++)
		ssdsim_ftl_write_now(&device->flash.ftl, (uint32_t) page);
}

void
ssdsim_device_age(SsdsimDevice *device, uint64_t count)
{
	SsdsimFtl  *ftl = &device->flash.ftl;

	for (; count > 0; count--)
		ssdsim_ftl_write_now(ftl, (uint32_t)
							 ssdsim_random_below(&device->random,
												 ftl->user_pages));
}

static int64_t
now_of(const SsdsimDevice *device)
{
	return device->flash.events.now;
}

static void
plan(SsdsimDevice *device, int64_t time, uint32_t what, void *whom)
{
	ssdsim_events_plan(&device->flash.events, time, what, whom);
}

/* When something that is busy until *FREE has also served for DURATION. */
static int64_t
take(SsdsimDevice *device, int64_t *free, SsdsimResource resource,
	 int64_t duration)
{
	int64_t		start = *free > now_of(device) ? *free : now_of(device);

	*free = start + duration;
	if (device->flash.observe != NULL && duration > 0)
		device->flash.observe(device->flash.observer, resource, 0, start,
							  *free);
	return *free;
}

/* The bus moves the part of a page that a request wants. */
static int64_t
take_bus(SsdsimDevice *device, const SsdsimRequest *request, uint64_t page)
{
	const SsdsimSpec *spec = &device->flash.spec;
	uint64_t	size = (uint64_t) spec->page_bytes;
	uint64_t	from = page * size;
	uint64_t	to = from + size;
	uint64_t	end = request->address + request->bytes;

	from = request->address > from ? request->address : from;
	to = end < to ? end : to;
	return take(device, &device->bus, SSDSIM_BUS,
				spec->bus_transfer * (int64_t) (to - from) / (int64_t) size);
}

/* One more page is where it was to be, at TIME. */
static void
page_there(SsdsimDevice *device, SsdsimRequest *request, int64_t time)
{
	if (--request->left == 0)
		plan(device, time + device->flash.spec.host, EVENT_DONE, request);
}

/* ----- reading ----- */

static void
give_page(SsdsimDevice *device, SsdsimRequest *request, uint64_t page)
{
	page_there(device, request, take_bus(device, request, page));
}

/* Whether the flash has to be asked for a page: written, and programmed. */
static bool
in_flash(const SsdsimDevice *device, uint64_t page)
{
	const SsdsimFtl *ftl = &device->flash.ftl;
	uint32_t	physical = ftl->page_of[page];

	return physical != SSDSIM_NO_PAGE &&
		(device->buffered == 0 ||
		 (ftl->owner[physical] & SSDSIM_BUFFERED) == 0);
}

static void
read_ahead(SsdsimDevice *device, SsdsimStream *stream)
{
	SsdsimReadahead *readahead = &device->readahead;
	uint64_t	page;

	while (ssdsim_readahead_next(readahead, stream,
								 device->flash.ftl.user_pages, &page))
	{
		SsdsimOp   *op = NULL;

		if (in_flash(device, page))
			op = ssdsim_op_new(&device->flash.pool, NULL, (uint32_t) page);
		ssdsim_readahead_begin(readahead, stream, page, op);
		if (op != NULL)
			ssdsim_flash_read(&device->flash, op);
		device->counts.read_ahead++;
	}
}

/* Give what was read ahead; the first page that was not ends that. */
static void
look(SsdsimDevice *device, SsdsimRequest *request)
{
	SsdsimStream *stream =
		ssdsim_readahead_follow(&device->readahead, request->address,
								request->address + request->bytes);
	SsdsimAheadPage *ahead;

	while (request->page < request->end &&
		   (ahead = ssdsim_readahead_find(&device->readahead, stream,
										  request->page)) != NULL)
	{
		uint64_t	page = request->page++;

		device->counts.read_ahead_used++;
		if (ahead->reading == NULL)
			give_page(device, request, page);
		else
		{
			SsdsimOp   *waiter = ssdsim_op_new(&device->flash.pool, request,
											   (uint32_t) page);

			waiter->next = ahead->reading->waiters;
			ahead->reading->waiters = waiter;
		}
	}
	if (request->page == request->end)
		read_ahead(device, stream);
	else
		plan(device, now_of(device) + device->flash.spec.read_setup,
			 EVENT_FETCH, request);
}

static void
fetch(SsdsimDevice *device, SsdsimRequest *request)
{
	ssdsim_turning_begin(&device->turning, request);
	while (request->page < request->end)
	{
		uint64_t	page = request->page++;

		if (in_flash(device, page))
			ssdsim_flash_read(&device->flash,
							  ssdsim_op_new(&device->flash.pool, request,
											(uint32_t) page));
		else
			give_page(device, request, page);
	}
	for (int i = 0; i < device->readahead.nstreams; i++)
		read_ahead(device, &device->readahead.streams[i]);
}

/* ----- writing ----- */

static void
trim(SsdsimDevice *device, SsdsimRequest *request)
{
	uint64_t	size = (uint64_t) device->flash.spec.page_bytes;
	uint64_t	end = (request->address + request->bytes) / size;

	/* whole pages alone can be given up */
	for (uint64_t page = (request->address + size - 1) / size; page < end;
		 page++)
		ssdsim_ftl_trim(&device->flash.ftl, (uint32_t) page);
	request->left = 1;
	page_there(device, request, now_of(device));
}

/* Let data in as far as the buffer has room; true if that is all of it. */
static bool
store(SsdsimDevice *device, SsdsimRequest *request)
{
	int64_t		room = device->flash.spec.write_buffer;

	for (; request->page < request->end; request->page++)
	{
		if (room > 0 && device->buffered >= room)
			return false;
		device->buffered++;
		plan(device, take_bus(device, request, request->page), EVENT_STORED,
			 ssdsim_op_new(&device->flash.pool, request,
						   (uint32_t) request->page));
	}
	return true;
}

/* In order of arrival. */
static void
begin_store(SsdsimDevice *device, SsdsimRequest *request)
{
	if (request->kind == SSDSIM_TRIM)
		trim(device, request);
	else if (device->full.first != NULL || !store(device, request))
		ssdsim_request_append(&device->full, request);
}

/* A page is in the buffer, from where it is programmed later. */
static void
stored(SsdsimDevice *device, SsdsimOp *op)
{
	if (device->flash.spec.write_buffer > 0)
	{
		page_there(device, op->owner, now_of(device));
		op->owner = NULL;
	}
	ssdsim_flash_program(&device->flash, op);
}

/* ----- the way in ----- */

static void
command(SsdsimDevice *device, SsdsimRequest *request)
{
	const SsdsimSpec *spec = &device->flash.spec;
	bool		reads = request->kind == SSDSIM_READ;
	int64_t		end = take(device, &device->controller, SSDSIM_CONTROLLER,
						   reads ? spec->read_command : spec->write_command);

	if (!reads)
		plan(device, end + spec->write_setup, EVENT_STORE, request);
	else if (device->readahead.depth > 0)
		plan(device, end, EVENT_LOOK, request);
	else
		plan(device, end + spec->read_setup, EVENT_FETCH, request);
}

static void
admit_read(SsdsimDevice *device, SsdsimRequest *request)
{
	int64_t		turn = device->flash.spec.turn_to_read;
	bool		turns = device->turning.writing;

	if (!ssdsim_readahead_has(&device->readahead, request->page,
							  request->end))
		ssdsim_turning_begin(&device->turning, request);
	if (turns && turn > 0)
		plan(device, now_of(device) + turn, EVENT_TURN, request);
	else
		command(device, request);
}

static void
admit_write(SsdsimDevice *device, SsdsimRequest *request)
{
	int64_t		turn = device->flash.spec.turn_to_write;
	SsdsimTurn	when = SSDSIM_TURN_NONE;

	if (turn > 0)
		when = ssdsim_turning_write(&device->turning, request);
	else
		device->turning.writing = true;
	if (when == SSDSIM_TURN_NOW)
		plan(device, now_of(device) + turn, EVENT_TURN, request);
	else if (when == SSDSIM_TURN_NONE)
		command(device, request);
}

static void
admit(SsdsimDevice *device, SsdsimRequest *request)
{
	uint64_t	size = (uint64_t) device->flash.spec.page_bytes;

	device->inside++;
	request->admitted = now_of(device);
	request->page = request->address / size;
	request->end = (request->address + request->bytes + size - 1) / size;
	request->left = request->end - request->page;
	request->reading = false;
	if (device->flash.spec.mechanical)
		plan(device, ssdsim_disk_serve(&device->disk, request->address,
									   request->bytes, now_of(device)),
			 EVENT_DONE, request);
	else if (request->kind == SSDSIM_READ)
		admit_read(device, request);
	else
		admit_write(device, request);
}

static void
admit_waiting(SsdsimDevice *device)
{
	while (device->waiting.first != NULL &&
		   device->inside < device->flash.spec.queue)
		admit(device, ssdsim_request_take(&device->waiting));
}

void
ssdsim_device_submit(SsdsimDevice *device, SsdsimRequest *request,
					 int64_t now)
{
	assert(now >= now_of(device) && request->bytes > 0);
	device->flash.events.now = now;
	request->arrived = now;
	ssdsim_request_append(&device->waiting, request);
	admit_waiting(device);
}

/* ----- events ----- */

/* The flash is done with a page. */
static void
page_done(void *argument, SsdsimOp *op)
{
	SsdsimDevice *device = argument;
	SsdsimRequest *request = op->owner;

	if (op->kind == SSDSIM_OP_PROGRAM)
	{
		device->buffered--;
		if (request != NULL)
			page_there(device, request, now_of(device));
		/* there is room for one more page */
		while (device->full.first != NULL &&
			   store(device, device->full.first))
			ssdsim_request_take(&device->full);
		return;
	}
	if (request != NULL)
		give_page(device, request, op->page);
	else
		ssdsim_readahead_end(&device->readahead, op);
	while (op->waiters != NULL)
	{
		SsdsimOp   *waiter = op->waiters;

		op->waiters = waiter->next;
		give_page(device, waiter->owner, waiter->page);
		ssdsim_op_drop(&device->flash.pool, waiter);
	}
}

static void
complete(SsdsimDevice *device, SsdsimRequest *request)
{
	SsdsimRequest *turned;

	device->inside--;
	device->counts.requests[request->kind]++;
	device->counts.bytes[request->kind] += request->bytes;
	ssdsim_turning_end(&device->turning, request);
	while ((turned = ssdsim_turning_next(&device->turning)) != NULL)
		plan(device, now_of(device) + device->flash.spec.turn_to_write,
			 EVENT_TURN, turned);
	/* who waited goes before what this one's end brings about */
	admit_waiting(device);
	device->done(device->argument, request, now_of(device));
}

int64_t
ssdsim_device_next(const SsdsimDevice *device)
{
	return ssdsim_events_next(&device->flash.events);
}

void
ssdsim_device_step(SsdsimDevice *device)
{
	SsdsimEvent event = ssdsim_events_take(&device->flash.events);

	switch (event.what)
	{
		case SSDSIM_EVENT_DIE:
			ssdsim_flash_step(&device->flash, event.whom);
			break;
		case EVENT_TURN:
			command(device, event.whom);
			break;
		case EVENT_LOOK:
			look(device, event.whom);
			break;
		case EVENT_FETCH:
			fetch(device, event.whom);
			break;
		case EVENT_STORE:
			begin_store(device, event.whom);
			break;
		case EVENT_STORED:
			stored(device, event.whom);
			break;
		case EVENT_DONE:
			complete(device, event.whom);
			break;
	}
}

void
ssdsim_device_count(const SsdsimDevice *device, SsdsimCounts *counts)
{
	const SsdsimFlash *flash = &device->flash;

	*counts = device->counts;
	counts->programmed = flash->ftl.placed;
	counts->moved = flash->ftl.moved;
	counts->erased = flash->ftl.erased;
	counts->foreground = flash->foreground;
	counts->background = flash->background;
	counts->packed = flash->packed;
	counts->contention = flash->contention;
	counts->queued = flash->queued;
	ssdsim_flash_busy(flash, &counts->die_busy, &counts->channel_busy);
}
