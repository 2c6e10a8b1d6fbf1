/*
 * ssdsim_device.c
 *		A request's way through the device.
 *
 * Each stage is an event.  The controller and the bus, which serve one request
 * at a time in order of arrival, are each a time until which they are busy.
 */
#include "ssdsim_device.h"

#include <assert.h>
#include <stdlib.h>

#include "ssdsim_device_write.h"
#include "ssdsim_memory.h"
#include "ssdsim_random.h"

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
ssdsim_device_foresee(SsdsimDevice *device, SsdsimDone foreseen)
{
	device->foreseen = foreseen;
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

/* The duration of a request's setup, half of which can be saved. */
static int64_t
set_up(SsdsimRequest *request, int64_t usual)
{
	int64_t		hurry = request->hurry < usual / 2 ? request->hurry :
		usual / 2;

	request->hurry -= hurry;
	return usual - hurry;
}

/* ----- reading ----- */

static void
give_page(SsdsimDevice *device, SsdsimRequest *request, uint64_t page)
{
	ssdsim_device_page_there(device, request,
							 ssdsim_device_take_bus(device, request, page));
}

/* Is a page in the flash, that is written and programmed? */
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

/* Returns pages that were read ahead, up to the first one that was not. */
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
		ssdsim_device_plan(device, ssdsim_device_now(device) +
						   set_up(request, device->flash.spec.read_setup),
						   SSDSIM_EVENT_FETCH, request);
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

/* ----- the way in ----- */

static void
command(SsdsimDevice *device, SsdsimRequest *request)
{
	const SsdsimSpec *spec = &device->flash.spec;
	bool		reads = request->kind == SSDSIM_READ;
	int64_t		end = ssdsim_device_take(device, &device->controller,
										 SSDSIM_CONTROLLER, reads ?
										 spec->read_command :
										 spec->write_command);

	if (!reads)
		ssdsim_device_plan(device, end + set_up(request, spec->write_setup),
						   SSDSIM_EVENT_STORE, request);
	else if (device->readahead.depth > 0)
		ssdsim_device_plan(device, end, SSDSIM_EVENT_LOOK, request);
	else
		ssdsim_device_plan(device, end + set_up(request, spec->read_setup),
						   SSDSIM_EVENT_FETCH, request);
}

static void
turn(SsdsimDevice *device, SsdsimRequest *request, int64_t duration)
{
	ssdsim_device_plan(device, ssdsim_device_now(device) + duration,
					   SSDSIM_EVENT_TURN, request);
}

static void
admit_read(SsdsimDevice *device, SsdsimRequest *request)
{
	int64_t		duration = device->flash.spec.turn_to_read;
	bool		turns = device->turning.writing;

	if (!ssdsim_readahead_has(&device->readahead, request->page,
							  request->end))
		ssdsim_turning_begin(&device->turning, request);
	if (turns && duration > 0)
		turn(device, request, duration);
	else
		command(device, request);
}

static void
admit_write(SsdsimDevice *device, SsdsimRequest *request)
{
	int64_t		duration = device->flash.spec.turn_to_write;
	SsdsimTurn	when = SSDSIM_TURN_NONE;

	if (duration > 0)
		when = ssdsim_turning_write(&device->turning, request);
	else
		device->turning.writing = true;
	if (when == SSDSIM_TURN_NOW)
		turn(device, request, duration);
	else if (when == SSDSIM_TURN_NONE)
		command(device, request);
}

static void
admit(SsdsimDevice *device, SsdsimRequest *request)
{
	uint64_t	size = (uint64_t) device->flash.spec.page_bytes;

	device->inside++;
	request->admitted = ssdsim_device_now(device);
	request->page = request->address / size;
	request->end = (request->address + request->bytes + size - 1) / size;
	request->left = request->end - request->page;
	request->reading = false;
	if (request->kind == SSDSIM_FLUSH)
		ssdsim_device_flush(device, request);
	else if (device->flash.spec.mechanical)
		ssdsim_device_complete_at(device, request,
								  ssdsim_disk_serve(&device->disk,
													request->address,
													request->bytes,
													ssdsim_device_now(device)));
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
	assert(now >= ssdsim_device_now(device));
	assert((request->bytes > 0) == (request->kind != SSDSIM_FLUSH));
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
		ssdsim_device_programmed(device, op);
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
		turn(device, turned, device->flash.spec.turn_to_write);
	/* waiting requests precede those made after this one's end */
	admit_waiting(device);
	device->done(device->argument, request, ssdsim_device_now(device));
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
		case SSDSIM_EVENT_TURN:
			command(device, event.whom);
			break;
		case SSDSIM_EVENT_LOOK:
			look(device, event.whom);
			break;
		case SSDSIM_EVENT_FETCH:
			fetch(device, event.whom);
			break;
		case SSDSIM_EVENT_STORE:
			ssdsim_device_store(device, event.whom);
			break;
		case SSDSIM_EVENT_STORED:
			ssdsim_flash_program(&device->flash, event.whom);
			break;
		case SSDSIM_EVENT_DONE:
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

bool
ssdsim_device_collects(const SsdsimDevice *device, uint64_t page)
{
	return ssdsim_flash_collects(&device->flash, (uint32_t) page);
}
