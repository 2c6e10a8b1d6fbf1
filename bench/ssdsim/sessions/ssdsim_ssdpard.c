/*
 * ssdsim_ssdpard.c
 *		The part of daemon/dispatch.c between scheduler and reader, on virtual
 *		time.
 *
 * A read ends when its last requested block is there, because the daemon waits
 * for the last page that the kernel reads for it.
 */
#include "ssdsim_ssdpard.h"

#include <stdlib.h>
#include <string.h>

#include "bench/ssdsim/ssdsim_memory.h"

/* An outstanding device request. */
typedef struct SsdsimDaemonRead
{
	SsdpardDeviceRequest request;
	SsdsimSsdpard *daemon;
	int			device;
	int64_t		started;
	SsdsimCall	there;
	struct SsdsimDaemonRead *next;	/* of the unused ones */
} SsdsimDaemonRead;

/* daemon/options.c */
const SsdpardRules ssdsim_ssdpard_usual = {
	.max_ranges = 65536,
	.max_request_bytes = 256 * 1024,
	.random_deadline = 20000,
	.sequential_deadline = 15000,
};

static void dispatch(SsdsimSsdpard *daemon, int device);

static void
finished(void *owner, void *file, SsdpardOutcome outcome)
{
	SsdsimSsdpard *daemon = owner;

	(void) file;
	daemon->outcomes[outcome]++;
}

void
ssdsim_ssdpard_init(SsdsimSsdpard *daemon, SsdsimMachine *machine,
					const SsdpardRules *rules, uint32_t depth)
{
	memset(daemon, 0, sizeof(*daemon));
	daemon->machine = machine;
	daemon->depth = depth;
	daemon->scheduler = ssdpard_scheduler_create(rules, finished, NULL);
	if (daemon->scheduler == NULL)
		abort();
	for (int i = 0; i < machine->ndevices; i++)
	{
		daemon->devices[i] = ssdpard_scheduler_device(daemon->scheduler,
													  (uint64_t) i + 1);
		ssdpard_scheduler_set_profile(daemon->scheduler, daemon->devices[i],
									  depth);
	}
}

void
ssdsim_ssdpard_free(SsdsimSsdpard *daemon)
{
	while (ssdpard_scheduler_outstanding(daemon->scheduler) > 0)
		ssdsim_machine_step(daemon->machine);
	ssdpard_scheduler_free(daemon->scheduler);
	while (daemon->unused != NULL)
	{
		SsdsimDaemonRead *read = daemon->unused;

		daemon->unused = read->next;
		free(read);
	}
}

SsdpardClient *
ssdsim_ssdpard_connect(SsdsimSsdpard *daemon)
{
	SsdpardClient *client = ssdpard_scheduler_add_client(daemon->scheduler, 0,
														 daemon);

	if (client == NULL)
		abort();
	return client;
}

void
ssdsim_ssdpard_disconnect(SsdsimSsdpard *daemon, SsdpardClient *client)
{
	ssdpard_scheduler_drop_client(daemon->scheduler, client);
	while (ssdpard_client_ranges(client) > 0)
		ssdsim_machine_step(daemon->machine);
	ssdpard_client_free(client);
}

static uint64_t
microseconds(int64_t time)
{
	return (uint64_t) (time / 1000);
}

static void
was_read(void *whom)
{
	SsdsimDaemonRead *read = whom;
	SsdsimSsdpard *daemon = read->daemon;
	int64_t		took = daemon->machine->now - read->started;

	read->next = daemon->unused;
	daemon->unused = read;
	ssdpard_scheduler_done(daemon->scheduler, &read->request,
						   SSDPARD_RESULT_READ,
						   (uint32_t) microseconds(took));
	dispatch(daemon, read->device);
}

