/*
 * processor_load.c
 *		Counts the processes of all sessions' running queries.
 *
 * Each session has a word in shared memory that only it writes: the number of
 * processes in its query, according to the plan, from its start to its end.  A
 * session with several open queries runs one of them at a time, so the largest
 * counts.
 *
 * An open cursor is such a query, but may not be fetched from for hours.
 * Meanwhile its session waits for its client, which the server shows in the
 * session's PGPROC, so we do not count it; the same holds for a session that
 * waits for a lock. Sessions that wait for the device do count, because that
 * is over in a moment, whereas the query being planned will run for longer.
 *
 * The cost model decides what the sum means.
 */
#include "postgres.h"

#include "lib/ilist.h"
#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/wait_event.h"

#include "base/without.h"
#include "device/processor_load.h"

#define WAIT_CLASS_MASK 0xFF000000U

typedef struct SharedProcesses
{
	int			nplaces;
	pg_atomic_uint32 nbusy;		/* number of places that are not 0 */
	pg_atomic_uint32 places[FLEXIBLE_ARRAY_MEMBER]; /* processes, by PGPROC */
} SharedProcesses;

/* What one query has announced. */
typedef struct Announced
{
	dlist_node	node;
	uint32		processes;
	MemoryContextCallback callback;
} Announced;

static SharedProcesses *shared = NULL;
static dlist_head announced_here = DLIST_STATIC_INIT(announced_here);

static Size
shared_size(void)
{
	return add_size(offsetof(SharedProcesses, places),
					mul_size(MaxBackends, sizeof(pg_atomic_uint32)));
}

void
ssdpar_processor_load_request_shmem(void)
{
	RequestAddinShmemSpace(shared_size());
}

void
ssdpar_processor_load_attach_shmem(void)
{
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared = ShmemInitStruct("ssdpar processor load", shared_size(), &found);
	if (!found)
	{
		shared->nplaces = MaxBackends;
		pg_atomic_init_u32(&shared->nbusy, 0);
		for (int i = 0; i < shared->nplaces; i++)
			pg_atomic_init_u32(&shared->places[i], 0);
	}
	LWLockRelease(AddinShmemInitLock);
}

/*
 * Index by PGPROC, as in device_load.c, so no lock is needed; -1 if there is
 * no session.
 */
static int
own_place(void)
{
	int			number;

	if (shared == NULL || MyProc == NULL)
		return -1;
	number = MyProc - ProcGlobal->allProcs;
	return number < shared->nplaces ? number : -1;
}

static void
tell_largest(void)
{
	pg_atomic_uint32 *place = &shared->places[own_place()];
	uint32		before = pg_atomic_read_u32(place);
	uint32		most = 0;
	dlist_iter	iter;

	dlist_foreach(iter, &announced_here)
		most = Max(most, dlist_container(Announced, node,
										 iter.cur)->processes);
	pg_atomic_write_u32(place, most);
	if ((before > 0) != (most > 0))
		pg_atomic_fetch_add_u32(&shared->nbusy, most > 0 ? 1 : -1);
}

/* Called when the query's memory is released. */
static void
withdraw(void *arg)
{
	Announced  *announced = arg;

	dlist_delete(&announced->node);

	/* at the end of a failing session, the PGPROC may already be gone */
	if (own_place() >= 0)
		tell_largest();
}

void
ssdpar_processor_load_announce(int processes, MemoryContext query)
{
	Announced  *announced;

	if (processes < 1 || own_place() < 0)
		return;
	announced = MemoryContextAllocZero(query, sizeof(Announced));
	announced->processes = processes;
	dlist_push_head(&announced_here, &announced->node);
	tell_largest();

	/* an error releases the query's memory as well */
	announced->callback.func = withdraw;
	announced->callback.arg = announced;
	MemoryContextRegisterResetCallback(query, &announced->callback);
}

/* A place whose process has ended does not count. */
static bool
is_at_work(const PGPROC *proc)
{
	uint32		event = *(const volatile uint32 *) &proc->wait_event_info;
	uint32		class = event & WAIT_CLASS_MASK;

	return proc->pid != 0 && class != PG_WAIT_CLIENT && class != PG_WAIT_LOCK;
}

SsdparProcessorLoad
ssdpar_processor_load_others(void)
{
	SsdparProcessorLoad others = {0.0, 0.0};
	int			own = own_place();

	/* usually all of the thousands of places are 0 */
	if (shared == NULL || pg_atomic_read_u32(&shared->nbusy) == 0 ||
		ssdpar_without(SSDPAR_LOAD_OF_OTHERS))
		return others;
	for (int i = 0; i < shared->nplaces; i++)
	{
		uint32		processes = pg_atomic_read_u32(&shared->places[i]);

		if (processes == 0 || i == own || !is_at_work(GetPGProcByNumber(i)))
			continue;
		others.sessions += 1.0;
		others.processes += processes;
	}
	return others;
}
