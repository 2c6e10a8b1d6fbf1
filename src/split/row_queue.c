/*
 * row_queue.c
 *		Distributes the rows of a table, one at a time, to the processes of a
 *		parallel query.
 *
 * Core's parallel scans distribute blocks.  That is right for a fact table.  A
 * dimension, however, may have only a few blocks, and the rows that a query
 * needs may all be in one of them (the seven days of a week), so that one
 * process would get all the work.  Therefore a process that finds the queue
 * empty claims a few blocks, scans them, and publishes the rows found; each
 * free process draws the next row.
 *
 * No process can wait forever: it waits only while another one is between
 * claiming blocks and finishing them, and that process only scans in between.
 */
#include "postgres.h"

#include "base/compat.h"
#include "split/row_queue.h"

/*
 * Number of chunks that a process claims in total if all get the same share.
 * Chunks are small, because at the end of the table the other processes wait
 * for the last one.  They are at most 128 kB, whose rows fit into the ring for
 * most tables.
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
 * Restarts the queue, which no process may be using.  Until then published and
 * drawn only grow; they have 64 bits, so they do not wrap around.
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
		 * There is nothing left to claim, but a process that is still
		 * scanning may publish rows.  The end is known only when there is no
		 * such process.
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
 * If rows do not fit into the ring, the process that found them returns them
 * itself instead of waiting.  So a full ring cannot block the process that
 * should empty it.
 */
int
ssdpar_row_queue_finish_scan(SsdparRowQueue *queue,
							 const ItemPointerData *rows, int nrows)
{
	int			taken;
	int			start;
	int			before_wrap;

	/*
	 * the rows of a chunk are at most 28 kB, which is short enough for a
	 * spinlock
	 */
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
