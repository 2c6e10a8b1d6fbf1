/*
 * star_team.c
 *		The processes of a parallel star scan while its result is being made.
 *
 * The process that comes first makes the result, in the query's shared memory.
 * Those that come meanwhile are at its disposal: when an index is to be asked
 * for many keys, these are cut into ranges, and whoever is there draws one
 * after another and reads it into a set of its own.  When all are drawn, a
 * helper delivers an image of its set, which the maker adds to the maker's.
 * The dimensions are read by the maker alone.
 *
 * Nobody is waited for but a process that has drawn a range and not delivered
 * yet, and in between it does nothing else.  So a worker that starts late, or
 * never, is not missed, nor is a leader that takes no part.  If somebody fails,
 * that error ends the query, and the waiting with it: a worker's error
 * interrupts its leader, a leader's end its workers.
 *
 * Each process has a set of the same size: work_mem is every process's own.
 */
#include "postgres.h"

#include "access/genam.h"
#include "miscadmin.h"
#include "storage/condition_variable.h"
#include "storage/spin.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "compat.h"
#include "settings.h"
#include "starscan/star_team.h"

/*
 * Ranges for each process: keys do not have equally many rows, and others may
 * be slower; but each range begins at the root and with nothing read ahead.
 */
#define RANGES_PER_PROCESS 4

typedef enum Stage
{
	NOT_BEGUN,
	RUNNING,
	DONE,
} Stage;

/* A task as others can read it; does not change while there are ranges. */
typedef struct SharedTask
{
	Oid			index;
	dsa_pointer keys;
	uint64		nkeys;
	BlockNumber nblocks;
	Size		set_bytes;
	dsa_pointer within;			/* SsdparTidImage, if any */
} SharedTask;

typedef struct Member
{
	bool		helped;			/* with any task */
	dsa_pointer image;			/* SsdparTidImage that it delivered */
} Member;

struct SsdparStarTeam
{
	slock_t		mutex;			/* for all that changes */
	ConditionVariable news;		/* a task, a delivery, or the end */
	Stage		stage;
	int			present;		/* processes that have come */
	SharedTask	task;
	uint32		nranges;		/* of the task ... */
	uint32		drawn;			/* ... and so many of them drawn */
	int			helping;		/* have drawn and not delivered */
	bool		short_of_memory;	/* a helper could not deliver */
	SsdparIndexCounts counts;	/* of the helpers */
	int			nmembers;
	Member		members[FLEXIBLE_ARRAY_MEMBER];
};

Size
ssdpar_star_team_size(int nprocesses)
{
	return add_size(offsetof(SsdparStarTeam, members),
					mul_size(nprocesses, sizeof(Member)));
}

void
ssdpar_star_team_init(SsdparStarTeam *team, int nprocesses)
{
	memset(team, 0, ssdpar_star_team_size(nprocesses));
	SpinLockInit(&team->mutex);
	ConditionVariableInit(&team->news);
	team->nmembers = nprocesses;
}

int
ssdpar_star_team_present(SsdparStarTeam *team)
{
	int			present;

	SpinLockAcquire(&team->mutex);
	present = team->present;
	SpinLockRelease(&team->mutex);
	return present;
}

static void
wait_for_news(SsdparStarTeam *team)
{
	static uint32 wait_event = 0;

	ConditionVariableSleep(&team->news,
						   ssdpar_wait_event(&wait_event, "SsdparStarKeys"));
}

/*
 * Ranges.
 */

/* The next range of the task, for who takes part in it. */
static bool
draw_range(SsdparStarTeam *team, uint32 *range)
{
	bool		drawn;

	SpinLockAcquire(&team->mutex);
	drawn = team->drawn < team->nranges;
	if (drawn)
		*range = team->drawn++;
	SpinLockRelease(&team->mutex);
	return drawn;
}

/* Read one range of the task's keys. */
static void
read_range(SsdparStarTeam *team, const SsdparStarTask *task, uint32 range,
		   SsdparTidSet *set, SsdparIndexCounts *counts)
{
	uint64		begin = task->nkeys * range / team->nranges;
	uint64		end = task->nkeys * (range + 1) / team->nranges;

	ssdpar_index_rows_by_integer(task->index, task->keys + begin,
								 end - begin,
								 ssdpar_page_method(task->index),
								 ssdpar_io_concurrency, set, counts);
}

/*
 * Helping.
 */

static dsa_area *
query_memory(SsdparStarState *state)
{
	return state->css.ss.ps.state->es_query_dsa;
}

