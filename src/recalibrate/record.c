/*
 * record.c
 *		What the background has calibrated, is at and may still do: in shared
 *		memory.
 *
 * The budget is that of 24 hours from its first use on, and a calibration is
 * charged when it begins: one that dies has been paid.  A restart of the server
 * forgets all of it, which is why there is a time of quiet before each.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "storage/spin.h"
#include "utils/timestamp.h"

#include "base/elapsed.h"
#include "base/settings.h"
#include "recalibrate/record.h"

/* Tablespaces that are remembered; no server is likely to have more devices. */
#define PLACES 64

#define HOUR_MS (60 * 60 * 1000)
#define DAY_MS (24 * HOUR_MS)

/* The CPU calibration's own file, bytes. */
#define CPU_FILE ((int64) 16 << 20)

/*
 * What one takes at most, the CPU's included (calibration.c): what must be left
 * of the budget.  A quick one has
 * five seconds for the device, but visits each of 36 points at least, and a
 * slow device takes a tenth of a second for a visit.
 */
static const SsdparBudget prices[] = {
	[SSDPAR_EXTENT_NONE] = {0.0, 0},
	[SSDPAR_EXTENT_QUICK] = {12.0, ((int64) 256 << 20) + CPU_FILE},
	[SSDPAR_EXTENT_WHOLE] = {50.0, ((int64) 1024 << 20) + CPU_FILE},
};

/* Invariant: no two places in use have the same tablespace. */
typedef struct SharedRecords
{
	slock_t		mutex;
	TimestampTz looked_at;
	pid_t		looking;		/* 0: nobody */
	TimestampTz day_began;
	SsdparBudget used;			/* since then */
	SsdparRecord places[PLACES];
} SharedRecords;

static SharedRecords *shared = NULL;

void
ssdpar_records_request_shmem(void)
{
	RequestAddinShmemSpace(sizeof(SharedRecords));
}

void
ssdpar_records_attach_shmem(void)
{
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared = ShmemInitStruct("ssdpar calibrations", sizeof(SharedRecords),
							 &found);
	if (!found)
	{
		memset(shared, 0, sizeof(SharedRecords));
		SpinLockInit(&shared->mutex);
	}
	LWLockRelease(AddinShmemInitLock);
}

bool
ssdpar_records_available(void)
{
	return shared != NULL;
}

/*
 * Looked at without the lock first: this is asked with each statement that is
 * planned, and a time that is half written is at worst a look too many.  NOW
 * may be older than the last look, as a function's statement begins once: then
 * the clock is asked, as one that was set back looks the same.
 */
bool
ssdpar_records_take_look(TimestampTz now, int interval_ms)
{
	bool		taken;

	if (!ssdpar_is_past(shared->looked_at, now, interval_ms))
		return false;
	now = GetCurrentTimestamp();
	SpinLockAcquire(&shared->mutex);
	taken = shared->looking == 0 &&
		ssdpar_is_past(shared->looked_at, now, interval_ms);
	if (taken)
		shared->looked_at = now;
	SpinLockRelease(&shared->mutex);
	return taken;
}

bool
ssdpar_records_begin_look(void)
{
	bool		first;

	SpinLockAcquire(&shared->mutex);
	first = shared->looking == 0;
	if (first)
		shared->looking = MyProcPid;
	SpinLockRelease(&shared->mutex);
	return first;
}

void
ssdpar_records_end_look(void)
{
	TimestampTz now = GetCurrentTimestamp();

	SpinLockAcquire(&shared->mutex);
	if (shared->looking == MyProcPid)
	{
		shared->looking = 0;
		shared->looked_at = now;
	}
	SpinLockRelease(&shared->mutex);
}

/* The caller holds the lock. */
static SsdparBudget
budget_left(TimestampTz now)
{
	SsdparBudget left;

	if (ssdpar_is_past(shared->day_began, now, DAY_MS))
	{
		shared->day_began = now;
		shared->used.seconds = 0.0;
		shared->used.bytes = 0;
	}
	left.seconds = Max(ssdpar_auto_calibrate_time - shared->used.seconds, 0.0);
	left.bytes = Max(((int64) ssdpar_auto_calibrate_writes << 20) -
					 shared->used.bytes, 0);
	return left;
}

SsdparBudget
ssdpar_records_left(void)
{
	TimestampTz now = GetCurrentTimestamp();
	SsdparBudget left;

	SpinLockAcquire(&shared->mutex);
	left = budget_left(now);
	SpinLockRelease(&shared->mutex);
	return left;
}

static bool
is_affordable(SsdparExtent extent, SsdparBudget left)
{
	return prices[extent].seconds <= left.seconds &&
		prices[extent].bytes <= left.bytes;
}

/* A quick one mends no quick one. */
SsdparExtent
ssdpar_records_afford(SsdparCause cause)
{
	SsdparBudget left = ssdpar_records_left();

	if (is_affordable(SSDPAR_EXTENT_WHOLE, left))
		return SSDPAR_EXTENT_WHOLE;
	if (cause != SSDPAR_CAUSE_QUICK &&
		is_affordable(SSDPAR_EXTENT_QUICK, left))
		return SSDPAR_EXTENT_QUICK;
	return SSDPAR_EXTENT_NONE;
}

/*
 * The place of a tablespace; where there is none and TAKE is set a free one, or
 * else the one that was changed first.  The caller holds the lock.
 */
static SsdparRecord *
find_place(Oid tablespace, bool take)
{
	SsdparRecord *oldest = &shared->places[0];

	for (int i = 0; i < PLACES; i++)
	{
		SsdparRecord *place = &shared->places[i];

		if (place->tablespace == tablespace)
			return place;
		if (place->changed_at < oldest->changed_at)
			oldest = place;
	}
	if (!take)
		return NULL;
	memset(oldest, 0, sizeof(SsdparRecord));
	oldest->tablespace = tablespace;
	return oldest;
}

