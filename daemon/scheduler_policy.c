/*
 * scheduler_policy.c
 *		Which flow of a device is next, and how deep the device's queue is.
 *
 *	class		Random before sequential, until the oldest sequential range has
 *				waited for its deadline: then the classes take turns.  If
 *				random ranges are late as well, one sequential request follows
 *				every LATE_SHARE random ones.  So neither class starves.
 *	flow		Deficit round robin in bytes (Shreedhar and Varghese, SIGCOMM
 *				1995) among the flows of a class.
 *	allowed		A client whose server has a writer that waits allows itself no
 *				more than some bytes outstanding, or one request, which is no
 *				longer than these.
 *	depth		A device has at most its depth of requests outstanding, and a
 *				sixteenth of it for the sequential class; a client has at most
 *				as many as it asked for.  The depth is halved while the device
 *				collects garbage.  Random requests that are late, as those of
 *				a die that collects, take nothing of it, up to a quarter, as
 *				long as no sequential range has waited for its deadline.
 */
#include "scheduler_policy.h"

#include <stddef.h>

/* Bytes that a flow may read in one turn: 4 random pages, one large read. */
#define RANDOM_QUANTUM (32 * 1024)
#define SEQUENTIAL_QUANTUM (256 * 1024)

/* Random requests for one sequential one when both classes are late. */
#define LATE_SHARE 8

/*
 * A sequential request has the bytes of 32 random ones, so a sixteenth of the
 * depth is still twice the bytes that saturate a device.  More of them gain
 * nothing, and a synchronous write (a transaction's commit) waits behind all.
 */
#define SEQUENTIAL_SHARE 16
#define MIN_SEQUENTIAL 2

/*
 * A request is late that has been outstanding for that many times the usual.
 * In ssdsim's sessions 4 halves the waits of a list beside collecting, 8
 * hardly shortens them; without a bound on what is given beyond the depth, or
 * with 3 times, a synchronous writer takes 6 % longer.
 */
#define LATE_FACTOR 4
#define LATE_MOST_SHARE 4		/* the depth over those that may be given */

/* us; less than half of the 5 ms from which latency.c sees a tail */
#define LONG_CPU_WAIT 2000

/* However little a client allows itself, a request has a page. */
#define LEAST_REQUEST 8192

/* Has the oldest range of this class waited for longer than DEADLINE? */
static bool
is_late(const SsdpardDevice *device, SsdpardClass class, uint64_t now,
		uint64_t deadline)
{
	const SsdpardFlow *flow;

	/* a flow is first in, first out: its head is its oldest */
	TAILQ_FOREACH(flow, &device->active[class], link)
		if (now - TAILQ_FIRST(&flow->ranges)->arrived > deadline)
		return true;
	return false;
}

/* The class whose turn it is; if it has nothing to give the other one goes. */
static SsdpardClass
choose_class(const SsdpardRules *rules, const SsdpardDevice *device,
			 uint64_t now)
{
	if (device->nactive[SSDPARD_RANDOM] == 0)
		return SSDPARD_SEQUENTIAL;

	/* random_run is 0 just after a sequential request: random's turn */
	if (device->nactive[SSDPARD_SEQUENTIAL] == 0 || device->random_run == 0 ||
		!is_late(device, SSDPARD_SEQUENTIAL, now, rules->sequential_deadline))
		return SSDPARD_RANDOM;
	if (device->random_run < LATE_SHARE &&
		is_late(device, SSDPARD_RANDOM, now, rules->random_deadline))
		return SSDPARD_RANDOM;
	return SSDPARD_SEQUENTIAL;
}

/*
 * Random requests that seem to wait for a die that collects garbage: nothing
 * but their own die is busy with them, so others are given in their place.
 * Amphibian (Mao, Wu and Duan, 2018, section III.E) holds such requests back
 * in the host; one that has been given comes no later for that.
 */
static uint32_t
count_late(const SsdpardDevice *device, uint64_t now)
{
	uint64_t	usual = device->windows[SSDPARD_RANDOM].median;
	uint32_t	most = device->depth / LATE_MOST_SHARE;
	uint32_t	late = 0;
	const SsdpardRange *range;

	/* the oldest first; no median yet: nothing is usual */
	TAILQ_FOREACH(range, &device->given[SSDPARD_RANDOM], link)
	{
		if (late == most || usual == 0 ||
			now - range->given <= LATE_FACTOR * usual)
			break;
		late++;
	}
	return late;
}

/* How many sequential requests a device may have outstanding. */
static uint32_t
sequential_share(const SsdpardDevice *device)
{
	uint32_t	share = device->depth / SEQUENTIAL_SHARE;

	return share < MIN_SEQUENTIAL ? MIN_SEQUENTIAL : share;
}

/*
 * May another request of this class become outstanding?  Random ones beyond the
 * depth would leave sequential ones no room as long as any is late: not while
 * one of these is past its deadline, and only the depth keeps it waiting.
 */
static bool
has_room(const SsdpardRules *rules, const SsdpardDevice *device,
		 SsdpardClass class, uint64_t now)
{
	uint32_t	sequential = device->outstanding[SSDPARD_SEQUENTIAL];
	uint32_t	outstanding = device->outstanding[SSDPARD_RANDOM] + sequential;
	bool		in_share = sequential < sequential_share(device);

	if (class == SSDPARD_SEQUENTIAL)
		return outstanding < device->depth && in_share;
	if (outstanding < device->depth)
		return true;
	return outstanding < device->depth + count_late(device, now) &&
		!(in_share && is_late(device, SSDPARD_SEQUENTIAL, now,
							  rules->sequential_deadline));
}

/*
 * Bytes that a client may have outstanding on a device.  What it allows may
 * change at any time, and another process writes it: it is read once a request.
 */
