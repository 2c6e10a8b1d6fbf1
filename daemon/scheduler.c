/*
 * scheduler.c
 *		The queues of all devices: what is in them, and how it gets out other
 *		than by being read (cancelled, its session gone).
 *
 * One client holds at most as many ranges as there is room left (dynamic
 * thresholds, Choudhury and Hahne 1998), so whoever floods the queue still
 * leaves room for others.
 *
 * Not here: which range is next (scheduler_next.c), what a file is and
 * whether it is still there, nor how to read.
 */
#include "scheduler_queues.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

SsdpardScheduler *
ssdpard_scheduler_create(const SsdpardRules *rules, SsdpardFinished finished)
{
	SsdpardScheduler *scheduler = calloc(1, sizeof(*scheduler));

	if (scheduler == NULL)
		return NULL;
	scheduler->pool = calloc(rules->max_ranges, sizeof(SsdpardRange));
	if (scheduler->pool == NULL)
	{
		free(scheduler);
		return NULL;
	}
	scheduler->rules = *rules;
	scheduler->finished = finished;
	TAILQ_INIT(&scheduler->free);
	for (uint32_t i = 0; i < rules->max_ranges; i++)
		TAILQ_INSERT_TAIL(&scheduler->free, &scheduler->pool[i], link);
	return scheduler;
}

void
ssdpard_scheduler_set_waits(SsdpardScheduler *scheduler,
							SsdpardCpuWait cpu_wait)
{
	scheduler->cpu_wait = cpu_wait;
}

void
ssdpard_scheduler_free(SsdpardScheduler *scheduler)
{
	assert(scheduler->ranges == 0 && scheduler->in_flight == 0);
	free(scheduler->pool);
	free(scheduler);
}

/* The limit anew; a device that is held back stays so. */
static void
limit_device(SsdpardScheduler *scheduler, Device *device)
{
	uint32_t before = device->limit;

	device->limit = SSDPARD_DEFAULT_DEPTH;
	if (device->profile > 0)
		device->limit = device->profile;
	if (scheduler->rules.depth > 0)
		device->limit = scheduler->rules.depth;
	if (device->depth == before || device->depth > device->limit)
		device->depth = device->limit;
}

void
ssdpard_scheduler_set_rules(SsdpardScheduler *scheduler,
							const SsdpardRules *rules)
{
	scheduler->rules.depth = rules->depth;
	scheduler->rules.random_deadline = rules->random_deadline;
	scheduler->rules.sequential_deadline = rules->sequential_deadline;
	for (int i = 0; i < scheduler->ndevices; i++)
		limit_device(scheduler, &scheduler->devices[i]);
}

SsdpardClient *
ssdpard_scheduler_add_client(SsdpardScheduler *scheduler, uint32_t depth,
							 void *owner)
{
	SsdpardClient *client = calloc(1, sizeof(*client));

	(void) scheduler;
	if (client == NULL)
		return NULL;
	for (int device = 0; device < SSDPARD_MAX_DEVICES; device++)
		for (int class = 0; class < SSDPARD_CLASSES; class++)
		{
			Flow *flow = &client->flows[device][class];

			TAILQ_INIT(&flow->ranges);
			flow->client = client;
			flow->device = device;
			flow->class = (SsdpardClass) class;
		}
	client->depth = depth > 0 ? depth : UINT32_MAX;
	client->owner = owner;
	return client;
}

uint32_t
ssdpard_client_ranges(const SsdpardClient *client)
{
	return client->ranges;
}

void
ssdpard_scheduler_free_client(SsdpardScheduler *scheduler,
							  SsdpardClient *client)
{
	(void) scheduler;
	assert(client->ranges == 0);
	free(client);
}

int
ssdpard_scheduler_device(SsdpardScheduler *scheduler, uint64_t number)
{
	Device *device;

	for (int i = 0; i < scheduler->ndevices; i++)
		if (scheduler->devices[i].number == number)
			return i;
	if (scheduler->ndevices == SSDPARD_MAX_DEVICES)
		return SSDPARD_MAX_DEVICES - 1;
	device = &scheduler->devices[scheduler->ndevices];
	device->number = number;
	for (int class = 0; class < SSDPARD_CLASSES; class++)
		TAILQ_INIT(&device->active[class]);
	limit_device(scheduler, device);
	return scheduler->ndevices++;
}

int
ssdpard_scheduler_devices(const SsdpardScheduler *scheduler)
{
	return scheduler->ndevices;
}