bool
ssdpar_records_get(Oid tablespace, SsdparRecord *record)
{
	SsdparRecord *place;

	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, false);
	if (place != NULL)
		*record = *place;
	SpinLockRelease(&shared->mutex);
	return place != NULL;
}

/* Free ones among them. */
bool
ssdpar_records_get_nth(int number, SsdparRecord *record)
{
	if (number >= PLACES)
		return false;
	SpinLockAcquire(&shared->mutex);
	*record = shared->places[number];
	SpinLockRelease(&shared->mutex);
	return true;
}

/*
 * Drift that a new profile did not end is not the profile's, so it is no cause
 * again on the same day.
 */
bool
ssdpar_records_may_begin(Oid tablespace, SsdparCause cause)
{
	TimestampTz now = GetCurrentTimestamp();
	SsdparRecord record;

	if (cause == SSDPAR_CAUSE_NONE)
		return false;
	if (!ssdpar_records_get(tablespace, &record))
		return true;
	return record.outcome != SSDPAR_OUTCOME_RUNNING &&
		(record.not_before <= now ||
	/* the clock was set back */
		 record.not_before > TimestampTzPlusMilliseconds(now, HOUR_MS)) &&
		(cause != SSDPAR_CAUSE_DRIFT ||
		 ssdpar_is_past(record.drift_at, now, DAY_MS));
}

/* The caller holds the lock. */
static void
set_outcome(SsdparRecord *place, SsdparOutcome outcome, const char *message)
{
	place->outcome = outcome;
	place->changed_at = GetCurrentTimestamp();
	strlcpy(place->message, message, sizeof(place->message));
}

static bool
is_due(const SsdparRecord *record)
{
	return record->outcome == SSDPAR_OUTCOME_WAITING ||
		record->outcome == SSDPAR_OUTCOME_UNAFFORDABLE;
}

/* What was noted before stays: the view says since when. */
void
ssdpar_records_note(Oid tablespace, SsdparCause cause, SsdparOutcome outcome)
{
	bool		due = outcome != SSDPAR_OUTCOME_NONE;
	SsdparRecord *place;

	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, due);
	if (place != NULL && place->outcome != SSDPAR_OUTCOME_RUNNING &&
		(due || is_due(place)) &&
		(place->outcome != outcome || place->cause != cause))
	{
		place->cause = cause;
		place->extent = SSDPAR_EXTENT_NONE;
		set_outcome(place, outcome, "");
	}
	SpinLockRelease(&shared->mutex);
}

void
ssdpar_records_begin(Oid tablespace, SsdparCause cause, SsdparExtent extent)
{
	SsdparRecord *place;

	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, true);
	place->cause = cause;
	place->extent = extent;
	place->runner = MyProcPid;
	place->seconds = 0.0;
	place->bytes = prices[extent].bytes;
	set_outcome(place, SSDPAR_OUTCOME_RUNNING, "");
	shared->used.seconds += prices[extent].seconds;
	shared->used.bytes += prices[extent].bytes;
	SpinLockRelease(&shared->mutex);
}

/*
 * What was not taken after all, or was more, goes to the day that was charged:
 * if that has passed by now, to none.  The caller holds the lock.
 */
static void
charge(const SsdparRecord *place, double seconds, int64 bytes)
{
	if (place->changed_at < shared->day_began)
		return;
	shared->used.seconds += seconds;
	shared->used.bytes += bytes;
}

/* What it took, in place of what it might have taken. */
static void
settle(SsdparRecord *place, TimestampTz now)
{
	if (place->outcome != SSDPAR_OUTCOME_RUNNING)
		return;
	place->seconds = Max(now - place->changed_at, 0) / 1e6;
	charge(place, place->seconds - prices[place->extent].seconds, 0);
}

/* The caller holds the lock. */
static void
end(SsdparRecord *place, SsdparOutcome outcome, const char *message)
{
	TimestampTz now = GetCurrentTimestamp();
	bool		failed = outcome == SSDPAR_OUTCOME_FAILED ||
		outcome == SSDPAR_OUTCOME_INTERRUPTED;

	settle(place, now);
	place->not_before = failed ?
		TimestampTzPlusMilliseconds(now, HOUR_MS) : 0;
	if (outcome == SSDPAR_OUTCOME_DONE && place->cause == SSDPAR_CAUSE_DRIFT)
		place->drift_at = now;
	set_outcome(place, outcome, message);
}

void
ssdpar_records_end(Oid tablespace, SsdparOutcome outcome, const char *message)
{
	SsdparRecord *place;

	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, true);
	if (place->outcome != SSDPAR_OUTCOME_RUNNING || place->runner == MyProcPid)
		end(place, outcome, message);
	SpinLockRelease(&shared->mutex);
}

void
ssdpar_records_reserved(Oid tablespace, int64 file_size)
{
	SsdparRecord *place;

	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, true);
	if (place->outcome == SSDPAR_OUTCOME_RUNNING && place->runner == MyProcPid)
	{
		charge(place, 0.0, file_size + CPU_FILE - place->bytes);
		place->bytes = file_size + CPU_FILE;
	}
	SpinLockRelease(&shared->mutex);
}

void
ssdpar_records_refuse(Oid tablespace, const char *message)
{
	SsdparRecord *place;

	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, true);
	if (place->outcome == SSDPAR_OUTCOME_RUNNING && place->runner == MyProcPid)
	{
		charge(place, 0.0, -place->bytes);
		place->bytes = 0;
		end(place, SSDPAR_OUTCOME_FAILED, message);
	}
	SpinLockRelease(&shared->mutex);
}
