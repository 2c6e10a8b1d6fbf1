/*
 * participants.c
 *		The processes of a parallel star scan while its result is being made.
 *
 * The process that attaches first makes the result, in the query's shared
 * memory.  Those that attach meanwhile share its index reads: when an index is
 * to be asked for many keys, these are cut into ranges, and each process draws
 * one range after another and reads it into a bitmap of its own.  When all are
 * drawn, a process delivers its bitmap's flat form, which the maker adds to
 * the maker's.  A large dimension is read in the same way, by ranges of its
 * blocks: what is delivered is collect_keys.c's then.
 *
 * Why nothing waits for ever.  The maker waits only while some process has
 * drawn a range and not delivered yet (nreading > 0), and such a process waits
 * for nothing: it reads and delivers.  The others wait only for a range or the
 * end, and the maker announces both.  So a worker that starts late, or never,
 * is not missed, nor is a leader that takes no part.  A process that fails
 * ends the query, and the waiting with it: a worker's error interrupts its
 * leader, a leader's end its workers, and ConditionVariableSleep heeds
 * interrupts.
 *
 * Why no row is lost.  Each range is drawn by one process, which reads it to
 * its end before it draws the next; if one could not deliver for want of
 * memory, the maker reads all ranges again.  Rows found twice count once in a
 * bitmap.
 *
 * Each process has a bitmap of the same size: work_mem is every process's own.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/condition_variable.h"
#include "storage/shmem.h"
#include "storage/spin.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "starscan/exec/participants.h"
#include "starscan/exec/query_memory.h"
#include "tids/tid_flat.h"

/*
 * Ranges for each process: keys do not have equally many rows, and others may
 * be slower; but each range begins at the root and with nothing read ahead.
 */
#define RANGES_PER_PROCESS 4

typedef enum Stage
{
	NOT_BEGUN,					/* no process has attached */
	RUNNING,					/* the first one makes the result */
	DONE,						/* it is complete, and will not change */
} Stage;

/* One process; its own but for while the maker collects. */
typedef struct Member
{
	bool		read;			/* ranges of any task */
	dsa_pointer flat;			/* what it delivered: SsdparFlatTids, or keys */
} Member;

/*
 * Invariants, under the mutex: drawn <= nranges; nreading counts the processes
 * but the maker that have drawn and not delivered.  task and members[].flat
 * are written outside of it, at times when no other process looks at them:
 * task while drawn = nranges and nreading = 0, a member's flat by that process
 * while it counts in nreading, by the maker when nreading is 0 again.
 */
struct SsdparParticipants
{
	slock_t		mutex;
	ConditionVariable changed;	/* there are ranges, a delivery, or the end */
	Stage		stage;
	int			attached;
	bool		reads_child;	/* else the task is an index */
	SsdparChildTask child;
	SsdparSharedIndexTask task;
	uint32		nranges;		/* of the task */
	uint32		drawn;			/* of these, from the first on */
	int			nreading;
	bool		short_of_memory;	/* one could not deliver */
	SsdparIndexCounts counts;	/* of all but the maker */
	int			nmembers;
	Member		members[FLEXIBLE_ARRAY_MEMBER];
};

Size
ssdpar_participants_size(int nprocesses)
{
	return add_size(offsetof(SsdparParticipants, members),
					mul_size(nprocesses, sizeof(Member)));
}

void
ssdpar_participants_init(SsdparParticipants *all, int nprocesses)
{
	memset(all, 0, ssdpar_participants_size(nprocesses));
	SpinLockInit(&all->mutex);
	ConditionVariableInit(&all->changed);
	all->nmembers = nprocesses;
}

int
ssdpar_participants_attached(SsdparParticipants *all)
{
	int			attached;

	SpinLockAcquire(&all->mutex);
	attached = all->attached;
	SpinLockRelease(&all->mutex);
	return attached;
}

bool
ssdpar_participant_attach(const SsdparParticipant *self)
{
	SsdparParticipants *all = self->all;
	bool		first;

	Assert(self->process >= 0 && self->process < all->nmembers);
	SpinLockAcquire(&all->mutex);
	all->attached++;
	first = all->stage == NOT_BEGUN;
	if (first)
		all->stage = RUNNING;
	SpinLockRelease(&all->mutex);
	return first;
}