/* Starts one device request, or reports that there is nothing to read. */
static void
start(SsdsimSsdpard *daemon, int device,
	  const SsdpardDeviceRequest *request)
{
	SsdsimMachine *machine = daemon->machine;
	SsdsimDaemonRead *read = daemon->unused;
	uint64_t	last;

	if (ssdsim_machine_fetch(machine, request->offset / SSDSIM_BLOCK,
							 request->length / SSDSIM_BLOCK, &last) == 0)
	{
		ssdpard_scheduler_done(daemon->scheduler, request,
							   SSDPARD_RESULT_CACHED, 0);
		return;
	}
	if (read != NULL)
		daemon->unused = read->next;
	else
		read = ssdsim_allocate(1, sizeof(*read));
	read->request = *request;
	read->daemon = daemon;
	read->device = device;
	read->started = machine->now;
	read->there = (SsdsimCall)
	{
		.call = was_read, .whom = read
	};
	ssdsim_machine_await(machine, last, &read->there);
}

/* ----- holding back ----- */

/* Only for a single device. */
typedef struct SsdsimHeld
{
	SsdpardDeviceRequest request;
	int64_t		since;
	struct SsdsimHeld *next;
} SsdsimHeld;

#define LOOK_AGAIN 100000		/* ns */

/* Requests that are held back do not count for the device's depth. */
static void
set_depth(SsdsimSsdpard *daemon)
{
	ssdpard_scheduler_set_profile(daemon->scheduler, daemon->devices[0],
								  daemon->depth + daemon->held.count);
}

static bool
may_be_held(const SsdsimSsdpard *daemon, const SsdpardDeviceRequest *request,
			int64_t since)
{
	return daemon->machine->now - since < daemon->held.longest &&
		ssdsim_machine_collects(daemon->machine,
								request->offset / SSDSIM_BLOCK);
}

static void look_at_held(void *whom);

static void
set_alarm(SsdsimSsdpard *daemon)
{
	SsdsimHeldList *held = &daemon->held;

	if (held->first == NULL || held->looking)
		return;
	held->looking = true;
	held->look = (SsdsimCall)
	{
		.call = look_at_held, .whom = daemon
	};
	ssdsim_machine_after(daemon->machine, LOOK_AGAIN, &held->look);
}

static void
look_at_held(void *whom)
{
	SsdsimSsdpard *daemon = whom;
	SsdsimHeld **at = &daemon->held.first;

	daemon->held.looking = false;
	while (*at != NULL)
	{
		SsdsimHeld *held = *at;

		if (may_be_held(daemon, &held->request, held->since))
		{
			at = &held->next;
			continue;
		}
		*at = held->next;
		daemon->held.count--;
		start(daemon, 0, &held->request);
		free(held);
	}
	set_depth(daemon);
	set_alarm(daemon);
	dispatch(daemon, 0);
}

static void
hold(SsdsimSsdpard *daemon, const SsdpardDeviceRequest *request)
{
	SsdsimHeld *held = ssdsim_allocate(1, sizeof(*held));

	held->request = *request;
	held->since = daemon->machine->now;
	held->next = daemon->held.first;
	daemon->held.first = held;
	daemon->held.count++;
	daemon->held.times++;
	set_depth(daemon);
	set_alarm(daemon);
}

/* Submits what a device may have outstanding. */
static void
dispatch(SsdsimSsdpard *daemon, int device)
{
	SsdpardDeviceRequest request;
	uint32_t	deep;

	while (ssdpard_scheduler_next(daemon->scheduler, daemon->devices[device],
								  microseconds(daemon->machine->now),
								  &request))
		if (may_be_held(daemon, &request, daemon->machine->now))
			hold(daemon, &request);
		else
			start(daemon, device, &request);
	deep = ssdpard_scheduler_outstanding(daemon->scheduler);
	if (deep > daemon->deepest)
		daemon->deepest = deep;
}

void
ssdsim_ssdpard_ask(SsdsimSsdpard *daemon, SsdpardClient *client,
				   SsdpardClass class, uint64_t block, uint64_t count)
{
	int			device = ssdsim_machine_device(daemon->machine, block);
	SsdpardRangeSpec spec = {
		.device = daemon->devices[device], .class = class,
		.offset = block * SSDSIM_BLOCK,
		.length = (uint32_t) (count * SSDSIM_BLOCK)
	};

	if (!ssdpard_scheduler_add(daemon->scheduler, client, &spec,
							   microseconds(daemon->machine->now)))
		daemon->outcomes[SSDPARD_DROPPED]++;
	dispatch(daemon, device);
}
