/*
 * ssdsim_host.c
 *		Common code of all host schedulers: queues in order of arrival, and the
 *		number of requests given to the device.
 */
#include "ssdsim_host.h"

#include <string.h>

#include "ssdsim_events.h"

static SsdsimHostQueue *
queue_of(SsdsimHost *host, const SsdsimRequest *request)
{
	return &host->queues[request->kind == SSDSIM_READ ? SSDSIM_HOST_READS :
						 SSDSIM_HOST_WRITES];
}

void
ssdsim_host_init(SsdsimHost *host, const SsdsimHostPolicy *policy,
				 int64_t depth, uint64_t capacity)
{
	memset(host, 0, sizeof(*host));
	host->policy = policy;
	host->depth = depth;
	host->capacity = capacity;
	ssdsim_zones_init(&host->zones, policy->zones, capacity);
}

void
ssdsim_host_add(SsdsimHost *host, SsdsimRequest *request)
{
	SsdsimHostQueue *queue = queue_of(host, request);

	request->newer = NULL;
	request->older = queue->newest;
	if (queue->newest != NULL)
		queue->newest->newer = request;
	else
		queue->oldest = request;
	queue->newest = request;
	if (host->policy->key != NULL)
		ssdsim_ordered_add(&queue->ordered, request,
						   host->policy->key(host, request));
}

static void
dequeue(SsdsimHost *host, SsdsimRequest *request)
{
	SsdsimHostQueue *queue = queue_of(host, request);

	if (request->older != NULL)
		request->older->newer = request->newer;
	else
		queue->oldest = request->newer;
	if (request->newer != NULL)
		request->newer->older = request->older;
	else
		queue->newest = request->older;
	request->newer = request->older = NULL;
	if (host->policy->key != NULL)
		ssdsim_ordered_remove(&queue->ordered, request);
}

SsdsimRequest *
ssdsim_host_next(SsdsimHost *host, int64_t now)
{
	SsdsimRequest *request = NULL;

	if (host->given >= host->depth)
		return NULL;
	if (host->policy->zones)
		request = ssdsim_zones_probe(&host->zones, now);
	if (request == NULL)
	{
		request = host->policy->choose(host, now);
		if (request == NULL)
			return NULL;
		dequeue(host, request);
	}
	host->given++;
	return request;
}

void
ssdsim_host_done(SsdsimHost *host, SsdsimRequest *request, int64_t now)
{
	host->given--;
	if (host->policy->zones && request->kind != SSDSIM_FLUSH)
		ssdsim_zones_learn(&host->zones, request, now);
}

/* When the oldest of a queue becomes overdue, unless it already is. */
static int64_t
overdue_at(const SsdsimHostQueue *queue, int64_t deadline, int64_t now)
{
	if (queue->oldest == NULL || queue->oldest->asked + deadline <= now)
		return SSDSIM_NEVER;
	return queue->oldest->asked + deadline;
}

int64_t
ssdsim_host_wake(const SsdsimHost *host, int64_t now)
{
	int64_t		times[3];
	int64_t		wake = SSDSIM_NEVER;

	if (!host->policy->zones || host->given >= host->depth)
		return SSDSIM_NEVER;
	times[0] = ssdsim_zones_wake(&host->zones, now);
	times[1] = overdue_at(&host->queues[SSDSIM_HOST_READS],
						  SSDSIM_READ_DEADLINE + 1, now);
	times[2] = overdue_at(&host->queues[SSDSIM_HOST_WRITES],
						  SSDSIM_WRITE_DEADLINE + 1, now);
	for (int i = 0; i < 3; i++)
		wake = times[i] < wake ? times[i] : wake;
	return wake;
}
