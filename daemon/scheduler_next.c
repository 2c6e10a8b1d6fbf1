/*
 * scheduler_next.c
 *		Which piece is read next, and how many at a time.
 *
 *	class		random before sequential, until the oldest sequential range has
 *				waited for its deadline: then the classes take turns, or, if
 *				random ranges are late as well, one sequential piece goes after
 *				every LATE_SHARE random ones (choose_class).
 *	flow		deficit round robin in bytes (Shreedhar and Varghese 1995)
 *				within a class; a flow is first in, first out.
 *	depth		a device has at most so many pieces in flight, a sixteenth of
 *				them sequential, and of each client as many as it asked for;
 *				half of that while the device collects garbage.
 */
#include "scheduler_queues.h"

#include <assert.h>
#include <stddef.h>

/* Bytes that a flow may read in one turn: 4 random pages, one large read. */
#define RANDOM_QUANTUM (32 * 1024)
#define SEQUENTIAL_QUANTUM (256 * 1024)

/* Random pieces for one sequential one when both are late. */
#define LATE_SHARE 8

/* Less than half of what latency.c takes for a tail. */
#define MUCH_WAITING_US 2000

/*
 * A large read is as long as 32 small ones, so twice the bytes that saturate a
 * device.  More of them bring nothing, and whoever writes and waits for it, a
 * transaction's commit, stands behind all of them.
 */
#define SEQUENTIAL_SHARE 16
#define LEAST_SEQUENTIAL 2

/* Has the oldest range of this class waited for longer than LIMIT? */
static bool
is_late(const Device *device, SsdpardClass class, uint64_t now,
		uint64_t limit)
{
	const Flow *flow;

	TAILQ_FOREACH(flow, &device->active[class], link)
	{
		const SsdpardRange *oldest = TAILQ_FIRST(&flow->ranges);

		if (now - oldest->arrived > limit)
			return true;
	}
	return false;
}

static uint32_t
sequential_depth(const Device *device)
{
	uint32_t share = device->depth / SEQUENTIAL_SHARE;

	if (share < LEAST_SEQUENTIAL)
		share = LEAST_SEQUENTIAL;
	return share < device->depth ? share : device->depth;
}

/* The class whose turn it is; the other one goes if it has nothing. */
static SsdpardClass
choose_class(const SsdpardScheduler *scheduler, const Device *device,
			 uint64_t now)
{
	const SsdpardRules *rules = &scheduler->rules;

	if (device->nactive[SSDPARD_RANDOM] == 0)
		return SSDPARD_SEQUENTIAL;
	if (device->nactive[SSDPARD_SEQUENTIAL] == 0 || device->random_run == 0 ||
		!is_late(device, SSDPARD_SEQUENTIAL, now, rules->sequential_deadline))
		return SSDPARD_RANDOM;
	if (device->random_run < LATE_SHARE &&
		is_late(device, SSDPARD_RANDOM, now, rules->random_deadline))
		return SSDPARD_RANDOM;
	return SSDPARD_SEQUENTIAL;
}

static uint32_t
next_length(const SsdpardScheduler *scheduler, const SsdpardRange *range)
{
	uint32_t rest = range->length - range->issued;

	return rest < scheduler->rules.piece_bytes ? rest
		: scheduler->rules.piece_bytes;
}

/*
 * The flow to read from.  Every flow in front that has used up its turn gets
 * the next one and goes to the back; a flow whose client is as busy as it
 * wants to be goes to the back without one.
 */
static Flow *
next_flow(const SsdpardScheduler *scheduler, Device *device,
		  SsdpardClass class)
{
	uint32_t quantum = class == SSDPARD_RANDOM ? RANDOM_QUANTUM
		: SEQUENTIAL_QUANTUM;
	uint32_t busy = 0;

	while (busy < device->nactive[class])
	{
		Flow *flow = TAILQ_FIRST(&device->active[class]);
		uint32_t length = next_length(scheduler, TAILQ_FIRST(&flow->ranges));
		bool may = flow->client->in_flight[flow->device] <
			flow->client->depth;

		if (may && flow->deficit >= length)
			return flow;
		busy = may ? 0 : busy + 1;
		if (may)
			flow->deficit += quantum;
		TAILQ_REMOVE(&device->active[class], flow, link);
		TAILQ_INSERT_TAIL(&device->active[class], flow, link);
	}
	return NULL;
}

