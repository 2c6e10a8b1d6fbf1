/*
 * participants.c
 *		Processes of a parallel star scan while its result is being made.
 *
 * The process that attaches first is the maker: it makes the result in the
 * query's shared memory.  Processes that attach meanwhile share its index
 * reads.  To look up many keys in an index, the maker divides them into
 * ranges.  Each process draws one range after another and reads it into its
 * own bitmap.  After all ranges have been drawn, a process delivers its
 * bitmap's flat form, and the maker adds it to its own.  A large dimension is
 * read in the same way, by ranges of its blocks; collect_keys.c handles what
 * is delivered.
 *
 * Why no process waits forever: the maker waits only while some process has
 * drawn a range and not yet delivered it (nreading > 0).  Such a process waits
 * for nothing; it reads and delivers.  The other processes wait only for
 * ranges or for the end, and the maker announces both.  So a worker that
 * starts late or never, or a leader that does not participate, delays no other
 * process.  An error in any process ends the query and thereby the waiting: a
 * worker's error interrupts its leader, an error in the leader terminates its
 * workers, and ConditionVariableSleep checks for interrupts.
 *
 * Why no row is lost: each range is drawn by one process, which reads it
 * completely before it draws the next.  If a process lacks the memory to
 * deliver, the maker reads all ranges again.  Rows found twice count once in a
 * bitmap.
 *
 * The bitmaps of all processes have the same size, because work_mem applies to
 * each process separately.
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
 * Number of ranges for each process.  More ranges balance the load better,
 * because keys have different numbers of rows and processes differ in speed.
 * However, each range starts at the root of the index with nothing read ahead.
 */
#define RANGES_PER_PROCESS 4

typedef enum Stage
{
	NOT_BEGUN,					/* no process has attached */
	RUNNING,					/* the first one makes the result */
	DONE,						/* the result is complete and final */
} Stage;

/* One process.  Only that process uses it, except while the maker collects.  */
typedef struct Member
{
	bool		read;			/* has read ranges of any index */
	dsa_pointer flat;			/* delivered SsdparFlatTids, or keys */
} Member;

/*
 * Invariants, under the mutex: drawn <= nranges; nreading is the number of
 * processes other than the maker that have drawn and not delivered.
 *
 * task and members[].flat are written without the mutex, at times when no
 * other process accesses them: task while drawn = nranges and nreading = 0; a
 * member's flat by that process while it counts in nreading, and by the maker
 * after nreading has returned to 0.
 */
struct SsdparParticipants
{
	slock_t		mutex;
	ConditionVariable changed;	/* new ranges, a delivery, or the end */
	Stage		stage;
	int			attached;
	bool		reads_child;	/* else the task is an index */
	SsdparChildTask child;
	SsdparSharedIndexTask task;
	uint32		nranges;		/* of the task */
	uint32		drawn;			/* number of ranges drawn so far */
	int			nreading;
	bool		short_of_memory;	/* one process could not deliver */
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
 * The mutex is a barrier for both sides, so a process that sees the stage also
 * sees what the maker wrote before.
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

/* Draws the next range for a process that is already reading.  */
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
 * Sharing reads.
 */

/* nreading is decremented last, because the task may change from then on.  */
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

/* Reads the drawn range, then draws and reads more until none is left.  */
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

/*
 * Drawing the first range and being counted as reading must be one atomic
 * step.
 */
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
			/* reading may sleep on other condition variables */
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

/* Processes that attach while ranges are left draw some too.  */
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

/*
 * After all ranges have been drawn, waits for the other processes to deliver
 * theirs.
 */
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

/* Adds what was delivered; only the maker accesses it now.  */
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
		/* rows found before are found again, so count them once */
		counts->rows = before;
		ssdpar_index_task_read(task, 0, 1, bitmap, counts);
	}
	for (int i = 0; i < all->nmembers; i++)
		readers += all->members[i].read;
	return readers;
}

/*
 * The same for a dimension.
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
