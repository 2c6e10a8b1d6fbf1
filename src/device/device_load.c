/*
 * device_load.c
 *		What all sessions keep outstanding on each tablespace's device.
 *
 * Each session has a place in shared memory that it alone writes: one
 * device, and the requests that its running queries are going to keep
 * outstanding there, by their plans (monitor/plan_io.c).  So others know of a
 * query from its start.  A cursor that is not fetched from counts as if it ran.
 *
 * Only one device per session is kept, since one atomic word holds it: a
 * reader then never sees the device of one query with the requests of
 * another, and no lock is taken while planning.
 *
 * What to make of the sum is for the cost model to say.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/proc.h"
#include "storage/shmem.h"

#include "base/without.h"
#include "device/device_load.h"
#include "device/device_row.h"

/* Parts of a request are counted: half of a table may be in memory. */
#define FRACTIONS 256.0

typedef struct Place
{
	pg_atomic_uint64 word;		/* device << 32 | requests * FRACTIONS */
} Place;

typedef struct SharedLoad
{
	int			nplaces;
	pg_atomic_uint64 changes;	/* of any place, counted after it is made */
	Place		places[FLEXIBLE_ARRAY_MEMBER];	/* by PGPROC */
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
 * NULL for processes that are no sessions.  By PGPROC, which no other process
 * has while this one lives: each word has one writer, and no lock is needed.
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
 * A session's queries on a second device while one on the first is running are
 * left out.
 */
static bool
change_place(uint32 device, int64 fractions)
{
	Place	   *place = own_place();
	uint64		word;

	if (place == NULL)
		return false;

	/* what an earlier process with this PGPROC has left does not count */
	word = queries_inside > 0 ? pg_atomic_read_u64(&place->word) : 0;
	if ((uint32) word > 0 && (uint32) (word >> 32) != device)
		return false;
	fractions = Max(0, (int64) (uint32) word + fractions);
	pg_atomic_write_u64(&place->word, (uint64) device << 32 |
						(uint32) Min(fractions, PG_INT32_MAX));
	pg_atomic_fetch_add_u64(&shared->changes, 1);
	return true;
}

/* The memory of the query goes away. */
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

/* Planning asks dozens of times, and mostly nothing has changed meanwhile. */
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
		/* the words after the count: then they are no older than it */
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

	/* with the query's memory, which an error frees as well */
	queries_inside++;
	announced->callback.func = withdraw;
	announced->callback.arg = announced;
	MemoryContextRegisterResetCallback(query, &announced->callback);
}