static void
issue(SsdpardScheduler *scheduler, Flow *flow, SsdpardPiece *piece)
{
	Device *device = &scheduler->devices[flow->device];
	SsdpardRange *range = TAILQ_FIRST(&flow->ranges);

	piece->range = range;
	piece->file = range->file;
	piece->offset = range->offset + range->issued;
	piece->length = next_length(scheduler, range);
	flow->deficit -= piece->length;
	range->issued += piece->length;
	range->in_flight++;
	flow->client->in_flight[flow->device]++;
	device->in_flight[flow->class]++;
	scheduler->in_flight++;
	if (flow->class == SSDPARD_SEQUENTIAL)
		device->random_run = 0;
	else if (device->random_run < LATE_SHARE)
		device->random_run++;
	if (range->issued == range->length)
		ssdpard_queue_remove(scheduler, range);
}

bool
ssdpard_scheduler_next(SsdpardScheduler *scheduler, int number, uint64_t now,
					   SsdpardPiece *piece)
{
	Device *device = &scheduler->devices[number];
	uint32_t busy = device->in_flight[SSDPARD_RANDOM] +
		device->in_flight[SSDPARD_SEQUENTIAL];
	SsdpardClass class;
	Flow *flow = NULL;

	if (busy >= device->depth)
		return false;
	class = choose_class(scheduler, device, now);
	for (int turn = 0; turn < SSDPARD_CLASSES && flow == NULL; turn++)
	{
		if (class == SSDPARD_RANDOM ||
			device->in_flight[class] < sequential_depth(device))
			flow = next_flow(scheduler, device, class);
		class = class == SSDPARD_RANDOM ? SSDPARD_SEQUENTIAL : SSDPARD_RANDOM;
	}
	if (flow == NULL)
		return false;
	issue(scheduler, flow, piece);
	return true;
}

/*
 * Has this process waited for a CPU for so long, since the last verdict on the
 * class, that the tail may be its own?  Asked once in a window of reads.
 */
static bool
was_kept_waiting(const SsdpardScheduler *scheduler, Device *device,
				 SsdpardClass class)
{
	uint64_t before = device->waited[class];

	if (scheduler->cpu_wait == NULL)
		return false;
	device->waited[class] = scheduler->cpu_wait();
	return device->waited[class] - before > MUCH_WAITING_US;
}

/* Half the depth while the device collects garbage, then slowly back. */
static void
adapt_depth(Device *device, SsdpardVerdict verdict)
{
	uint32_t step = device->limit / 8 > 0 ? device->limit / 8 : 1;

	if (verdict == SSDPARD_COLLECTING && device->depth > 1)
		device->depth /= 2;
	else if (verdict == SSDPARD_CALM)
		device->depth = device->limit - device->depth > step ?
			device->depth + step : device->limit;
	assert(device->depth >= 1 && device->depth <= device->limit);
}

static void
judge_latency(const SsdpardScheduler *scheduler, Device *device,
			  SsdpardClass class, uint32_t latency)
{
	SsdpardVerdict verdict = ssdpard_window_add(&device->windows[class],
												latency);

	if (verdict == SSDPARD_NO_VERDICT)
		return;
	if (was_kept_waiting(scheduler, device, class) &&
		verdict == SSDPARD_COLLECTING)
		return;
	adapt_depth(device, verdict);
}

void
ssdpard_scheduler_done(SsdpardScheduler *scheduler, const SsdpardPiece *piece,
					   SsdpardResult result, uint32_t latency)
{
	SsdpardRange *range = piece->range;
	Flow *flow = range->flow;
	Device *device = &scheduler->devices[flow->device];

	assert(range->in_flight > 0);
	range->was[result] = true;
	range->in_flight--;
	flow->client->in_flight[flow->device]--;
	device->in_flight[flow->class]--;
	scheduler->in_flight--;
	if (result == SSDPARD_WAS_READ)
		judge_latency(scheduler, device, flow->class, latency);
	ssdpard_queue_finish(scheduler, range);
}

void *
ssdpard_piece_owner(const SsdpardPiece *piece)
{
	return piece->range->flow->client->owner;
}
