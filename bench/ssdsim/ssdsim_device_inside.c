/*
 * ssdsim_device_inside.c
 *		Events, the bus, and the completion of requests.
 */
#include "ssdsim_device_inside.h"

void
ssdsim_device_plan(SsdsimDevice *device, int64_t time, uint32_t what,
				   void *whom)
{
	ssdsim_events_plan(&device->flash.events, time, what, whom);
}

int64_t
ssdsim_device_take(SsdsimDevice *device, int64_t *free,
				   SsdsimResource resource, int64_t duration)
{
	int64_t		now = ssdsim_device_now(device);
	int64_t		start = *free > now ? *free : now;

	*free = start + duration;
	if (device->flash.observe != NULL && duration > 0)
		device->flash.observe(device->flash.observer, resource, 0, start,
							  *free);
	return *free;
}

int64_t
ssdsim_device_take_bus(SsdsimDevice *device, const SsdsimRequest *request,
					   uint64_t page)
{
	const SsdsimSpec *spec = &device->flash.spec;
	uint64_t	size = (uint64_t) spec->page_bytes;
	uint64_t	from = page * size;
	uint64_t	to = from + size;
	uint64_t	end = request->address + request->bytes;

	from = request->address > from ? request->address : from;
	to = end < to ? end : to;
	return ssdsim_device_take(device, &device->bus, SSDSIM_BUS,
							  spec->bus_transfer * (int64_t) (to - from) /
							  (int64_t) size);
}

void
ssdsim_device_complete_at(SsdsimDevice *device, SsdsimRequest *request,
						  int64_t time)
{
	ssdsim_device_plan(device, time, SSDSIM_EVENT_DONE, request);
	if (device->foreseen != NULL)
		device->foreseen(device->argument, request, time);
}

void
ssdsim_device_page_there(SsdsimDevice *device, SsdsimRequest *request,
						 int64_t time)
{
	if (--request->left == 0)
		ssdsim_device_complete_at(device, request,
								  time + device->flash.spec.host);
}