/* The task as the one who set it sees it. */
static void
take_task(SsdparStarState *state, SsdparStarTask *task)
{
	const SharedTask *shared = &ssdpar_star_shared_team(state->shared)->task;
	SsdparTidSet *within = NULL;

	if (DsaPointerIsValid(shared->within))
	{
		within = ssdpar_tid_set_create(shared->nblocks, shared->set_bytes,
									   NULL);
		ssdpar_tid_set_add_image(within, dsa_get_address(query_memory(state),
														 shared->within));
	}
	task->index = index_open(shared->index, AccessShareLock);
	task->keys = dsa_get_address(query_memory(state), shared->keys);
	task->nkeys = shared->nkeys;
	task->nblocks = shared->nblocks;
	task->set_bytes = shared->set_bytes;
	task->within = within;
}

/* Last of all let go: from then on the task may be another one. */
static void
deliver(SsdparStarState *state, const SsdparTidSet *set,
		const SsdparIndexCounts *counts)
{
	SsdparStarTeam *team = ssdpar_star_shared_team(state->shared);
	dsa_pointer image;
	void	   *memory = ssdpar_star_allocate(state,
											  ssdpar_tid_image_size(set),
											  &image);

	if (memory != NULL)
		ssdpar_tid_image_build(set, memory);
	SpinLockAcquire(&team->mutex);
	team->members[state->process].image = image;
	team->short_of_memory |= memory == NULL;
	team->counts.leaves += counts->leaves;
	team->counts.hits += counts->hits;
	team->counts.rows += counts->rows;
	team->helping--;
	SpinLockRelease(&team->mutex);
	ConditionVariableBroadcast(&team->news);
}

