/*
 * page_rows.c
 *		Returns the rows of one page of the fact that pass the page filters.
 *
 * Tuples are formed only for these rows.  Their visibility has been determined
 * before.  Visible rows do not move while the page is pinned, so no lock is
 * needed.
 */
#include "postgres.h"

#include "storage/bufmgr.h"

#include "base/compat.h"
#include "starscan/exec/page_rows.h"

void
ssdpar_page_rows_init(SsdparPageRows *page, Relation rel)
{
	memset(page, 0, offsetof(SsdparPageRows, passing));
	page->buffer = InvalidBuffer;
	page->tuple.t_tableOid = RelationGetRelid(rel);
}

void
ssdpar_page_rows_begin(SsdparPageRows *page, SsdparPageFilters *filters,
					   Buffer buffer, BlockNumber block,
					   const OffsetNumber *rows, int nrows)
{
	Assert(BufferGetBlockNumber(buffer) == block);
	page->buffer = buffer;
	page->block = block;
	page->rows = rows;
	page->nrows = nrows;
	page->seen = 0;
	page->next = 0;
	page->npassing = ssdpar_page_filters_pass(filters, BufferGetPage(buffer),
											  rows, nrows, page->passing);
	Assert(page->npassing <= nrows);
}

/* BufferGetBlockNumber asserts that the page is still pinned.  */
bool
ssdpar_page_rows_next(SsdparPageRows *page, TupleTableSlot *slot,
					  int *passed_by)
{
	OffsetNumber offset;
	Page		contents;
	ItemId		item;
	int			row;

	Assert(BufferGetBlockNumber(page->buffer) == page->block);
	if (page->next == page->npassing)
	{
		*passed_by = page->nrows - page->seen;
		page->seen = page->nrows;
		return false;
	}
	row = page->passing[page->next++];
	*passed_by = row + 1 - page->seen;
	page->seen = row + 1;
	offset = page->rows[row];
	contents = BufferGetPage(page->buffer);
	item = PageGetItemId(contents, offset);
	page->tuple.t_data = (HeapTupleHeader) PageGetItem(contents, item);
	page->tuple.t_len = ItemIdGetLength(item);
	ItemPointerSet(&page->tuple.t_self, page->block, offset);
	ExecStoreBufferHeapTuple(&page->tuple, slot, page->buffer);
	return true;
}