void
ssdpard_scheduler_set_profile(SsdpardScheduler *scheduler, int device,
							  uint32_t depth)
{
	if (scheduler->devices[device].profile == depth)
		return;
	scheduler->devices[device].profile = depth;
	limit_device(scheduler, &scheduler->devices[device]);
}

bool
ssdpard_scheduler_add(SsdpardScheduler *scheduler, SsdpardClient *client,
					  const SsdpardRequest *request, uint64_t now)
{
	Flow *flow = &client->flows[request->device][request->class];
	Device *device = &scheduler->devices[request->device];
	SsdpardRange *range;

	if (client->ranges >= scheduler->rules.max_ranges - scheduler->ranges)
		return false;
	range = TAILQ_FIRST(&scheduler->free);
	TAILQ_REMOVE(&scheduler->free, range, link);
	memset(range, 0, sizeof(*range));
	range->flow = flow;
	range->file = request->file;
	range->offset = request->offset;
	range->length = request->length;
	range->stream = request->stream;
	range->arrived = now;
	range->queued = true;
	if (TAILQ_EMPTY(&flow->ranges))
	{
		TAILQ_INSERT_TAIL(&device->active[flow->class], flow, link);
		device->nactive[flow->class]++;
	}
	TAILQ_INSERT_TAIL(&flow->ranges, range, link);
	client->ranges++;
	scheduler->ranges++;
	return true;
}

/* Out of its flow: no further piece of it will be handed out. */
void
ssdpard_queue_remove(SsdpardScheduler *scheduler, SsdpardRange *range)
{
	Flow *flow = range->flow;
	Device *device = &scheduler->devices[flow->device];

	TAILQ_REMOVE(&flow->ranges, range, link);
	range->queued = false;
	if (!TAILQ_EMPTY(&flow->ranges))
		return;
	TAILQ_REMOVE(&device->active[flow->class], flow, link);
	device->nactive[flow->class]--;
	flow->deficit = 0;			/* nothing is saved up while idle */
}

static SsdpardOutcome
outcome_of(const SsdpardRange *range)
{
	if (range->was[SSDPARD_WAS_READ])
		return SSDPARD_SERVED;
	if (range->was[SSDPARD_HAS_FAILED] || range->issued == 0)
		return SSDPARD_DROPPED;
	if (range->was[SSDPARD_WAS_STALE])
		return range->was[SSDPARD_WAS_CACHED] ? SSDPARD_CACHED : SSDPARD_STALE;
	return range->issued < range->length ? SSDPARD_DROPPED : SSDPARD_CACHED;
}

/* Counts the range if nothing more will happen to it. */
void
ssdpard_queue_finish(SsdpardScheduler *scheduler, SsdpardRange *range)
{
	SsdpardClient *client = range->flow->client;

	if (range->queued || range->in_flight > 0)
		return;
	client->ranges--;
	scheduler->ranges--;
	TAILQ_INSERT_HEAD(&scheduler->free, range, link);
	scheduler->finished(client->owner, range->file, outcome_of(range));
}

static void
drop_flow(SsdpardScheduler *scheduler, Flow *flow, bool all, uint32_t stream)
{
	SsdpardRange *range = TAILQ_FIRST(&flow->ranges);

	while (range != NULL)
	{
		SsdpardRange *next = TAILQ_NEXT(range, link);

		if (all || range->stream == stream)
		{
			ssdpard_queue_remove(scheduler, range);
			ssdpard_queue_finish(scheduler, range);
		}
		range = next;
	}
}

static void
drop(SsdpardScheduler *scheduler, SsdpardClient *client, bool all,
	 uint32_t stream)
{
	for (int device = 0; device < scheduler->ndevices; device++)
		for (int class = 0; class < SSDPARD_CLASSES; class++)
			drop_flow(scheduler, &client->flows[device][class], all, stream);
}

void
ssdpard_scheduler_drop_client(SsdpardScheduler *scheduler,
							  SsdpardClient *client)
{
	drop(scheduler, client, true, 0);
}

void
ssdpard_scheduler_cancel(SsdpardScheduler *scheduler, SsdpardClient *client,
						 uint32_t stream)
{
	drop(scheduler, client, false, stream);
}

uint32_t
ssdpard_scheduler_ranges(const SsdpardScheduler *scheduler)
{
	return scheduler->ranges;
}

uint32_t
ssdpard_scheduler_in_flight(const SsdpardScheduler *scheduler)
{
	return scheduler->in_flight;
}

uint32_t
ssdpard_scheduler_depth(const SsdpardScheduler *scheduler)
{
	uint32_t depth = 0;

	for (int i = 0; i < scheduler->ndevices; i++)
		depth += scheduler->devices[i].depth;
	return depth;
}
