/*
 * heap_pages.c
 *		Pages of a table in an order of the caller's, read at the device's
 *		depth, and the rows on them that a snapshot sees.
 *
 * As in a star scan by bitmap (starscan/exec/bitmap_scan.c), visibility is
 * settled under the page's share lock, and then a pin is enough: rows found
 * visible stay where they are.  Nothing is pruned: planning writes nothing but
 * the hint bits that any reader sets.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/datum.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "prefetch/page_list.h"
#include "sample/heap_pages.h"

/* Invariant: taken pages were read, the last of them is in buffer. */
struct SsdparSamplePages
{
	SsdparSampler *sampler;
	SsdparSampleTable *table;
	const BlockNumber *blocks;
	int			nblocks;
	int			taken;
	SsdparPageList *list;
	BufferAccessStrategy ring;
	Buffer		buffer;
	HeapTupleData tuple;		/* the slot points to it */
};

SsdparSamplePages *
ssdpar_sample_pages_open(SsdparSampler *sampler, SsdparSampleTable *table,
						 const BlockNumber *blocks, int nblocks, bool ring)
{
	SsdparSamplePages *pages = palloc0_object(SsdparSamplePages);

	Assert(table->heap->rd_tableam == GetHeapamTableAmRoutine());
	Assert(IsMVCCSnapshot(sampler->snapshot) && !IsolationIsSerializable());
	Assert(CheckRelationLockedByMe(table->heap, AccessShareLock, true));
	pages->sampler = sampler;
	pages->table = table;
	pages->blocks = blocks;
	pages->nblocks = nblocks;
	pages->buffer = InvalidBuffer;
	pages->tuple.t_tableOid = RelationGetRelid(table->heap);
	if (ring && !RelationUsesLocalBuffers(table->heap))
		pages->ring = GetAccessStrategy(BAS_BULKREAD);
	pages->list = ssdpar_page_list_open(table->heap, MAIN_FORKNUM,
										ssdpar_page_method(table->heap), 0);
	ssdpar_page_list_add(pages->list, blocks, nblocks);
	return pages;
}

static void
release_page(SsdparSamplePages *pages)
{
	ExecClearTuple(pages->table->slot);
	if (BufferIsValid(pages->buffer))
		ReleaseBuffer(pages->buffer);
	pages->buffer = InvalidBuffer;
}

bool
ssdpar_sample_pages_next(SsdparSamplePages *pages)
{
	CHECK_FOR_INTERRUPTS();
	release_page(pages);
	if (pages->taken == pages->nblocks)
		return false;
	pages->buffer = ReadBufferExtended(pages->table->heap, MAIN_FORKNUM,
									   pages->blocks[pages->taken++],
									   RBM_NORMAL, pages->ring);
	ssdpar_page_list_advance(pages->list, pages->taken);
	pages->sampler->pages++;
	return true;
}

/* One row pointer, as core's scan looks at it. */
static bool
is_visible(SsdparSamplePages *pages, Page page, OffsetNumber offset)
{
	ItemId		item = PageGetItemId(page, offset);
	HeapTupleData tuple;

	if (!ItemIdIsNormal(item))
		return false;
	tuple.t_data = (HeapTupleHeader) PageGetItem(page, item);
	tuple.t_len = ItemIdGetLength(item);
	tuple.t_tableOid = RelationGetRelid(pages->table->heap);
	ItemPointerSet(&tuple.t_self, BufferGetBlockNumber(pages->buffer), offset);
	return HeapTupleSatisfiesVisibility(&tuple, pages->sampler->snapshot,
										pages->buffer);
}

/* On a standby an all-visible page may be ahead of the snapshot. */
int
ssdpar_sample_pages_rows(SsdparSamplePages *pages, OffsetNumber *rows)
{
	Page		page = BufferGetPage(pages->buffer);
	int			nrows = 0;
	OffsetNumber last;
	bool		sure;

	LockBuffer(pages->buffer, BUFFER_LOCK_SHARE);
	ssdpar_check_old_snapshot(pages->sampler->snapshot, pages->table->heap,
							  page);
	last = PageGetMaxOffsetNumber(page);
	sure = PageIsAllVisible(page) &&
		!pages->sampler->snapshot->takenDuringRecovery;
	for (OffsetNumber offset = FirstOffsetNumber; offset <= last; offset++)
	{
		if (sure ? ItemIdIsNormal(PageGetItemId(page, offset)) :
			is_visible(pages, page, offset))
			rows[nrows++] = offset;
	}
	LockBuffer(pages->buffer, BUFFER_LOCK_UNLOCK);
	return nrows;
}

