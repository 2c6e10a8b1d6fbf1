/*
 * scheduler.c
 *		Chooses the next request for each device, among all sessions.
 *
 * Combines the queues (scheduler_queues.c) with the policy
 * (scheduler_policy.c).  It does not know what a file is, whether it still
 * exists, or how to read it.
 */
#include "scheduler.h"

#include <stdlib.h>

#include "scheduler_policy.h"
#include "scheduler_queues.h"

struct SsdpardScheduler
{
	SsdpardRules rules;
	SsdpardQueues queues;
	SsdpardCpuWait cpu_wait;
};

SsdpardScheduler *
ssdpard_scheduler_create(const SsdpardRules *rules, SsdpardFinished finished,
						 SsdpardCpuWait cpu_wait)
{
	SsdpardScheduler *scheduler = calloc(1, sizeof(*scheduler));

	if (scheduler == NULL)
		return NULL;
	scheduler->rules = *rules;
	scheduler->cpu_wait = cpu_wait;
	if (ssdpard_queues_init(&scheduler->queues, rules->max_ranges, finished))
		return scheduler;
	free(scheduler);
	return NULL;
}

void
ssdpard_scheduler_free(SsdpardScheduler *scheduler)
{
	ssdpard_queues_free(&scheduler->queues);
	free(scheduler);
}

void
ssdpard_scheduler_set_rules(SsdpardScheduler *scheduler,
							const SsdpardRules *rules)
{
	/*
	 * the other two are fixed: pool and buffer were allocated with these
	 * sizes
	 */
	scheduler->rules.depth = rules->depth;
	scheduler->rules.random_deadline = rules->random_deadline;
	scheduler->rules.sequential_deadline = rules->sequential_deadline;
	for (int i = 0; i < scheduler->queues.ndevices; i++)
		ssdpard_policy_limit(&scheduler->rules, &scheduler->queues.devices[i]);
}

SsdpardClient *
ssdpard_scheduler_add_client(SsdpardScheduler *scheduler, uint32_t depth,
							 void *owner)
{
	SsdpardClient *client = calloc(1, sizeof(*client));

	if (client == NULL)
		return NULL;
	ssdpard_queues_init_client(&scheduler->queues, client);
	client->depth = depth > 0 ? depth : UINT32_MAX;
	client->owner = owner;
	return client;
}

void
ssdpard_client_heed(SsdpardClient *client, const uint64_t *allowed)
{
	client->allowed = allowed;
}

void
ssdpard_scheduler_drop_client(SsdpardScheduler *scheduler,
							  SsdpardClient *client)
{
	ssdpard_queues_drop(&scheduler->queues, client, NULL);
}

uint32_t
ssdpard_client_ranges(const SsdpardClient *client)
{
	return client->ranges;
}

void
ssdpard_client_free(SsdpardClient *client)
{
	assert(client->ranges == 0);
	free(client);
}

int
ssdpard_scheduler_device(SsdpardScheduler *scheduler, uint64_t number)
{
	SsdpardQueues *queues = &scheduler->queues;

	for (int i = 0; i < queues->ndevices; i++)
		if (queues->devices[i].number == number)
			return i;

	/*
	 * more devices than queues: share the last one, which is slower but works
	 */
	if (queues->ndevices == SSDPARD_MAX_DEVICES)
		return SSDPARD_MAX_DEVICES - 1;
	queues->devices[queues->ndevices].number = number;
	ssdpard_policy_limit(&scheduler->rules,
						 &queues->devices[queues->ndevices]);
	return queues->ndevices++;
}

int
ssdpard_scheduler_devices(const SsdpardScheduler *scheduler)
{
	return scheduler->queues.ndevices;
}

void
ssdpard_scheduler_set_profile(SsdpardScheduler *scheduler, int number,
							  uint32_t depth)
{
	SsdpardDevice *device = &scheduler->queues.devices[number];

	/* every FILE sends it, so usually there is nothing to do */
	if (device->profile == depth)
		return;
	device->profile = depth;
	ssdpard_policy_limit(&scheduler->rules, device);
}

bool
ssdpard_scheduler_add(SsdpardScheduler *scheduler, SsdpardClient *client,
					  const SsdpardRangeSpec *spec, uint64_t now)
{
	return ssdpard_queues_add(&scheduler->queues, client, spec, now);
}

void
ssdpard_scheduler_cancel(SsdpardScheduler *scheduler, SsdpardClient *client,
						 uint32_t stream)
{
	ssdpard_queues_drop(&scheduler->queues, client, &stream);
}

bool
ssdpard_scheduler_next(SsdpardScheduler *scheduler, int device, uint64_t now,
					   SsdpardDeviceRequest *request)
{
	SsdpardQueues *queues = &scheduler->queues;
	uint32_t	length;
	SsdpardFlow *flow = ssdpard_policy_next(&scheduler->rules,
											&queues->devices[device], now,
											&length);

	if (flow == NULL)
		return false;
	ssdpard_queues_issue(queues, flow, length, now, request);
	return true;
}

void
ssdpard_scheduler_done(SsdpardScheduler *scheduler,
					   const SsdpardDeviceRequest *request,
					   SsdpardResult result, uint32_t latency)
{
	const SsdpardFlow *flow = request->range->flow;

	/* only results from the device itself describe the device */
	if (result == SSDPARD_RESULT_READ)
		ssdpard_policy_measure(flow->device, flow->class, latency,
							   scheduler->cpu_wait);
	ssdpard_queues_complete(&scheduler->queues, request, result);
}

void *
ssdpard_request_owner(const SsdpardDeviceRequest *request)
{
	return request->range->flow->client->owner;
}

uint32_t
ssdpard_scheduler_ranges(const SsdpardScheduler *scheduler)
{
	return scheduler->queues.ranges;
}

uint32_t
ssdpard_scheduler_outstanding(const SsdpardScheduler *scheduler)
{
	return scheduler->queues.outstanding;
}

uint32_t
ssdpard_scheduler_depth(const SsdpardScheduler *scheduler)
{
	uint32_t	depth = 0;

	for (int i = 0; i < scheduler->queues.ndevices; i++)
		depth += scheduler->queues.devices[i].depth;
	return depth;
}