static uint64_t
bytes_allowed(const SsdpardClient *client)
{
	uint64_t	allowed = client->allowed == NULL ? 0 :
		__atomic_load_n(client->allowed, __ATOMIC_RELAXED);

	return allowed > 0 ? allowed : UINT64_MAX;
}

/* The next request of a range: a write waits behind all of it. */
static uint32_t
next_length(const SsdpardRules *rules, const SsdpardRange *range,
			uint64_t allowed)
{
	uint32_t	length = range->length - range->issued;
	uint64_t	most = allowed - allowed % LEAST_REQUEST;

	if (length > rules->max_request_bytes)
		length = rules->max_request_bytes;
	if (most < LEAST_REQUEST)
		most = LEAST_REQUEST;
	return length > most ? (uint32_t) most : length;
}

/* May this flow's client have that many bytes more outstanding? */
static bool
is_allowed(const SsdpardFlow *flow, uint32_t length, uint64_t allowed)
{
	const SsdpardClient *client = flow->client;
	uint64_t	bytes = client->bytes[flow->device->index];

	if (client->outstanding[flow->device->index] >= client->depth)
		return false;
	return bytes == 0 || (bytes <= allowed && length <= allowed - bytes);
}

/*
 * Deficit round robin: a flow in front that has used up its turn gets the next
 * one and goes to the back.  A flow whose client has its depth outstanding
 * goes to the back without: it must not save up turns while it may not read.
 * Ends when every flow in succession was of that kind; otherwise some deficit
 * has grown, and a length is bounded, so it ends as well.
 */
static SsdpardFlow *
choose_flow(const SsdpardRules *rules, SsdpardDevice *device,
			SsdpardClass class, uint32_t *length)
{
	uint32_t	quantum = class == SSDPARD_RANDOM ? RANDOM_QUANTUM
		: SEQUENTIAL_QUANTUM;
	uint32_t	full = 0;		/* clients at their depth, in succession */

	while (full < device->nactive[class])
	{
		SsdpardFlow *flow = TAILQ_FIRST(&device->active[class]);
		uint64_t	allowed = bytes_allowed(flow->client);
		bool		may_read;

		*length = next_length(rules, TAILQ_FIRST(&flow->ranges), allowed);
		may_read = is_allowed(flow, *length, allowed);
		if (may_read && flow->deficit >= *length)
			return flow;

		full = may_read ? 0 : full + 1;
		if (may_read)
			flow->deficit += quantum;
		TAILQ_REMOVE(&device->active[class], flow, link);
		TAILQ_INSERT_TAIL(&device->active[class], flow, link);
	}
	return NULL;
}

/* Of CLASS, or of the other one; CLASS is then whose it is. */
static SsdpardFlow *
choose(const SsdpardRules *rules, SsdpardDevice *device, SsdpardClass *class,
	   uint64_t now, uint32_t *length)
{
	SsdpardFlow *flow = NULL;

	if (has_room(rules, device, *class, now))
		flow = choose_flow(rules, device, *class, length);
	if (flow == NULL)
	{
		/* its clients are at their depth, or its share is outstanding */
		*class = *class == SSDPARD_RANDOM ? SSDPARD_SEQUENTIAL :
			SSDPARD_RANDOM;
		if (has_room(rules, device, *class, now))
			flow = choose_flow(rules, device, *class, length);
	}
	return flow;
}

SsdpardFlow *
ssdpard_policy_next(const SsdpardRules *rules, SsdpardDevice *device,
					uint64_t now, uint32_t *length)
{
	SsdpardClass class = choose_class(rules, device, now);
	SsdpardFlow *flow = choose(rules, device, &class, now, length);

	if (flow == NULL)
		return NULL;

	flow->deficit -= *length;
	if (class == SSDPARD_SEQUENTIAL)
		device->random_run = 0;
	else if (device->random_run < LATE_SHARE)
		device->random_run++;
	return flow;
}

void
ssdpard_policy_measure(SsdpardDevice *device, SsdpardClass class,
					   uint32_t latency, SsdpardCpuWait cpu_wait)
{
	SsdpardVerdict verdict = ssdpard_window_add(&device->windows[class],
												latency);
	uint32_t	step = device->limit / 8 > 0 ? device->limit / 8 : 1;

	if (verdict == SSDPARD_NO_VERDICT)
		return;

	/*
	 * A process that waited for a CPU looks at its completions late, and all
	 * reads seem slow.  Asked once in a window: the answer is a file in
	 * /proc.
	 */
	if (cpu_wait != NULL)
	{
		uint64_t	before = device->cpu_wait[class];

		device->cpu_wait[class] = cpu_wait();
		if (device->cpu_wait[class] - before > LONG_CPU_WAIT &&
			verdict == SSDPARD_COLLECTING)
			return;
	}

	/*
	 * Down fast and up slowly, as in TCP's congestion control: a garbage
	 * collection that is fed with reads only lasts longer.
	 */
	if (verdict == SSDPARD_COLLECTING && device->depth > 1)
		device->depth /= 2;
	else if (verdict == SSDPARD_CALM)
		device->depth = device->limit - device->depth > step ?
			device->depth + step : device->limit;
	ssdpard_check_device(device);
}

void
ssdpard_policy_limit(const SsdpardRules *rules, SsdpardDevice *device)
{
	uint32_t	before = device->limit;

	device->limit = SSDPARD_DEFAULT_DEPTH;
	if (device->profile > 0)
		device->limit = device->profile;
	if (rules->depth > 0)
		device->limit = rules->depth;

	/* a device that is held back stays so */
	if (device->depth == before || device->depth > device->limit)
		device->depth = device->limit;
	ssdpard_check_device(device);
}
