/*
 * device_load.c
 *		Tracks the requests that all sessions keep outstanding on each device.
 *
 * Each session has a place in shared memory that only it writes: one device,
 * and the number of requests that its running queries will keep outstanding
 * there, according to their plans (monitor/plan_io.c).  So other sessions know
 * of a query from its start.  An idle cursor counts as if it ran.
 *
 * Each session has only one device, because one atomic word holds it.  So a
 * reader never combines the device of one query with the requests of another,
 * and planning takes no lock.
 *
 * The cost model decides what the sum means.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/proc.h"
#include "storage/shmem.h"

#include "base/without.h"
#include "device/device_load.h"
#include "device/device_row.h"

/*
 * Fractions of requests are counted, because half of a table may be in memory.
 */
#define FRACTIONS 256.0

typedef struct Place
{
	pg_atomic_uint64 word;		/* device << 32 | requests * FRACTIONS */
} Place;

typedef struct SharedLoad
{
	int			nplaces;
	pg_atomic_uint64 changes;	/* of any place, counted afterwards */
	Place		places[FLEXIBLE_ARRAY_MEMBER];	/* indexed by PGPROC */
} SharedLoad;

/* What one query has announced. */
typedef struct Announced
{
	uint32		device;
	uint32		fractions;
	MemoryContextCallback callback;
} Announced;

static SharedLoad *shared = NULL;
static int	queries_inside = 0;

Size
ssdpar_device_load_shmem_size(void)
{
	return add_size(offsetof(SharedLoad, places),
					mul_size(MaxBackends, sizeof(Place)));
}

void
ssdpar_device_load_shmem_init(void *part)
{
	shared = part;
	shared->nplaces = MaxBackends;
	pg_atomic_init_u64(&shared->changes, 0);
	for (int i = 0; i < shared->nplaces; i++)
		pg_atomic_init_u64(&shared->places[i].word, 0);
}

/*
 * NULL for processes that are not sessions.  The index is that of the PGPROC,
 * which belongs to no other process while this one lives, so each word has
 * only one writer and needs no lock.
 */
static Place *
own_place(void)
{
	int			number;

	if (shared == NULL || MyProc == NULL)
		return NULL;
	number = MyProc - ProcGlobal->allProcs;
	return number < shared->nplaces ? &shared->places[number] : NULL;
}

/*
 * While a query on one device is running, the session's queries on another
 * device are not counted.
 */
static bool
change_place(uint32 device, int64 fractions)
{
	Place	   *place = own_place();
	uint64		word;

	if (place == NULL)
		return false;

	/* ignore what an earlier process with this PGPROC has left */
	word = queries_inside > 0 ? pg_atomic_read_u64(&place->word) : 0;
	if ((uint32) word > 0 && (uint32) (word >> 32) != device)
		return false;
	fractions = Max(0, (int64) (uint32) word + fractions);
	pg_atomic_write_u64(&place->word, (uint64) device << 32 |
						(uint32) Min(fractions, PG_INT32_MAX));
	pg_atomic_fetch_add_u64(&shared->changes, 1);
	return true;
}

/* Called when the query's memory is released. */
static void
withdraw(void *arg)
{
	Announced  *announced = arg;

	Assert(queries_inside > 0);
	change_place(announced->device, -(int64) announced->fractions);
	queries_inside--;
}

static double
sum_others(uint32 device)
{
	Place	   *own = own_place();
	double		fractions = 0.0;

	for (int i = 0; i < shared->nplaces; i++)
	{
		uint64		word = pg_atomic_read_u64(&shared->places[i].word);

		if (&shared->places[i] != own && (uint32) (word >> 32) == device)
			fractions += (uint32) word;
	}
	return fractions / FRACTIONS;
}

/*
 * Caches the sum, because planning asks dozens of times and usually nothing
 * has changed.
 */
double
ssdpar_device_load_others(Oid tablespace)
{
	static uint32 known_device = 0;
	static uint64 known_changes = 0;
	static double known = 0.0;
	uint64		changes;
	uint32		device;

	if (shared == NULL || ssdpar_without(SSDPAR_LOAD_OF_OTHERS))
		return 0.0;
	device = ssdpar_tablespace_device(tablespace);
	changes = pg_atomic_read_u64(&shared->changes);
	if (device != known_device || changes != known_changes)
	{
		/* read the words after the counter, so that they are not older */
		pg_read_barrier();
		known = sum_others(device);
		known_device = device;
		known_changes = changes;
	}
	return known;
}

bool
ssdpar_device_load_available(void)
{
	return own_place() != NULL;
}

void
ssdpar_device_load_announce(Oid tablespace, double requests,
							MemoryContext query)
{
	Announced  *announced;

	if (requests * FRACTIONS < 1.0)
		return;
	announced = MemoryContextAllocZero(query, sizeof(Announced));
	announced->device = ssdpar_tablespace_device(tablespace);
	announced->fractions = (uint32) Min(requests * FRACTIONS, PG_INT32_MAX);
	if (!change_place(announced->device, announced->fractions))
		return;

	/* an error releases the query's memory as well */
	queries_inside++;
	announced->callback.func = withdraw;
	announced->callback.arg = announced;
	MemoryContextRegisterResetCallback(query, &announced->callback);
}
