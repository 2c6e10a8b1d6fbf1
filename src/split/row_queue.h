/*
 * row_queue.h
 *		Hands out the rows of a table to the processes of a parallel query.
 *
 * Rows are named by TID.  The queue knows nothing of tuples: its user scans
 * the blocks it is told to scan and says which rows it found there.
 */
#ifndef SSDPAR_ROW_QUEUE_H
#define SSDPAR_ROW_QUEUE_H

#include "storage/block.h"
#include "storage/condition_variable.h"
#include "storage/itemptr.h"
#include "storage/spin.h"

#define SSDPAR_ROW_QUEUE_CAPACITY 4096

/*
 * Shared by all processes.  Invariants, whenever the mutex is free:
 *		drawn <= published <= drawn + SSDPAR_ROW_QUEUE_CAPACITY
 *		next_block <= nblocks
 *		scanning = processes between claiming blocks and finishing them
 */
typedef struct SsdparRowQueue
{
	slock_t		mutex;
	ConditionVariable changed;	/* rows published, or scanning went down */
	BlockNumber nblocks;		/* size of the table when the query began */
	BlockNumber next_block;		/* first block that is not claimed */
	BlockNumber chunk;			/* blocks claimed at a time */
	int			scanning;
	uint64		published;		/* rows ever put into the ring */
	uint64		drawn;			/* rows ever taken out of it */
	ItemPointerData ring[SSDPAR_ROW_QUEUE_CAPACITY];
} SsdparRowQueue;

typedef enum SsdparRowQueueTurn
{
	SSDPAR_TURN_ROW,			/* *row is yours to emit */
	SSDPAR_TURN_SCAN,			/* scan *first .. *last, then say finish_scan */
	SSDPAR_TURN_END,			/* every row has been handed out */
} SsdparRowQueueTurn;

extern void ssdpar_row_queue_init(SsdparRowQueue *queue, BlockNumber nblocks,
								  int processes);
extern void ssdpar_row_queue_reset(SsdparRowQueue *queue);

/* What the calling process shall do next; waits only for scanning processes. */
extern SsdparRowQueueTurn ssdpar_row_queue_next(SsdparRowQueue *queue,
												ItemPointer row,
												BlockNumber *first,
												BlockNumber *last);

/*
 * The claimed blocks are scanned and held nrows rows.  Takes as many as it has
 * room for and returns how many; the rest the caller must emit itself.
 */
extern int	ssdpar_row_queue_finish_scan(SsdparRowQueue *queue,
										 const ItemPointerData *rows,
										 int nrows);

#endif							/* SSDPAR_ROW_QUEUE_H */