/* From the range that was drawn on. */
static void
help(SsdparStarState *state, uint32 range)
{
	SsdparStarTeam *team = ssdpar_star_shared_team(state->shared);
	MemoryContext context = AllocSetContextCreate(state->result_context,
												  "SsdparStarScan helping",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SsdparIndexCounts counts = {0};
	SsdparStarTask task;
	SsdparTidSet *set;

	take_task(state, &task);
	set = ssdpar_tid_set_create(task.nblocks, task.set_bytes, task.within);
	do
		read_range(team, &task, range, set, &counts);
	while (draw_range(team, &range));
	index_close(task.index, NoLock);
	deliver(state, set, &counts);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}

/* Is the result there?  If not, is there something to do? */
static Stage
look_around(SsdparStarTeam *team, int process, bool *drawn, uint32 *range)
{
	Stage		stage;

	SpinLockAcquire(&team->mutex);
	stage = team->stage;
	*drawn = team->drawn < team->nranges;
	if (*drawn)
	{
		*range = team->drawn++;
		team->helping++;
		team->members[process].helped = true;
	}
	SpinLockRelease(&team->mutex);
	return stage;
}

static void
help_until_done(SsdparStarState *state)
{
	SsdparStarTeam *team = ssdpar_star_shared_team(state->shared);
	bool		drawn;
	uint32		range;

	while (look_around(team, state->process, &drawn, &range) != DONE)
	{
		if (drawn)
		{
			/* reading may sleep on other things */
			ConditionVariableCancelSleep();
			help(state, range);
		}
		else
			wait_for_news(team);
	}
	ConditionVariableCancelSleep();
}

/*
 * Making the result.
 */

/* Copies for the others; false if there is no memory for them. */
static bool
share_task(SsdparStarState *state, const SsdparStarTask *task)
{
	SharedTask *shared = &ssdpar_star_shared_team(state->shared)->task;
	int64	   *keys;
	void	   *within = NULL;

	shared->index = RelationGetRelid(task->index);
	shared->nkeys = task->nkeys;
	shared->nblocks = task->nblocks;
	shared->set_bytes = task->set_bytes;
	shared->within = InvalidDsaPointer;
	keys = ssdpar_star_allocate(state, mul_size(task->nkeys, sizeof(int64)),
								&shared->keys);
	if (keys == NULL)
		return false;
	memcpy(keys, task->keys, task->nkeys * sizeof(int64));
	if (task->within == NULL)
		return true;
	within = ssdpar_star_allocate(state, ssdpar_tid_image_size(task->within),
								  &shared->within);
	if (within != NULL)
		ssdpar_tid_image_build(task->within, within);
	return within != NULL;
}

static void
forget_task(SsdparStarState *state)
{
	SharedTask *shared = &ssdpar_star_shared_team(state->shared)->task;

	if (DsaPointerIsValid(shared->keys))
		dsa_free(query_memory(state), shared->keys);
	if (DsaPointerIsValid(shared->within))
		dsa_free(query_memory(state), shared->within);
	shared->keys = InvalidDsaPointer;
	shared->within = InvalidDsaPointer;
}

/* Invite everybody to draw, also those who come while there is some left. */
static void
open_task(SsdparStarTeam *team, uint64 nkeys)
{
	SpinLockAcquire(&team->mutex);
	memset(&team->counts, 0, sizeof(SsdparIndexCounts));
	team->short_of_memory = false;
	team->drawn = 0;
	team->nranges = Min(nkeys, (uint64) RANGES_PER_PROCESS * team->nmembers);
	SpinLockRelease(&team->mutex);
	ConditionVariableBroadcast(&team->news);
}

/* All ranges are drawn; when have all of them been read? */
static bool
has_helpers(SsdparStarTeam *team)
{
	bool		helpers;

	SpinLockAcquire(&team->mutex);
	helpers = team->helping > 0;
	SpinLockRelease(&team->mutex);
	return helpers;
}

/* What helpers delivered; nobody but us looks at it now. */
static void
collect(SsdparStarState *state, SsdparTidSet *set, SsdparIndexCounts *counts)
{
	SsdparStarTeam *team = ssdpar_star_shared_team(state->shared);
	dsa_area   *area = query_memory(state);

	for (int i = 0; i < team->nmembers; i++)
	{
		Member	   *member = &team->members[i];

		if (!DsaPointerIsValid(member->image))
			continue;
		ssdpar_tid_set_add_image(set, dsa_get_address(area, member->image));
		dsa_free(area, member->image);
		member->image = InvalidDsaPointer;
	}
	counts->leaves += team->counts.leaves;
	counts->hits += team->counts.hits;
	counts->rows += team->counts.rows;
}

static int
count_builders(const SsdparStarTeam *team)
{
	int			builders = 1;

	for (int i = 0; i < team->nmembers; i++)
		builders += team->members[i].helped;
	return builders;
}

static void
read_alone(const SsdparStarTask *task, SsdparTidSet *set,
		   SsdparIndexCounts *counts)
{
	ssdpar_index_rows_by_integer(task->index, task->keys, task->nkeys,
								 ssdpar_page_method(task->index),
								 ssdpar_io_concurrency, set, counts);
}

/* Rows that are found twice count once in the set. */
int
ssdpar_star_team_read(SsdparStarState *state, const SsdparStarTask *task,
					  SsdparTidSet *set, SsdparIndexCounts *counts)
{
	SsdparStarTeam *team = ssdpar_star_shared_team(state->shared);
	uint32		range;

	if (!share_task(state, task))
	{
		forget_task(state);
		read_alone(task, set, counts);
		return count_builders(team);
	}
	open_task(team, task->nkeys);
	while (draw_range(team, &range))
		read_range(team, task, range, set, counts);
	while (has_helpers(team))
		wait_for_news(team);
	ConditionVariableCancelSleep();
	collect(state, set, counts);
	forget_task(state);
	if (team->short_of_memory)
		read_alone(task, set, counts);
	return count_builders(team);
}

/* Is this the first process to come? */
static bool
come_in(SsdparStarTeam *team)
{
	bool		first;

	SpinLockAcquire(&team->mutex);
	team->present++;
	first = team->stage == NOT_BEGUN;
	if (first)
		team->stage = RUNNING;
	SpinLockRelease(&team->mutex);
	return first;
}

static void
announce_end(SsdparStarTeam *team)
{
	SpinLockAcquire(&team->mutex);
	team->stage = DONE;
	SpinLockRelease(&team->mutex);
	ConditionVariableBroadcast(&team->news);
}

/* What lies in shared memory, at the addresses it has in this process. */
static void
map_result(SsdparStarState *state)
{
	dsa_area   *area = query_memory(state);
	SsdparStarResult *result = state->result;

	for (int i = 0; i < state->plan->nreducers; i++)
		state->sets[i] = DsaPointerIsValid(result->found[i].set) ?
			dsa_get_address(area, result->found[i].set) : NULL;
	state->pages = DsaPointerIsValid(result->pages) ?
		dsa_get_address(area, result->pages) : NULL;
}

void
ssdpar_star_share_result(SsdparStarState *state)
{
	SsdparStarTeam *team = ssdpar_star_shared_team(state->shared);

	state->result = ssdpar_star_shared_result(state->shared);
	if (come_in(team))
	{
		ssdpar_star_build_result(state);
		announce_end(team);
	}
	else
		help_until_done(state);
	map_result(state);
}
