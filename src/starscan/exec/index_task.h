/*
 * index_task.h
 *		One index to be asked for the rows of many integer keys, in parts that
 *		several processes can read.
 */
#ifndef SSDPAR_INDEX_TASK_H
#define SSDPAR_INDEX_TASK_H

#include "utils/dsa.h"
#include "utils/relcache.h"

#include "btree/btree_lookup.h"

typedef struct SsdparIndexTask
{
	Relation	index;
	const int64 *keys;			/* ascending, distinct */
	uint64		nkeys;
	BlockNumber nblocks;		/* of the fact, and of the bitmap */
	Size		bitmap_bytes;	/* that each process's bitmap may take */
	const SsdparTidBitmap *within;	/* what the bitmap is within, or NULL */
} SsdparIndexTask;

/* The same without pointers, for shared memory. */
typedef struct SsdparSharedIndexTask
{
	Oid			index;
	dsa_pointer keys;
	uint64		nkeys;
	BlockNumber nblocks;
	Size		bitmap_bytes;
	dsa_pointer within;			/* SsdparFlatTids, if any */
} SsdparSharedIndexTask;

/* Copy the task into the area; false, and nothing there, without memory. */
extern bool ssdpar_index_task_publish(const SsdparIndexTask *task,
									  dsa_area *area,
									  SsdparSharedIndexTask *shared);
extern void ssdpar_index_task_withdraw(SsdparSharedIndexTask *shared,
									   dsa_area *area);

/* The task as the process that published it sees it. */
extern void ssdpar_index_task_open(const SsdparSharedIndexTask *shared,
								   dsa_area *area, SsdparIndexTask *task);
extern void ssdpar_index_task_close(SsdparIndexTask *task);

/* Read part number part (from 0) of this many, adding to bitmap and counts. */
extern void ssdpar_index_task_read(const SsdparIndexTask *task, uint32 part,
								   uint32 parts, SsdparTidBitmap *bitmap,
								   SsdparIndexCounts *counts);

#endif							/* SSDPAR_INDEX_TASK_H */
