/*
 * row_queue.c
 *		Hands out the rows of a table, one at a time, to the processes of a
 *		parallel query.
 *
 * Core's parallel scans hand out blocks.  That is right for a fact table, but
 * a dimension may be a few blocks in all, and the rows a query wants from it
 * may stand in one of them (the seven days of a week): handed out by block,
 * one process would get all the work.  So here a process that finds the queue
 * empty claims a few blocks, scans them, and publishes the rows it found for
 * all; a process that is free draws the next one.
 *
 * No process can wait for ever: it waits only while another one is between
 * claiming blocks and finishing them, and that one runs nothing but its scan
 * in between.
 */
#include "postgres.h"

#include "base/compat.h"
#include "split/row_queue.h"

/*
 * Chunks a process claims in all when every one gets the same share: small at
 * the end of the table, where the others wait for the last.  At most 128 kB:
 * in most tables the rows of that fit into the ring.
 */
#define CHUNKS_PER_PROCESS 64
#define MAX_CHUNK 16

static uint32 wait_event = 0;

static void
assert_invariants(SsdparRowQueue *queue)
{
	Assert(queue->drawn <= queue->published);
	Assert(queue->published - queue->drawn <= SSDPAR_ROW_QUEUE_CAPACITY);
	Assert(queue->next_block <= queue->nblocks);
	Assert(queue->scanning >= 0);
}

void
ssdpar_row_queue_init(SsdparRowQueue *queue, BlockNumber nblocks,
					  int processes)
{
	BlockNumber share = nblocks / (CHUNKS_PER_PROCESS * Max(processes, 1));

	SpinLockInit(&queue->mutex);
	ConditionVariableInit(&queue->changed);
	queue->nblocks = nblocks;
	queue->chunk = Max(1, Min(share, MAX_CHUNK));
	ssdpar_row_queue_reset(queue);
}

/*
 * Start over; the caller knows that no process uses the queue.  published and
 * drawn only grow until then, so that their difference needs no case for the
 * wrap: in 64 bits there is none.
 */
void
ssdpar_row_queue_reset(SsdparRowQueue *queue)
{
	queue->next_block = 0;
	queue->scanning = 0;
	queue->published = 0;
	queue->drawn = 0;
}

SsdparRowQueueTurn
ssdpar_row_queue_next(SsdparRowQueue *queue, ItemPointer row,
					  BlockNumber *first, BlockNumber *last)
{
	for (;;)
	{
		bool		others_scan;

		SpinLockAcquire(&queue->mutex);
		assert_invariants(queue);
		if (queue->drawn < queue->published)
		{
			*row = queue->ring[queue->drawn++ % SSDPAR_ROW_QUEUE_CAPACITY];
			SpinLockRelease(&queue->mutex);
			ConditionVariableCancelSleep();
			return SSDPAR_TURN_ROW;
		}
		if (queue->next_block < queue->nblocks)
		{
			BlockNumber size = Min(queue->chunk,
								   queue->nblocks - queue->next_block);

			*first = queue->next_block;
			*last = *first + size - 1;
			queue->next_block += size;
			queue->scanning++;
			SpinLockRelease(&queue->mutex);
			ConditionVariableCancelSleep();
			return SSDPAR_TURN_SCAN;
		}

		/*
		 * Nothing is left to claim, but a process that still scans may
		 * publish rows: only when none does is the end known.
		 */
		others_scan = queue->scanning > 0;
		SpinLockRelease(&queue->mutex);

		if (!others_scan)
		{
			ConditionVariableCancelSleep();
			return SSDPAR_TURN_END;
		}
		ConditionVariableSleep(&queue->changed,
							   ssdpar_wait_event(&wait_event,
												 "SsdparRowQueue"));
	}
}

/*
 * What does not fit is not waited for: the process that found it emits it
 * itself, so a full ring cannot stop the one that is to empty it.
 */
int
ssdpar_row_queue_finish_scan(SsdparRowQueue *queue,
							 const ItemPointerData *rows, int nrows)
{
	int			taken;
	int			start;
	int			before_wrap;

	/* the rows of a chunk are 28 kB at most: short enough for a spinlock */
	SpinLockAcquire(&queue->mutex);
	taken = Min((uint64) nrows, SSDPAR_ROW_QUEUE_CAPACITY -
				(queue->published - queue->drawn));
	start = queue->published % SSDPAR_ROW_QUEUE_CAPACITY;
	before_wrap = Min(taken, SSDPAR_ROW_QUEUE_CAPACITY - start);
	memcpy(queue->ring + start, rows, before_wrap * sizeof(*rows));
	memcpy(queue->ring, rows + before_wrap,
		   (taken - before_wrap) * sizeof(*rows));
	queue->published += taken;
	queue->scanning--;
	assert_invariants(queue);
	SpinLockRelease(&queue->mutex);
	ConditionVariableBroadcast(&queue->changed);
	return taken;
}
