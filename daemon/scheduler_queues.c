/*
 * scheduler_queues.c
 *		The ranges of all clients and their states.
 *
 * All ranges come from one pool that is allocated at the start, so a flood of
 * requests can neither exhaust the daemon's memory nor make it wait for
 * memory.
 */
#include "scheduler_queues.h"

#include <stdlib.h>
#include <string.h>

bool
ssdpard_queues_init(SsdpardQueues *queues, uint32_t max_ranges,
					SsdpardFinished finished)
{
	memset(queues, 0, sizeof(*queues));
	queues->pool = calloc(max_ranges, sizeof(SsdpardRange));
	if (queues->pool == NULL)
		return false;
	queues->max_ranges = max_ranges;
	queues->finished = finished;
	TAILQ_INIT(&queues->free);
	for (uint32_t i = 0; i < max_ranges; i++)
		TAILQ_INSERT_TAIL(&queues->free, &queues->pool[i], link);
	for (int i = 0; i < SSDPARD_MAX_DEVICES; i++)
	{
		queues->devices[i].index = i;
		for (int class = 0; class < SSDPARD_CLASSES; class++)
		{
			TAILQ_INIT(&queues->devices[i].active[class]);
			TAILQ_INIT(&queues->devices[i].given[class]);
		}
	}
	return true;
}

void
ssdpard_queues_free(SsdpardQueues *queues)
{
	assert(queues->ranges == 0 && queues->outstanding == 0);
	free(queues->pool);
}

void
ssdpard_queues_init_client(SsdpardQueues *queues, SsdpardClient *client)
{
	for (int device = 0; device < SSDPARD_MAX_DEVICES; device++)
		for (int class = 0; class < SSDPARD_CLASSES; class++)
		{
			SsdpardFlow *flow = &client->flows[device][class];

			TAILQ_INIT(&flow->ranges);
			flow->client = client;
			flow->device = &queues->devices[device];
			flow->class = (SsdpardClass) class;
		}
}

bool
ssdpard_queues_add(SsdpardQueues *queues, SsdpardClient *client,
				   const SsdpardRangeSpec *spec, uint64_t now)
{
	SsdpardFlow *flow = &client->flows[spec->device][spec->class];
	SsdpardDevice *device = flow->device;
	SsdpardRange *range;

	/*
	 * A client may hold as many ranges as there are free ones left (dynamic
	 * thresholds with alpha 1, Choudhury and Hahne, IEEE/ACM Transactions on
	 * Networking 6(2), 1998).  Therefore n clients that flood the pool leave
	 * a fraction of 1 / (n + 1) to others.
	 */
	if (client->ranges >= queues->max_ranges - queues->ranges)
		return false;

	range = TAILQ_FIRST(&queues->free);
	TAILQ_REMOVE(&queues->free, range, link);
	memset(range, 0, sizeof(*range));
	range->flow = flow;
	range->file = spec->file;
	range->offset = spec->offset;
	range->length = spec->length;
	range->stream = spec->stream;
	range->arrived = now;
	range->queued = true;

	if (TAILQ_EMPTY(&flow->ranges))
	{
		TAILQ_INSERT_TAIL(&device->active[spec->class], flow, link);
		device->nactive[spec->class]++;
	}
	TAILQ_INSERT_TAIL(&flow->ranges, range, link);
	client->ranges++;
	queues->ranges++;

	ssdpard_check_range(range);
	ssdpard_check_flow(flow);
	ssdpard_check_device(device);
	ssdpard_check_queues(queues);
	return true;
}

/* Removes the range from its queue, so no more of it is given out. */
static void
dequeue(SsdpardRange *range)
{
	SsdpardFlow *flow = range->flow;
	SsdpardDevice *device = flow->device;

	assert(range->queued);
	TAILQ_REMOVE(&flow->ranges, range, link);
	if (TAILQ_EMPTY(&flow->ranges))
	{
		TAILQ_REMOVE(&device->active[flow->class], flow, link);
		device->nactive[flow->class]--;
		flow->deficit = 0;
	}
	range->queued = false;
	ssdpard_check_flow(flow);
	ssdpard_check_device(device);
}

