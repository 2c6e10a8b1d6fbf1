/*
 * counters.c
 *		Counters of this session and of each database.
 *
 * Counting is a plain addition.  Occasionally (at the end of a statement) the
 * sums are added to shared memory with atomic operations, so a lock is needed
 * only once per session, to find the entry of its database.
 *
 * A parallel worker also adds to its leader's entry, so that EXPLAIN in the
 * leader can include the workers, which have ended by then.
 *
 * Nothing is kept across a restart of the server.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "storage/spin.h"
#include "utils/timestamp.h"

#include "prefetch/counters.h"

/* Further databases are counted together. */
#define PLACES 128

typedef struct SharedTally
{
	pg_atomic_uint64 value[SSDPAR_COUNTERS];
} SharedTally;

typedef struct Place
{
	Oid			database;		/* InvalidOid: free, or in place 0 all further
								 * databases */
	SharedTally tally;
} Place;

typedef struct SharedCounters
{
	slock_t		mutex;			/* for since, and for allocating a place */
	TimestampTz since;
	Place		places[PLACES + 1];
	int			nprocs;
	SharedTally workers[FLEXIBLE_ARRAY_MEMBER]; /* indexed by the leader's
												 * PGPROC */
} SharedCounters;

static SharedCounters *shared = NULL;
static Place *own_place = NULL;
static SsdparTally session;		/* flushed, of this process only */
static SsdparTally pending;		/* not flushed */
static TimestampTz session_since = 0;

Size
ssdpar_counters_shmem_size(void)
{
	return add_size(offsetof(SharedCounters, workers),
					mul_size(MaxBackends, sizeof(SharedTally)));
}

static void
init_tally(SharedTally *tally)
{
	for (int i = 0; i < SSDPAR_COUNTERS; i++)
		pg_atomic_init_u64(&tally->value[i], 0);
}

void
ssdpar_counters_shmem_init(void *part)
{
	shared = part;
	SpinLockInit(&shared->mutex);
	shared->since = GetCurrentTimestamp();
	shared->nprocs = MaxBackends;
	for (int i = 0; i <= PLACES; i++)
	{
		shared->places[i].database = InvalidOid;
		init_tally(&shared->places[i].tally);
	}
	for (int i = 0; i < shared->nprocs; i++)
		init_tally(&shared->workers[i]);
}

bool
ssdpar_counters_shared(void)
{
	return shared != NULL;
}

void
ssdpar_count(SsdparCounter counter, uint64 amount)
{
	pending.value[counter] += amount;
	if (session_since == 0)
		session_since = GetCurrentTimestamp();
}

uint64
ssdpar_counted(SsdparCounter counter)
{
	return session.value[counter] + pending.value[counter];
}

/*
 * Returns the place of this database, or the common one if all are taken.
 * Places are never released, so a place that was found remains valid without
 * the lock, and the first free place follows all that are taken.
 */
static Place *
find_place(void)
{
	Place	   *place = &shared->places[0];

	SpinLockAcquire(&shared->mutex);
	for (int i = 1; i <= PLACES; i++)
	{
		if (!OidIsValid(shared->places[i].database))
			shared->places[i].database = MyDatabaseId;
		if (shared->places[i].database == MyDatabaseId)
		{
			place = &shared->places[i];
			break;
		}
	}
	SpinLockRelease(&shared->mutex);
	return place;
}

/* Where workers of the given process add their counters, or NULL. */
static SharedTally *
workers_of(PGPROC *leader)
{
	int			number;

	if (shared == NULL || leader == NULL)
		return NULL;
	number = leader - ProcGlobal->allProcs;
	return number < shared->nprocs ? &shared->workers[number] : NULL;
}

/*
 * Skip zeros, because most statements count nothing and each addition takes
 * the cache line from all other processors.
 */
static void
add_to_shared(SharedTally *to)
{
	if (to == NULL)
		return;
	for (int i = 0; i < SSDPAR_COUNTERS; i++)
		if (pending.value[i] > 0)
			pg_atomic_fetch_add_u64(&to->value[i], pending.value[i]);
}

void
ssdpar_counters_flush(void)
{
	if (session_since == 0)
		return;					/* nothing was ever counted */
	if (shared != NULL && own_place == NULL && OidIsValid(MyDatabaseId))
		own_place = find_place();
	if (own_place != NULL)
		add_to_shared(&own_place->tally);
	if (IsParallelWorker() && MyProc != NULL)
		add_to_shared(workers_of(MyProc->lockGroupLeader));
	for (int i = 0; i < SSDPAR_COUNTERS; i++)
		session.value[i] += pending.value[i];
	memset(&pending, 0, sizeof(pending));
}

static void
add_to_tally(SsdparTally *to, SharedTally *from)
{
	for (int i = 0; i < SSDPAR_COUNTERS; i++)
		to->value[i] += pg_atomic_read_u64(&from->value[i]);
}

/*
 * The workers' counters may include those of earlier sessions that used the
 * same PGPROC, so callers compute differences.
 */
void
ssdpar_counters_session(SsdparTally *tally)
{
	SharedTally *workers = workers_of(MyProc);

	*tally = session;
	if (workers != NULL)
		add_to_tally(tally, workers);
}

/*
 * A place that is being allocated concurrently may be missed, but its counts
 * were zero when we began.  Reading an OID needs no lock because it is stored
 * atomically.
 */
bool
ssdpar_counters_get(int i, Oid *database, SsdparTally *tally)
{
	memset(tally, 0, sizeof(*tally));
	if (shared == NULL)
	{
		*database = MyDatabaseId;
		*tally = session;
		return i == 0;
	}
	if (i > PLACES || (i > 0 && !OidIsValid(shared->places[i].database)))
		return false;
	*database = shared->places[i].database;
	add_to_tally(tally, &shared->places[i].tally);
	return true;
}

TimestampTz
ssdpar_counters_since(void)
{
	TimestampTz since;

	if (shared == NULL)
		return session_since;
	SpinLockAcquire(&shared->mutex);
	since = shared->since;
	SpinLockRelease(&shared->mutex);
	return since;
}

/*
 * Counts added concurrently may be lost or may survive.  To be exact, every
 * addition would need a lock, just for a rare reset.
 */
void
ssdpar_counters_reset(void)
{
	TimestampTz now = GetCurrentTimestamp();

	memset(&session, 0, sizeof(session));
	memset(&pending, 0, sizeof(pending));
	session_since = now;
	if (shared == NULL)
		return;
	SpinLockAcquire(&shared->mutex);
	shared->since = now;
	SpinLockRelease(&shared->mutex);
	for (int place = 0; place <= PLACES; place++)
		for (int i = 0; i < SSDPAR_COUNTERS; i++)
			pg_atomic_write_u64(&shared->places[place].tally.value[i], 0);
}
