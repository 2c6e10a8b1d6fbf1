/*
 * scheduler_policy.c
 *		Chooses the next flow of a device and adapts the device's queue
 *		depth.
 *
 *	class		Random before sequential, until the oldest sequential range has
 *				waited for its deadline; then the classes take turns.  If
 *				random ranges are late as well, one sequential request follows
 *				every LATE_SHARE random ones.  So neither class starves.
 *	flow		Deficit round robin in bytes (Shreedhar and Varghese, SIGCOMM
 *				1995) among the flows of a class.
 *	allowed		While a writer waits in its server, a client limits itself to
 *				some outstanding bytes, or to one request no longer than that.
 *	depth		A device has at most its depth of requests outstanding, of
 *				which at most a sixteenth may be sequential, and a client has
 *				at most as many as it asked for.  The depth is halved while
 *				the device collects garbage.  Late random requests, such as
 *				those that wait for a collecting die, do not count, up to a
 *				quarter of the depth, as long as no sequential range has
 *				waited for its deadline.
 */
#include "scheduler_policy.h"

#include <stddef.h>

/* Bytes that a flow may read per turn: 4 random pages, or one large read. */
#define RANDOM_QUANTUM (32 * 1024)
#define SEQUENTIAL_QUANTUM (256 * 1024)

/* Random requests per sequential one when both classes are late. */
#define LATE_SHARE 8

/*
 * A sequential request has as many bytes as 32 random ones, so a sixteenth of
 * the depth is still twice the bytes that saturate a device.  More would gain
 * nothing, and a synchronous write (a transaction's commit) waits behind all
 * of them.
 */
#define SEQUENTIAL_SHARE 16
#define MIN_SEQUENTIAL 2

/*
 * A request is late if it has been outstanding for this many times the median.
 * In simulated sessions (bench/ssdsim), a larger factor hardly shortens waits
 * during garbage collection, and a smaller one, or no bound on the requests
 * beyond the depth, delays a synchronous writer.
 */
#define LATE_FACTOR 4
#define LATE_MOST_SHARE 4		/* quotient of the depth and the number of
								 * extra requests */

/* us; less than half of the 5 ms above which latency.c sees a tail */
#define LONG_CPU_WAIT 2000

/* A request has at least one page, however little a client allows itself. */
#define LEAST_REQUEST 8192

/* Has the oldest range of this class waited longer than DEADLINE? */
static bool
is_late(const SsdpardDevice *device, SsdpardClass class, uint64_t now,
		uint64_t deadline)
{
	const SsdpardFlow *flow;

	/* a flow is first in, first out, so its head is its oldest */
	TAILQ_FOREACH(flow, &device->active[class], link)
		if (now - TAILQ_FIRST(&flow->ranges)->arrived > deadline)
		return true;
	return false;
}

/*
 * Returns the class whose turn it is.  If it has nothing to give, the caller
 * tries the other one.
 */
static SsdpardClass
choose_class(const SsdpardRules *rules, const SsdpardDevice *device,
			 uint64_t now)
{
	if (device->nactive[SSDPARD_RANDOM] == 0)
		return SSDPARD_SEQUENTIAL;

	/*
	 * random_run is 0 just after a sequential request, so it is random's turn
	 */
	if (device->nactive[SSDPARD_SEQUENTIAL] == 0 || device->random_run == 0 ||
		!is_late(device, SSDPARD_SEQUENTIAL, now, rules->sequential_deadline))
		return SSDPARD_RANDOM;
	if (device->random_run < LATE_SHARE &&
		is_late(device, SSDPARD_RANDOM, now, rules->random_deadline))
		return SSDPARD_RANDOM;
	return SSDPARD_SEQUENTIAL;
}

/*
 * Counts the random requests that seem to wait for a die that collects
 * garbage.  They occupy only that die, so others can be given in addition.
 * Amphibian (Mao, Wu and Duan, 2018, section III.E) holds such requests back
 * in the host; requests that were already given are not delayed by the
 * additional ones.
 */
static uint32_t
count_late(const SsdpardDevice *device, uint64_t now)
{
	uint64_t	usual = device->windows[SSDPARD_RANDOM].median;
	uint32_t	most = device->depth / LATE_MOST_SHARE;
	uint32_t	late = 0;
	const SsdpardRange *range;

	/* oldest first; without a median yet, no request is late */
	TAILQ_FOREACH(range, &device->given[SSDPARD_RANDOM], link)
	{
		if (late == most || usual == 0 ||
			now - range->given <= LATE_FACTOR * usual)
			break;
		late++;
	}
	return late;
}

/* Number of sequential requests that a device may have outstanding. */
static uint32_t
sequential_share(const SsdpardDevice *device)
{
	uint32_t	share = device->depth / SEQUENTIAL_SHARE;

	return share < MIN_SEQUENTIAL ? MIN_SEQUENTIAL : share;
}

/*
 * May another request of this class be started?  Random requests beyond the
 * depth would leave no room for sequential ones as long as any are late, so do
 * not allow them while a sequential range is past its deadline and only the
 * depth keeps it waiting.
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
 * Bytes that a client may have outstanding on a device.  Another process
 * writes the value and may change it at any time, so read it once per request.
 */
static uint64_t
bytes_allowed(const SsdpardClient *client)
{
	uint64_t	allowed = client->allowed == NULL ? 0 :
		__atomic_load_n(client->allowed, __ATOMIC_RELAXED);

	return allowed > 0 ? allowed : UINT64_MAX;
}

/*
 * The length of the next request of a range.  A write waits behind all of it,
 * so the client's limit applies to it.
 */
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

/* May this flow's client have LENGTH more bytes outstanding? */
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
 * Deficit round robin: if the flow in front has used up its turn, it gets the
 * next one and goes to the back.  A flow whose client has reached its depth
 * goes to the back without a new turn, because it must not accumulate turns
 * while it may not read.  The loop ends when all flows in succession were of
 * that kind.  Otherwise some deficit has grown, and lengths are bounded, so it
 * ends as well.
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

/*
 * Chooses a flow of CLASS or else of the other one, and sets CLASS
 * accordingly.
 */
static SsdpardFlow *
choose(const SsdpardRules *rules, SsdpardDevice *device, SsdpardClass *class,
	   uint64_t now, uint32_t *length)
{
	SsdpardFlow *flow = NULL;

	if (has_room(rules, device, *class, now))
		flow = choose_flow(rules, device, *class, length);
	if (flow == NULL)
	{
		/*
		 * all clients are at their depth, or the class's share is outstanding
		 */
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
	 * A process that waited for a CPU sees its completions late, and all
	 * reads seem slow.  Checked once per window, because it reads a file in
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
	 * Decrease fast and increase slowly, as in TCP's congestion control,
	 * because feeding a garbage collection with reads only prolongs it.
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

	/* a device that is being held back remains so */
	if (device->depth == before || device->depth > device->limit)
		device->depth = device->limit;
	ssdpard_check_device(device);
}