bool
ssdpar_sample_pages_find(SsdparSamplePages *pages, OffsetNumber *offset)
{
	ItemPointerData tid;
	HeapTupleData tuple;
	bool		found;

	ItemPointerSet(&tid, BufferGetBlockNumber(pages->buffer), *offset);
	LockBuffer(pages->buffer, BUFFER_LOCK_SHARE);
	ssdpar_check_old_snapshot(pages->sampler->snapshot, pages->table->heap,
							  BufferGetPage(pages->buffer));
	found = heap_hot_search_buffer(&tid, pages->table->heap, pages->buffer,
								   pages->sampler->snapshot, &tuple, NULL,
								   true);
	LockBuffer(pages->buffer, BUFFER_LOCK_UNLOCK);
	*offset = ItemPointerGetOffsetNumber(&tid);
	return found;
}

void
ssdpar_sample_pages_store(SsdparSamplePages *pages, OffsetNumber offset)
{
	Page		page = BufferGetPage(pages->buffer);
	ItemId		item = PageGetItemId(page, offset);

	pages->tuple.t_data = (HeapTupleHeader) PageGetItem(page, item);
	pages->tuple.t_len = ItemIdGetLength(item);
	ItemPointerSet(&pages->tuple.t_self, BufferGetBlockNumber(pages->buffer),
				   offset);
	ExecStoreBufferHeapTuple(&pages->tuple, pages->table->slot,
							 pages->buffer);
}

/* One row's values may be longer than a table's pages. */
bool
ssdpar_sample_pages_row_is_late(SsdparSamplePages *pages)
{
	const SsdparSampleTable *table = pages->table;

	if (table->filter == NULL || TTS_EMPTY(table->slot) ||
		!HeapTupleHasExternal(&pages->tuple))
		return false;
	CHECK_FOR_INTERRUPTS();
	return ssdpar_sample_is_late(&pages->sampler->budget);
}

void
ssdpar_sample_pages_close(SsdparSamplePages *pages)
{
	release_page(pages);
	ssdpar_page_list_close(pages->list);
	if (pages->ring != NULL)
		FreeAccessStrategy(pages->ring);
	pfree(pages);
}

bool
ssdpar_sample_is_out_of_line(Form_pg_attribute attribute, Datum value)
{
	return attribute->attlen == -1 &&
		VARATT_IS_EXTERNAL(DatumGetPointer(value));
}

/* Bytes that a value needs beside its Datum. */
static Size
value_size(Form_pg_attribute attribute, Datum value, bool is_null)
{
	if (is_null || attribute->attbyval)
		return 0;
	return MAXALIGN(datumGetSize(value, false, attribute->attlen));
}

/*
 * Values are copied as they are: compressed or out of line if they are so.  Of
 * which columns the latter is true is noted, and no join compares these
 * (join_clauses.c).
 */
SsdparSampleRow *
ssdpar_sample_keep_row(SsdparSampler *sampler, SsdparSampleTable *table)
{
	TupleTableSlot *slot = table->slot;
	TupleDesc	row = slot->tts_tupleDescriptor;
	int			count = table->ncolumns;
	Size		head = MAXALIGN(sizeof(SsdparSampleRow) +
								count * (sizeof(Datum) + sizeof(bool)));
	Size		size = head;
	SsdparSampleRow *kept;
	char	   *room;

	if (count > 0)
		slot_getsomeattrs(slot, table->columns[count - 1]);
	for (int i = 0; i < count; i++)
	{
		int			column = table->columns[i] - 1;

		size += value_size(TupleDescAttr(row, column),
						   slot->tts_values[column], slot->tts_isnull[column]);
	}
	kept = MemoryContextAlloc(sampler->context, size);
	kept->values = (Datum *) (kept + 1);
	kept->nulls = (bool *) (kept->values + count);
	kept->block = ItemPointerGetBlockNumber(&slot->tts_tid);
	room = (char *) kept + head;
	for (int i = 0; i < count; i++)
	{
		int			column = table->columns[i] - 1;
		Form_pg_attribute attribute = TupleDescAttr(row, column);
		Datum		value = slot->tts_values[column];

		kept->nulls[i] = slot->tts_isnull[column];
		kept->values[i] = value;
		if (kept->nulls[i] || attribute->attbyval)
			continue;
		if (ssdpar_sample_is_out_of_line(attribute, value))
			table->out_of_line = bms_add_member(table->out_of_line, i);
		size = datumGetSize(value, false, attribute->attlen);
		memcpy(room, DatumGetPointer(value), size);
		kept->values[i] = PointerGetDatum(room);
		room += MAXALIGN(size);
	}
	return kept;
}
