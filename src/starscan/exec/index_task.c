/*
 * index_task.c
 *		Looks up many integer keys in one index, possibly in parts.
 *
 * participants.c decides which process reads which part and merges the
 * bitmaps.  Only integer keys are supported, because they can be copied by one
 * memcpy and contain no pointers.
 */
#include "postgres.h"

#include "access/genam.h"
#include "storage/shmem.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "base/settings.h"
#include "starscan/exec/index_task.h"
#include "starscan/exec/query_memory.h"
#include "tids/tid_flat.h"

bool
ssdpar_index_task_publish(const SsdparIndexTask *task, dsa_area *area,
						  SsdparSharedIndexTask *shared)
{
	Size		keys_size = mul_size(task->nkeys, sizeof(int64));
	int64	   *keys = ssdpar_query_allocate(area, keys_size, &shared->keys);
	void	   *within = NULL;

	shared->index = RelationGetRelid(task->index);
	shared->nkeys = task->nkeys;
	shared->nblocks = task->nblocks;
	shared->bitmap_bytes = task->bitmap_bytes;
	shared->within = InvalidDsaPointer;
	if (keys != NULL)
		memcpy(keys, task->keys, keys_size);
	if (keys != NULL && task->within != NULL)
	{
		within = ssdpar_query_allocate(area,
									   ssdpar_flat_tids_size(task->within),
									   &shared->within);
		if (within != NULL)
			ssdpar_flat_tids_build(task->within, within);
	}
	if (keys != NULL && (within != NULL || task->within == NULL))
		return true;
	ssdpar_index_task_withdraw(shared, area);
	return false;
}

void
ssdpar_index_task_withdraw(SsdparSharedIndexTask *shared, dsa_area *area)
{
	ssdpar_query_free(area, &shared->keys);
	ssdpar_query_free(area, &shared->within);
}

/* The index stays locked until the end of the transaction, as in core.  */
void
ssdpar_index_task_open(const SsdparSharedIndexTask *shared, dsa_area *area,
					   SsdparIndexTask *task)
{
	SsdparTidBitmap *within = NULL;

	if (DsaPointerIsValid(shared->within))
	{
		within = ssdpar_tid_bitmap_create(shared->nblocks,
										  shared->bitmap_bytes, NULL);
		ssdpar_flat_tids_add(dsa_get_address(area, shared->within), within);
	}
	task->index = index_open(shared->index, AccessShareLock);
	task->keys = dsa_get_address(area, shared->keys);
	task->nkeys = shared->nkeys;
	task->nblocks = shared->nblocks;
	task->bitmap_bytes = shared->bitmap_bytes;
	task->within = within;
}

void
ssdpar_index_task_close(SsdparIndexTask *task)
{
	index_close(task->index, NoLock);
}

void
ssdpar_index_task_read(const SsdparIndexTask *task, uint32 part, uint32 parts,
					   SsdparTidBitmap *bitmap, SsdparIndexCounts *counts)
{
	uint64		begin = task->nkeys * part / parts;
	uint64		end = task->nkeys * (part + 1) / parts;

	Assert(part < parts && begin <= end && end <= task->nkeys);
	ssdpar_index_rows_by_integer(task->index, task->keys + begin,
								 end - begin,
								 ssdpar_page_method(task->index),
								 ssdpar_io_concurrency, bitmap, counts);
}
