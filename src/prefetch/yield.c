/*
 * yield.c
 *		Limits outstanding read-ahead while other processes wait for writes.
 *
 * A commit waits until the device has written the log, and behind a hundred
 * reads it takes as long as all of them.  So while a process of the server
 * waits for a write (writers.c), or any other process waits for the device to
 * flush (device_writes.c), read-ahead has no more requests outstanding than
 * the device answers within ssdpar.write_protection, by the rule of
 * yield_rule.c.
 *
 * The state is one word shared by all sessions, and another contains the time
 * of the last look.  A session that finds it outdated, and is the first to
 * store the present time there, looks at the processes on behalf of all
 * sessions.  Two that do so in succession may overlap; then a look is lost, or
 * the word is one look older than necessary.
 */
#include "postgres.h"

#include "port/atomics.h"
#include "portability/instr_time.h"

#include "base/settings.h"
#include "device/profile.h"
#include "prefetch/counters.h"
#include "prefetch/device_writes.h"
#include "prefetch/writers.h"
#include "prefetch/yield.h"
#include "prefetch/yield_rule.h"

/* Time between two looks; longer if there are very many processes. */
#define LOOK_US 1000
#define LOOK_US_PER_PROCESS 8

/* A state that was not updated for this many looks is invalid. */
#define OLD_LOOKS (2 * SSDPAR_YIELD_FREE)

/*
 * At most this much time between two looks of one process counts as reading.
 */
#define MOST_US_COUNTED 20000

/*
 * Defaults without a profile: 100,000 pages a second, or 10,000 one at a time.
 */
#define DEFAULT_ALONE_US 100.0
#define DEFAULT_EACH_US 10.0

typedef struct YieldState
{
	pg_atomic_uint64 looked_us; /* time of the last look at the processes */
	pg_atomic_uint64 log;		/* position of the log at that time */

	/* an SsdparFlushWait */
	pg_atomic_uint64 flush_looked;
	pg_atomic_uint64 flushes;
	pg_atomic_uint64 flush_milliseconds;
	pg_atomic_uint64 flush_until;

	pg_atomic_uint32 yield;		/* an SsdparYield */
} YieldState;

static YieldState *shared = NULL;
static YieldState own;			/* used without shared memory */

/* State of this process, for the counters. */
static bool was_free = true;
static uint64 asked_us = 0;

static uint32
pack(SsdparYield yield)
{
	return (uint32) yield.calm << 16 | yield.stalled;
}

static SsdparYield
unpack(uint32 word)
{
	SsdparYield yield = {.calm = word >> 16, .stalled = word & 0xFFFF};

	return yield;
}

static void
init_state(YieldState *state)
{
	SsdparYield none = {.calm = SSDPAR_YIELD_FREE};

	pg_atomic_init_u64(&state->looked_us, 0);
	pg_atomic_init_u64(&state->log, 0);
	pg_atomic_init_u64(&state->flush_looked, 0);
	pg_atomic_init_u64(&state->flushes, 0);
	pg_atomic_init_u64(&state->flush_milliseconds, 0);
	pg_atomic_init_u64(&state->flush_until, 0);
	pg_atomic_init_u32(&state->yield, pack(none));
}

Size
ssdpar_yield_shmem_size(void)
{
	return sizeof(YieldState);
}

void
ssdpar_yield_shmem_init(void *part)
{
	shared = part;
	init_state(shared);
}

static YieldState *
state_of_all(void)
{
	static bool initialized = false;

	if (shared != NULL)
		return shared;
	if (!initialized)
		init_state(&own);
	initialized = true;
	return &own;
}

/* A clock that is common to all processes. */
static uint64
now_us(void)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	return INSTR_TIME_GET_MICROSEC(now);
}