/*
 * What the maker has written before is seen by whoever sees the stage: the
 * mutex is a barrier on both sides.
 */
void
ssdpar_participant_announce_done(const SsdparParticipant *self)
{
	SsdparParticipants *all = self->all;

	SpinLockAcquire(&all->mutex);
	Assert(all->stage == RUNNING && all->nreading == 0);
	all->stage = DONE;
	SpinLockRelease(&all->mutex);
	ConditionVariableBroadcast(&all->changed);
}

static void
wait_for_change(SsdparParticipants *all)
{
	static uint32 wait_event = 0;

	ConditionVariableSleep(&all->changed,
						   ssdpar_wait_event(&wait_event, "SsdparStarKeys"));
}

/* The next range of the task for a process that reads it already. */
static bool
draw_range(SsdparParticipants *all, uint32 *range)
{
	bool		drawn;

	SpinLockAcquire(&all->mutex);
	drawn = all->drawn < all->nranges;
	if (drawn)
		*range = all->drawn++;
	SpinLockRelease(&all->mutex);
	return drawn;
}

/*
 * Sharing the reads.
 */

/* The count goes down last: from then on the task may be another one. */
static void
deliver(const SsdparParticipant *self, dsa_pointer flat,
		const SsdparIndexCounts *counts)
{
	SsdparParticipants *all = self->all;

	SpinLockAcquire(&all->mutex);
	all->members[self->process].flat = flat;
	all->short_of_memory |= !DsaPointerIsValid(flat);
	all->counts.leaves += counts->leaves;
	all->counts.hits += counts->hits;
	all->counts.rows += counts->rows;
	all->nreading--;
	SpinLockRelease(&all->mutex);
	ConditionVariableBroadcast(&all->changed);
}

static dsa_pointer
flatten(const SsdparParticipant *self, const SsdparTidBitmap *bitmap)
{
	dsa_pointer flat;
	void	   *memory = ssdpar_query_allocate(self->area,
											   ssdpar_flat_tids_size(bitmap),
											   &flat);

	if (memory != NULL)
		ssdpar_flat_tids_build(bitmap, memory);
	return flat;
}

/* Read the range that was drawn, and others while there are any. */
static void
read_index(const SsdparParticipant *self, uint32 range)
{
	SsdparParticipants *all = self->all;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "SsdparStarScan index reads",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SsdparIndexCounts counts = {0};
	SsdparIndexTask task;
	SsdparTidBitmap *bitmap;

	ssdpar_index_task_open(&all->task, self->area, &task);
	bitmap = ssdpar_tid_bitmap_create(task.nblocks, task.bitmap_bytes,
									  task.within);
	do
		ssdpar_index_task_read(&task, range, all->nranges, bitmap, &counts);
	while (draw_range(all, &range));
	ssdpar_index_task_close(&task);
	deliver(self, flatten(self, bitmap), &counts);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}

static void
read_child(const SsdparParticipant *self, uint32 range)
{
	SsdparIndexCounts none = {0};
	SsdparChildTask task = self->all->child;

	deliver(self, self->child.read(self->child.arg, self, &task, range),
			&none);
}

/* To draw the first range and to be counted as reading is one step. */
void
ssdpar_participant_share_reads(const SsdparParticipant *self)
{
	SsdparParticipants *all = self->all;

	for (;;)
	{
		Stage		stage;
		bool		drawn;
		uint32		range = 0;

		SpinLockAcquire(&all->mutex);
		stage = all->stage;
		drawn = all->drawn < all->nranges;
		if (drawn)
		{
			range = all->drawn++;
			all->nreading++;
			all->members[self->process].read |= !all->reads_child;
		}
		SpinLockRelease(&all->mutex);
		if (stage == DONE)
			break;
		if (drawn)
		{
			/* reading may sleep on other things */
			ConditionVariableCancelSleep();
			if (all->reads_child)
				read_child(self, range);
			else
				read_index(self, range);
		}
		else
			wait_for_change(all);
	}
	ConditionVariableCancelSleep();
}

/*
 * Making the result.
 */

