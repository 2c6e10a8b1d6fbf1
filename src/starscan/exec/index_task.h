/*
 * index_task.h
 *		Looks up many integer keys in one index, in parts that several
 *		processes can read.
 */
#ifndef SSDPAR_INDEX_TASK_H
#define SSDPAR_INDEX_TASK_H

#include "utils/dsa.h"
#include "utils/relcache.h"

#include "btree/btree_lookup.h"

typedef struct SsdparIndexTask
{
	Relation	index;
	const int64 *keys;			/* ascending and distinct */
	uint64		nkeys;
	BlockNumber nblocks;		/* size of the fact, and of the bitmap */
	Size		bitmap_bytes;	/* memory limit of each process's bitmap */
	const SsdparTidBitmap *within;	/* superset of the bitmap, or NULL */
} SsdparIndexTask;

/* The same without pointers, for shared memory.  */
typedef struct SsdparSharedIndexTask
{
	Oid			index;
	dsa_pointer keys;
	uint64		nkeys;
	BlockNumber nblocks;
	Size		bitmap_bytes;
	dsa_pointer within;			/* SsdparFlatTids, if any */
} SsdparSharedIndexTask;

/*
 * Copies the task into the area.  If there is no memory, returns false and
 * leaves nothing there.
 */
extern bool ssdpar_index_task_publish(const SsdparIndexTask *task,
									  dsa_area *area,
									  SsdparSharedIndexTask *shared);
extern void ssdpar_index_task_withdraw(SsdparSharedIndexTask *shared,
									   dsa_area *area);

/* Opens the task that another process has published.  */
extern void ssdpar_index_task_open(const SsdparSharedIndexTask *shared,
								   dsa_area *area, SsdparIndexTask *task);
extern void ssdpar_index_task_close(SsdparIndexTask *task);

/* Reads part number part (from 0) of parts, adding to bitmap and counts.  */
extern void ssdpar_index_task_read(const SsdparIndexTask *task, uint32 part,
								   uint32 parts, SsdparTidBitmap *bitmap,
								   SsdparIndexCounts *counts);

#endif							/* SSDPAR_INDEX_TASK_H */
