/*
 * ssdsim_device_write.c
 *		A write's way: over the bus into the buffer, and from there into the
 *		flash; also trims and flushes.
 */
#include "ssdsim_device_write.h"

static void
trim(SsdsimDevice *device, SsdsimRequest *request)
{
	uint64_t	size = (uint64_t) device->flash.spec.page_bytes;
	uint64_t	end = (request->address + request->bytes) / size;

	/* only whole pages can be discarded */
	for (uint64_t page = (request->address + size - 1) / size; page < end;
		 page++)
		ssdsim_ftl_trim(&device->flash.ftl, (uint32_t) page);
	request->left = 1;
	ssdsim_device_page_there(device, request, ssdsim_device_now(device));
}

/* Accepts data as far as the buffer has room; true if that is all of it. */
static bool
store(SsdsimDevice *device, SsdsimRequest *request)
{
	int64_t		room = device->flash.spec.write_buffer;

	for (; request->page < request->end; request->page++)
	{
		SsdsimOp   *op;
		int64_t		there;

		if (room > 0 && device->buffered >= room)
			return false;
		device->buffered++;
		op = ssdsim_op_new(&device->flash.pool, room > 0 ? NULL : request,
						   (uint32_t) request->page);
		op->flushes = device->nflushes;
		there = ssdsim_device_take_bus(device, request, request->page);
		ssdsim_device_plan(device, there, SSDSIM_EVENT_STORED, op);
		/* without a buffer it has to be programmed as well */
		if (room > 0)
			ssdsim_device_page_there(device, request, there);
	}
	return true;
}

/* In order of arrival. */
void
ssdsim_device_store(SsdsimDevice *device, SsdsimRequest *request)
{
	if (request->kind == SSDSIM_TRIM)
		trim(device, request);
	else if (device->full.first != NULL || !store(device, request))
		ssdsim_request_append(&device->full, request);
}

/* ----- flushing ----- */

/*
 * The next flush waits for everything that the first one waits for, so the
 * first one ends first.
 */
static void
end_flushes(SsdsimDevice *device)
{
	while (device->flushes.first != NULL && device->flushes.first->left == 0)
	{
		SsdsimRequest *flush = ssdsim_request_take(&device->flushes);

		flush->left = 1;
		ssdsim_device_page_there(device, flush, ssdsim_device_now(device));
	}
}

void
ssdsim_device_flush(SsdsimDevice *device, SsdsimRequest *request)
{
	request->number = ++device->nflushes;
	request->left = (uint64_t) device->buffered;
	ssdsim_request_append(&device->flushes, request);
	end_flushes(device);
}

void
ssdsim_device_programmed(SsdsimDevice *device, const SsdsimOp *op)
{
	device->buffered--;
	if (op->owner != NULL)
		ssdsim_device_page_there(device, op->owner,
								 ssdsim_device_now(device));
	/* there is room for one more page */
	while (device->full.first != NULL && store(device, device->full.first))
		ssdsim_request_take(&device->full);
	for (SsdsimRequest *flush = device->flushes.first; flush != NULL;
		 flush = flush->next)
		if (flush->number > op->flushes)
			flush->left--;
	end_flushes(device);
}