/*
 * A range has the best result of any of its parts, except that a failure is
 * never reported as cached or stale.  If a file was truncated, the end of a
 * range is stale, but parts cached before that still count.
 */
static SsdpardOutcome
outcome_of(const SsdpardRange *range)
{
	if (range->had[SSDPARD_RESULT_READ])
		return SSDPARD_SERVED;
	if (range->had[SSDPARD_RESULT_FAILED] || range->issued == 0)
		return SSDPARD_DROPPED;
	if (range->had[SSDPARD_RESULT_STALE])
		return range->had[SSDPARD_RESULT_CACHED] ? SSDPARD_CACHED
			: SSDPARD_STALE;
	return range->issued < range->length ? SSDPARD_DROPPED : SSDPARD_CACHED;
}

/* Once a range is complete, frees it and reports its outcome. */
static void
finish(SsdpardQueues *queues, SsdpardRange *range)
{
	SsdpardClient *client = range->flow->client;

	if (range->queued || range->outstanding > 0)
		return;
	client->ranges--;
	queues->ranges--;
	if (range->issued == range->length)
		TAILQ_REMOVE(&range->flow->device->given[range->flow->class], range,
					 link);

	/* at the head, because the range used last is in the CPU's cache */
	TAILQ_INSERT_HEAD(&queues->free, range, link);
	ssdpard_check_queues(queues);
	queues->finished(client->owner, range->file, outcome_of(range));
}

void
ssdpard_queues_issue(SsdpardQueues *queues, SsdpardFlow *flow,
					 uint32_t length, uint64_t now,
					 SsdpardDeviceRequest *request)
{
	SsdpardRange *range = TAILQ_FIRST(&flow->ranges);

	assert(length > 0 && length <= range->length - range->issued);
	request->range = range;
	request->file = range->file;
	request->offset = range->offset + range->issued;
	request->length = length;

	range->issued += length;
	range->outstanding++;
	flow->client->outstanding[flow->device->index]++;
	flow->client->bytes[flow->device->index] += length;
	flow->device->outstanding[flow->class]++;
	queues->outstanding++;
	if (range->issued == range->length)
	{
		dequeue(range);
		range->given = now;
		TAILQ_INSERT_TAIL(&flow->device->given[flow->class], range, link);
	}
	ssdpard_check_range(range);
}

void
ssdpard_queues_complete(SsdpardQueues *queues,
						const SsdpardDeviceRequest *request,
						SsdpardResult result)
{
	SsdpardRange *range = request->range;
	SsdpardFlow *flow = range->flow;

	ssdpard_check_range(range);
	assert(range->outstanding > 0);
	range->had[result] = true;
	range->outstanding--;
	flow->client->outstanding[flow->device->index]--;
	flow->client->bytes[flow->device->index] -= request->length;
	flow->device->outstanding[flow->class]--;
	queues->outstanding--;
	finish(queues, range);
}

/* Drops the ranges of STREAM from a flow's list, or all if STREAM is NULL. */
static void
drop_from(SsdpardQueues *queues, struct SsdpardRangeList *list,
		  const uint32_t *stream)
{
	SsdpardRange *next;

	/* finish() moves the range to another list */
	for (SsdpardRange *range = TAILQ_FIRST(list); range != NULL; range = next)
	{
		next = TAILQ_NEXT(range, link);
		if (stream != NULL && range->stream != *stream)
			continue;
		dequeue(range);
		finish(queues, range);
	}
}

void
ssdpard_queues_drop(SsdpardQueues *queues, SsdpardClient *client,
					const uint32_t *stream)
{
	for (int i = 0; i < queues->ndevices; i++)
		for (int class = 0; class < SSDPARD_CLASSES; class++)
			drop_from(queues, &client->flows[i][class].ranges, stream);
}
