/*
 * ssdsim_host_policy.c
 *		Chooses the request that the host's block layer sends to the device
 *		next.
 *
 *	noop			order of arrival
 *	deadline		Linux's: batches of one direction by address, reads before
 *					writes, overdue requests before a new batch
 *	pardispatcher	reads before writes, regions of the addresses in turn (Wang
 *					et al., MSST 2013, as far as paper 002 describes it)
 *	sizes			only Amphibian's queues (paper 002, sections III.C, D):
 *					reads before writes, the smallest first, overdue ones
 *					before that
 *	amphibian		sizes, and nothing for zones that seem to collect garbage
 *					(section III.E, ssdsim_zones.h)
 *	eager			amphibian with lower thresholds for abnormal
 *	eager-brief		the same, which tries again after 10 ms
 */
#include "ssdsim_host_policy.h"

#include <string.h>

/* Defaults of Linux's deadline scheduler. */
#define BATCH 16
#define WRITES_STARVED 2

#define REGIONS 16				/* of ParDispatcher; our choice */

static bool
overdue(const SsdsimRequest *request, int64_t deadline, int64_t now)
{
	return request != NULL && now - request->asked > deadline;
}

static SsdsimRequest *
oldest(const SsdsimHost *host, int direction)
{
	return host->queues[direction].oldest;
}

static SsdsimRequest *
choose_noop(SsdsimHost *host, int64_t now)
{
	SsdsimRequest *read = oldest(host, SSDSIM_HOST_READS);
	SsdsimRequest *write = oldest(host, SSDSIM_HOST_WRITES);

	(void) now;
	if (read == NULL || write == NULL)
		return read == NULL ? write : read;
	return read->asked <= write->asked ? read : write;
}

/* ----- deadline ----- */

static uint64_t
by_address(const SsdsimHost *host, const SsdsimRequest *request)
{
	(void) host;
	return request->address;
}

/* The first from a position in the policy's order, else the first of all. */
static SsdsimRequest *
next_from(const SsdsimHost *host, int direction, uint64_t key)
{
	const SsdsimOrdered *ordered = &host->queues[direction].ordered;
	SsdsimRequest *next = ssdsim_ordered_from(ordered, key);

	return next != NULL ? next : ssdsim_ordered_from(ordered, 0);
}

/* The direction of a new batch; reads, until writes are starved. */
static int
new_direction(SsdsimHost *host)
{
	bool		writes = oldest(host, SSDSIM_HOST_WRITES) != NULL;

	if (oldest(host, SSDSIM_HOST_READS) != NULL &&
		!(writes && host->starved >= WRITES_STARVED))
	{
		host->starved += writes;
		return SSDSIM_HOST_READS;
	}
	host->starved = 0;
	return SSDSIM_HOST_WRITES;
}

static SsdsimRequest *
choose_deadline(SsdsimHost *host, int64_t now)
{
	static const int64_t deadlines[2] = {
		SSDSIM_READ_DEADLINE, SSDSIM_WRITE_DEADLINE
	};
	SsdsimRequest *next;

	if (choose_noop(host, now) == NULL)
		return NULL;
	if (host->batch >= BATCH || oldest(host, host->direction) == NULL)
	{
		host->batch = 0;
		host->direction = new_direction(host);
	}
	next = oldest(host, host->direction);
	if (host->batch > 0 || !overdue(next, deadlines[host->direction], now))
		next = next_from(host, host->direction, host->position);
	host->batch++;
	host->position = next->address + next->bytes;
	return next;
}

/* ----- regions ----- */

static uint64_t
by_region(const SsdsimHost *host, const SsdsimRequest *request)
{
	return request->address / (host->capacity / REGIONS + 1);
}

/* The oldest of the next nonempty region. */
static SsdsimRequest *
next_by_region(const SsdsimHost *host, int direction)
{
	return next_from(host, direction, (uint64_t) host->region + 1);
}

static SsdsimRequest *
choose_region(SsdsimHost *host, int64_t now)
{
	SsdsimRequest *next = oldest(host, SSDSIM_HOST_WRITES);

	if (oldest(host, SSDSIM_HOST_READS) != NULL &&
		!overdue(next, SSDSIM_WRITE_DEADLINE, now))
		next = next_by_region(host, SSDSIM_HOST_READS);
	else if (next != NULL)
		next = next_by_region(host, SSDSIM_HOST_WRITES);
	if (next != NULL)
		host->region = (int) by_region(host, next);
	return next;
}

/* ----- sizes ----- */

static uint64_t
by_size(const SsdsimHost *host, const SsdsimRequest *request)
{
	(void) host;
	return request->bytes;
}

/* The oldest of equal ones; none of a zone that is held back. */
static SsdsimRequest *
smallest(const SsdsimHost *host, int direction)
{
	const SsdsimOrdered *ordered = &host->queues[direction].ordered;
	SsdsimRequest *each = ssdsim_ordered_from(ordered, 0);

	while (each != NULL && host->policy->zones &&
		   ssdsim_zones_blocked(&host->zones, each->address))
		each = ssdsim_ordered_after(ordered, each);
	return each;
}

static SsdsimRequest *
choose_size(SsdsimHost *host, int64_t now)
{
	SsdsimRequest *read = oldest(host, SSDSIM_HOST_READS);
	SsdsimRequest *write = oldest(host, SSDSIM_HOST_WRITES);

	/* regardless of its size and zone */
	if (overdue(read, SSDSIM_READ_DEADLINE, now))
		return read;
	if (overdue(write, SSDSIM_WRITE_DEADLINE, now))
		return write;
	read = smallest(host, SSDSIM_HOST_READS);
	return read != NULL ? read : smallest(host, SSDSIM_HOST_WRITES);
}

#define MILLISECOND INT64_C(1000000)

/*
 * The paper does not state a factor.  Latencies of a chip that collects are
 * "orders of magnitude higher" (section III.E), so at least two.  The retry
 * time is the paper's.
 */
static const SsdsimZoneRule orders = {100, 100, 1000 * MILLISECOND};

/* For these, a read that waits for a program or an erase is abnormal. */
static const SsdsimZoneRule eager = {8, 4, 1000 * MILLISECOND};
static const SsdsimZoneRule eager_brief = {8, 4, 10 * MILLISECOND};

static const SsdsimHostPolicy policies[] = {
	{"noop", "who came first", choose_noop, NULL, NULL},
	{"deadline", "Linux's: by address in batches, reads first, deadlines",
	choose_deadline, by_address, NULL},
	{"pardispatcher", "reads first, regions in turn (of paper 002)",
	choose_region, by_region, NULL},
	{"sizes", "amphibian without its watch for collecting",
	choose_size, by_size, NULL},
	{"amphibian", "reads first, small ones first, no zone that collects (paper 002)",
	choose_size, by_size, &orders},
	{"eager", "amphibian that suspects 8 times the usual, not 100",
	choose_size, by_size, &eager},
	{"eager-brief", "eager that tries again after 10 ms, not 1 s",
	choose_size, by_size, &eager_brief},
};

const SsdsimHostPolicy *
ssdsim_host_policy_at(int i)
{
	int			count = (int) (sizeof(policies) / sizeof(policies[0]));

	return i >= 0 && i < count ? &policies[i] : NULL;
}

const SsdsimHostPolicy *
ssdsim_host_policy_find(const char *name)
{
	const SsdsimHostPolicy *policy;

	for (int i = 0; (policy = ssdsim_host_policy_at(i)) != NULL; i++)
		if (strcmp(policy->name, name) == 0)
			return policy;
	return NULL;
}