/* Processes that attach while there are ranges left draw some, too. */
static void
open_ranges(SsdparParticipants *all, uint64 most)
{
	SpinLockAcquire(&all->mutex);
	Assert(all->drawn == all->nranges && all->nreading == 0);
	memset(&all->counts, 0, sizeof(SsdparIndexCounts));
	all->short_of_memory = false;
	all->drawn = 0;
	all->nranges = Min(most, (uint64) RANGES_PER_PROCESS * all->nmembers);
	SpinLockRelease(&all->mutex);
	ConditionVariableBroadcast(&all->changed);
}

/* All ranges are drawn: until those of other processes have been read. */
static void
wait_for_readers(SsdparParticipants *all)
{
	for (;;)
	{
		bool		reading;

		SpinLockAcquire(&all->mutex);
		Assert(all->drawn == all->nranges);
		reading = all->nreading > 0;
		SpinLockRelease(&all->mutex);
		if (!reading)
			break;
		wait_for_change(all);
	}
	ConditionVariableCancelSleep();
}

/* What was delivered; only the maker looks at it now. */
static void
collect(const SsdparParticipant *self, SsdparTidBitmap *bitmap,
		SsdparIndexCounts *counts)
{
	SsdparParticipants *all = self->all;

	for (int i = 0; i < all->nmembers; i++)
	{
		Member	   *member = &all->members[i];

		if (!DsaPointerIsValid(member->flat))
			continue;
		ssdpar_flat_tids_add(dsa_get_address(self->area, member->flat),
							 bitmap);
		ssdpar_query_free(self->area, &member->flat);
	}
	counts->leaves += all->counts.leaves;
	counts->hits += all->counts.hits;
	counts->rows += all->counts.rows;
}

int
ssdpar_participant_read(const SsdparParticipant *self,
						const SsdparIndexTask *task, SsdparTidBitmap *bitmap,
						SsdparIndexCounts *counts)
{
	SsdparParticipants *all = self->all;
	uint64		before = counts->rows;
	bool		read_again = true;
	int			readers = 1;
	uint32		range;

	if (ssdpar_index_task_publish(task, self->area, &all->task))
	{
		all->reads_child = false;
		open_ranges(all, task->nkeys);
		while (draw_range(all, &range))
			ssdpar_index_task_read(task, range, all->nranges, bitmap, counts);
		wait_for_readers(all);
		collect(self, bitmap, counts);
		ssdpar_index_task_withdraw(&all->task, self->area);
		read_again = all->short_of_memory;
	}
	if (read_again)
	{
		/* the rows found before, in part or all of them, are found again */
		counts->rows = before;
		ssdpar_index_task_read(task, 0, 1, bitmap, counts);
	}
	for (int i = 0; i < all->nmembers; i++)
		readers += all->members[i].read;
	return readers;
}

/*
 * The same with a dimension.
 */

void
ssdpar_participant_open_child(const SsdparParticipant *self,
							  const SsdparChildTask *task)
{
	SsdparParticipants *all = self->all;

	all->reads_child = true;
	all->child = *task;
	open_ranges(all, task->nblocks);
}

bool
ssdpar_participant_draw(const SsdparParticipant *self, uint32 *range)
{
	return draw_range(self->all, range);
}

void
ssdpar_participant_blocks(const SsdparParticipant *self,
						  const SsdparChildTask *task, uint32 range,
						  BlockNumber *first, BlockNumber *nblocks)
{
	uint32		nranges = self->all->nranges;

	*first = (uint64) task->nblocks * range / nranges;
	*nblocks = (uint64) task->nblocks * (range + 1) / nranges - *first;
}

void *
ssdpar_participant_delivered(const SsdparParticipant *self, dsa_pointer *flat)
{
	SsdparParticipants *all = self->all;

	wait_for_readers(all);
	for (int i = 0; i < all->nmembers; i++)
	{
		*flat = all->members[i].flat;
		all->members[i].flat = InvalidDsaPointer;
		if (DsaPointerIsValid(*flat))
			return dsa_get_address(self->area, *flat);
	}
	return NULL;
}

bool
ssdpar_participant_have_all(const SsdparParticipant *self)
{
	return !self->all->short_of_memory;
}
