/*
 * profile_drift.c
 *		Records, in shared memory, how far recent reads of each tablespace
 *		deviate from its profile.
 *
 * The error of a tablespace is a running mean of the logarithms of actual /
 * predicted time.  It is only reported; planning does not use it.
 * monitor/measure_drift.c decides which queries are measured, and how.
 */
#include "postgres.h"

#include <math.h>

#include "commands/tablespace.h"
#include "storage/spin.h"
#include "utils/timestamp.h"

#include "base/elapsed.h"
#include "device/profile_drift.h"

/* Most tablespaces that are recorded; few servers have more devices. */
#define PLACES 64

/* Queries before an error is reported; after LAST_QUERIES, the mean decays. */
#define LEAST_QUERIES 10
#define LAST_QUERIES 20

/* A profile is accurate while reads take between half and twice its times. */
#define TOO_FAR 2.0

#define DAY_MS (24 * 60 * 60 * 1000)

typedef struct Place
{
	Oid			tablespace;		/* InvalidOid: free */
	int			queries;
	double		log_error;		/* mean of ln(waited / predicted) */
	TimestampTz told;			/* last log message; survives forgetting */
} Place;

typedef struct SharedDrift
{
	slock_t		mutex;
	Place		places[PLACES];
} SharedDrift;

static SharedDrift *shared = NULL;

Size
ssdpar_drift_shmem_size(void)
{
	return sizeof(SharedDrift);
}

void
ssdpar_drift_shmem_init(void *part)
{
	shared = part;
	memset(shared, 0, sizeof(SharedDrift));
	SpinLockInit(&shared->mutex);
}

/*
 * The place of a tablespace, allocated if take is true; NULL if there is none.
 * The caller holds the lock.  Places are never freed, so the first free one
 * ends the search.
 */
static Place *
find_place(Oid tablespace, bool take)
{
	for (int i = 0; i < PLACES; i++)
	{
		Place	   *place = &shared->places[i];

		if (take && !OidIsValid(place->tablespace))
			place->tablespace = tablespace;
		if (place->tablespace == tablespace)
			return place;
	}
	return NULL;
}

/*
 * Adds one query.  Returns true, at most once a day, if the profile is
 * inaccurate. The mean is of logarithms, so that half and twice the time
 * cancel out.
 */
static bool
add_error(Oid tablespace, double log_error, Place *result)
{
	TimestampTz now = GetCurrentTimestamp();
	Place	   *place;
	bool		tell = false;

	/*
	 * a spinlock, because this is a few instructions without errors or system
	 * calls
	 */
	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, true);
	if (place != NULL)
	{
		place->queries = Min(place->queries + 1, PG_INT16_MAX);
		place->log_error += (log_error - place->log_error) /
			Min(place->queries, LAST_QUERIES);
		tell = place->queries >= LEAST_QUERIES &&
			fabs(place->log_error) > log(TOO_FAR) &&
			ssdpar_is_past(place->told, now, DAY_MS);
		if (tell)
			place->told = now;
		*result = *place;
	}
	SpinLockRelease(&shared->mutex);
	return tell;
}

static void
tell_drift(const Place *place)
{
	char	   *name = get_tablespace_name(place->tablespace);

	if (name == NULL)
		return;
	ereport(LOG,
			(errmsg("reads in tablespace \"%s\" take %.2f times as long as its device profile says",
					name, exp(place->log_error)),
			 errdetail("This is the mean of the last queries that read it; plans are chosen by the profile."),
			 errhint("Run SELECT * FROM ssdpar.calibrate('%s') when the device is not busy.",
					 name)));
	pfree(name);
}

bool
ssdpar_drift_recorded(void)
{
	return shared != NULL;
}

void
ssdpar_drift_record(Oid tablespace, double ratio)
{
	Place		place;

	/*
	 * no device is a hundred times faster, so pages must have been read ahead
	 */
	if (add_error(tablespace, log(Max(ratio, 0.01)), &place))
		tell_drift(&place);
}

double
ssdpar_drift_of(Oid tablespace)
{
	Place	   *place;
	double		error = 0.0;

	if (shared == NULL)
		return 0.0;
	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, false);
	if (place != NULL && place->queries >= LEAST_QUERIES)
		error = exp(place->log_error);
	SpinLockRelease(&shared->mutex);
	return error;
}

void
ssdpar_drift_forget(Oid tablespace)
{
	Place	   *place;

	if (shared == NULL)
		return;
	SpinLockAcquire(&shared->mutex);
	place = find_place(tablespace, false);
	if (place != NULL)
	{
		place->queries = 0;
		place->log_error = 0.0;
	}
	SpinLockRelease(&shared->mutex);
}
