/*
 * row_queue.h
 *		Distributes the rows of a table to the processes of a parallel query.
 *
 * Rows are identified by TID.  The queue knows nothing about tuples: its user
 * scans the blocks that it is told to scan and reports the rows found there.
 */
#ifndef SSDPAR_ROW_QUEUE_H
#define SSDPAR_ROW_QUEUE_H

#include "storage/block.h"
#include "storage/condition_variable.h"
#include "storage/itemptr.h"
#include "storage/spin.h"

#define SSDPAR_ROW_QUEUE_CAPACITY 4096

/*
 * Shared by all processes.  Invariants, whenever the mutex is not held:
 *		drawn <= published <= drawn + SSDPAR_ROW_QUEUE_CAPACITY
 *		next_block <= nblocks
 *		scanning = processes between claiming blocks and finishing them
 */
typedef struct SsdparRowQueue
{
	slock_t		mutex;
	ConditionVariable changed;	/* rows published, or scanning decremented */
	BlockNumber nblocks;		/* size of the table when the query began */
	BlockNumber next_block;		/* first block not yet claimed */
	BlockNumber chunk;			/* blocks claimed at a time */
	int			scanning;
	uint64		published;		/* rows ever added to the ring */
	uint64		drawn;			/* rows ever taken out of it */
	ItemPointerData ring[SSDPAR_ROW_QUEUE_CAPACITY];
} SsdparRowQueue;

typedef enum SsdparRowQueueTurn
{
	SSDPAR_TURN_ROW,			/* return *row */
	SSDPAR_TURN_SCAN,			/* scan *first .. *last, then finish_scan */
	SSDPAR_TURN_END,			/* all rows have been distributed */
} SsdparRowQueueTurn;

extern void ssdpar_row_queue_init(SsdparRowQueue *queue, BlockNumber nblocks,
								  int processes);
extern void ssdpar_row_queue_reset(SsdparRowQueue *queue);

/*
 * Tells the calling process what to do next; waits only for scanning
 * processes.
 */
extern SsdparRowQueueTurn ssdpar_row_queue_next(SsdparRowQueue *queue,
												ItemPointer row,
												BlockNumber *first,
												BlockNumber *last);

/*
 * Reports that the claimed blocks have been scanned and had nrows rows.  Takes
 * as many as fit and returns their number; the caller must return the others
 * itself.
 */
extern int	ssdpar_row_queue_finish_scan(SsdparRowQueue *queue,
										 const ItemPointerData *rows,
										 int nrows);

#endif							/* SSDPAR_ROW_QUEUE_H */