/* Does any process outside of the server wait for the device? */
static bool
device_waits(YieldState *state, uint64 now)
{
	SsdparFlushes flushes;
	SsdparFlushWait wait = {
		.looked = pg_atomic_read_u64(&state->flush_looked),
		.flushes.count = pg_atomic_read_u64(&state->flushes),
		.flushes.milliseconds =
			pg_atomic_read_u64(&state->flush_milliseconds),
		.until = pg_atomic_read_u64(&state->flush_until),
	};

	if (!ssdpar_device_flushes(&flushes))
		return ssdpar_device_writes();
	wait = ssdpar_flush_step(wait, flushes, now);
	pg_atomic_write_u64(&state->flush_looked, wait.looked);
	pg_atomic_write_u64(&state->flushes, wait.flushes.count);
	pg_atomic_write_u64(&state->flush_milliseconds,
						wait.flushes.milliseconds);
	pg_atomic_write_u64(&state->flush_until, wait.until);
	return ssdpar_flush_waits(wait, now);
}

static void
look(YieldState *state, bool is_old, uint64 now)
{
	bool		device = device_waits(state, now);
	SsdparWriteWait waits = ssdpar_writers_look();
	SsdparYield yield = {.calm = SSDPAR_YIELD_FREE};
	bool		stalls = false;

	if (waits == SSDPAR_WAL_WAITS)
	{
		uint64		log = ssdpar_writers_log_position();

		stalls = !is_old && log == pg_atomic_read_u64(&state->log);
		pg_atomic_write_u64(&state->log, log);
	}
	if (!is_old)
		yield = unpack(pg_atomic_read_u32(&state->yield));
	yield = ssdpar_yield_step(yield, device || waits != SSDPAR_NO_WRITE_WAITS,
							  stalls);
	pg_atomic_write_u32(&state->yield, pack(yield));
}

/* Counts how often and how long this process yielded. */
static void
count(bool is_free, uint64 now)
{
	if (!was_free)
		ssdpar_count(SSDPAR_COUNT_YIELDED_US,
					 Min(now - asked_us, MOST_US_COUNTED));
	else if (!is_free)
		ssdpar_count(SSDPAR_COUNT_YIELDS, 1);
	was_free = is_free;
	asked_us = now;
}

static SsdparYield
yield_now(void)
{
	YieldState *state = state_of_all();
	uint64		now = now_us();
	uint64		looked = pg_atomic_read_u64(&state->looked_us);
	uint64		apart = Max(LOOK_US, LOOK_US_PER_PROCESS *
							ssdpar_writers_processes());
	SsdparYield yield;

	/* another session may have looked since the clock was read */
	if (now > looked && now - looked >= apart &&
		pg_atomic_compare_exchange_u64(&state->looked_us, &looked, now))
		look(state, now - looked > OLD_LOOKS * apart, now);
	yield = unpack(pg_atomic_read_u32(&state->yield));
	count(ssdpar_yield_is_free(yield), now);
	return yield;
}

static void
make_pace(SsdparPace *pace)
{
	const SsdparProfile *profile = ssdpar_profile_for_reading(pace->tablespace);
	int			depth;

	pace->alone = DEFAULT_ALONE_US;
	pace->each = DEFAULT_EACH_US;
	if (profile == NULL)
		return;
	depth = ssdpar_profile_saturation_depth(profile);
	pace->alone = ssdpar_profile_latency(profile, SSDPAR_RANDOM, BLCKSZ, 1);
	pace->each = 1e6 / ssdpar_profile_iops(profile, SSDPAR_RANDOM, BLCKSZ,
										   depth);
}

/*
 * Requests that a device processes concurrently delay no one, and fewer would
 * not keep it busy: a page takes as long as it does alone.  Further
 * outstanding requests wait in the queue, and make writers wait too.
 */
uint32
ssdpar_yield_pages(SsdparPace *pace)
{
	SsdparYield yield;

	if (ssdpar_write_protection < 0)
		return PG_UINT32_MAX;
	yield = yield_now();
	if (ssdpar_yield_is_free(yield))
		return PG_UINT32_MAX;
	if (pace->each <= 0)
		make_pace(pace);
	return ssdpar_yield_allows(yield, (pace->alone +
									   ssdpar_write_protection * 1e3) /
							   pace->each);
}
