/*
 * bitmap_scan.c
 *		A star scan's bitmap access, second half: the rows of the bitmap's
 *		pages.
 *
 * Here a page is pinned, its visible rows are found, and they are handed out
 * one by one.  Which page comes next, and that it has been asked for before,
 * is decided in read_ahead.c.
 *
 * Visibility is settled under the page's share lock, for all of its rows at
 * once, as core's bitmap heap scan does: of an exact page for those the bitmap
 * names and what became of them by HOT updates, of a lossy page for all.
 * Where vacuum has noted that every snapshot sees the whole page, no row is
 * looked at.  After that the lock is let go and only the pin is kept: rows
 * found visible cannot go away under a pin, as pruning and vacuum need a
 * cleanup lock to move or remove them.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/xact.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "starscan/exec/bitmap_scan.h"
#include "starscan/exec/page_rows.h"

/*
 * Invariant: with a page (buffer is valid, and pinned) rows holds the offsets
 * of its nrows <= MaxHeapTuplesPerPage visible rows, and page hands out those
 * of them that pass.
 */
struct SsdparBitmapScan
{
	SsdparReadAhead *ahead;
	Relation	rel;
	Snapshot	snapshot;
	const SsdparTidPages *pages;
	SsdparRowFilters *filters;
	SsdparRowFilters *exact_filters;
	SsdparTurn *turn;

	Buffer		buffer;
	BlockNumber block;
	SsdparRowFilters *page_filters; /* one of the two above */
	SsdparPageRows page;
	int			nrows;
	OffsetNumber rows[MaxHeapTuplesPerPage];
};

SsdparBitmapScan *
ssdpar_bitmap_scan_begin(Relation rel, Snapshot snapshot,
						 const SsdparTidPages *pages,
						 SsdparPageAllocator *allocator,
						 SsdparReadCounters *counters,
						 SsdparRowFilters *filters,
						 SsdparRowFilters *exact_filters, SsdparTurn *turn)
{
	SsdparBitmapScan *scan = palloc0_object(SsdparBitmapScan);

	Assert(rel->rd_tableam == GetHeapamTableAmRoutine());
	Assert(IsMVCCSnapshot(snapshot));
	scan->rel = rel;
	scan->snapshot = snapshot;
	scan->pages = pages;
	scan->filters = filters;
	scan->exact_filters = exact_filters;
	scan->turn = turn;
	ssdpar_page_rows_init(&scan->page, rel);
	scan->buffer = InvalidBuffer;
	scan->ahead = ssdpar_read_ahead_begin(rel, pages, allocator, counters);
	return scan;
}

void
ssdpar_bitmap_scan_end(SsdparBitmapScan *scan)
{
	if (BufferIsValid(scan->buffer))
		ReleaseBuffer(scan->buffer);
	ssdpar_read_ahead_end(scan->ahead);
}

#ifdef USE_ASSERT_CHECKING

/*
 * Does this process hold the page's content lock?  A pin keeps rows in place,
 * but what visibility is read from (xmax, infomask, the row pointers' states)
 * writers change under the exclusive lock.  A temporary table's pages have no
 * lock, being seen by this process alone.
 */
static bool
is_locked(Buffer buffer)
{
	BufferDesc *descriptor;

	if (BufferIsLocal(buffer))
		return true;
	descriptor = GetBufferDescriptor(buffer - 1);
	return LWLockHeldByMe(BufferDescriptorGetContentLock(descriptor));
}

#endif							/* USE_ASSERT_CHECKING */

/*
 * A page whose rows every snapshot sees: what the bitmap names there are rows,
 * none of which has another version.  As in core's sequential scan this is not
 * believed on a standby, where the page may be ahead of the snapshot, and a
 * serializable transaction has to mark what it reads row by row.
 */
static bool
all_visible(const SsdparBitmapScan *scan)
{
	Assert(is_locked(scan->buffer));
	return PageIsAllVisible(BufferGetPage(scan->buffer)) &&
		!scan->snapshot->takenDuringRecovery && !IsolationIsSerializable();
}

/*
 * Of an all-visible page.  A row pointer without its row is passed by: an
 * index row that was read before vacuum removed it may still name one.  None
 * was used anew since: its row would be newer than our snapshot, and no page
 * that has such a row is all-visible.
 */
static void
take_named_rows(SsdparBitmapScan *scan, const OffsetNumber *offsets,
				int noffsets)
{
	Page		page = BufferGetPage(scan->buffer);
	OffsetNumber last = PageGetMaxOffsetNumber(page);

	for (int i = 0; i < noffsets && offsets[i] <= last; i++)
	{
		ItemId		item = PageGetItemId(page, offsets[i]);
		OffsetNumber offset = offsets[i];

		if (ItemIdIsRedirected(item))
		{
			offset = ItemIdGetRedirect(item);
			item = PageGetItemId(page, offset);
		}
		if (ItemIdIsNormal(item))
			scan->rows[scan->nrows++] = offset;
	}
}

/* Rows named by the bitmap, ascending. */
static void
find_named_rows(SsdparBitmapScan *scan, const OffsetNumber *offsets,
				int noffsets)
{
	if (all_visible(scan))
	{
		take_named_rows(scan, offsets, noffsets);
		return;
	}
	for (int i = 0; i < noffsets; i++)
	{
		ItemPointerData tid;
		HeapTupleData tuple;

		ItemPointerSet(&tid, scan->block, offsets[i]);
		if (heap_hot_search_buffer(&tid, scan->rel, scan->buffer,
								   scan->snapshot, &tuple, NULL, true))
			scan->rows[scan->nrows++] = ItemPointerGetOffsetNumber(&tid);
	}
}

/* One row pointer of a lossy page, as heapgetpage() does it. */
static void
find_row(SsdparBitmapScan *scan, Page page, OffsetNumber offset)
{
	ItemId		item = PageGetItemId(page, offset);
	HeapTupleData tuple;
	bool		visible;

	Assert(is_locked(scan->buffer));
	if (!ItemIdIsNormal(item))
		return;
	tuple.t_data = (HeapTupleHeader) PageGetItem(page, item);
	tuple.t_len = ItemIdGetLength(item);
	tuple.t_tableOid = RelationGetRelid(scan->rel);
	ItemPointerSet(&tuple.t_self, scan->block, offset);
	visible = HeapTupleSatisfiesVisibility(&tuple, scan->snapshot,
										   scan->buffer);
	if (visible)
	{
		scan->rows[scan->nrows++] = offset;
		PredicateLockTID(scan->rel, &tuple.t_self, scan->snapshot,
						 HeapTupleHeaderGetXmin(tuple.t_data));
	}
	HeapCheckForSerializableConflictOut(visible, scan->rel, &tuple,
										scan->buffer, scan->snapshot);
}

/* Of a lossy page. */
static void
find_all_rows(SsdparBitmapScan *scan)
{
	Page		page = BufferGetPage(scan->buffer);
	OffsetNumber last = PageGetMaxOffsetNumber(page);
	bool		sure = all_visible(scan);

	for (OffsetNumber offset = FirstOffsetNumber; offset <= last; offset++)
	{
		if (!sure)
			find_row(scan, page, offset);
		else if (ItemIdIsNormal(PageGetItemId(page, offset)))
			scan->rows[scan->nrows++] = offset;
	}
}

/*
 * Pruning comes first, as in core's scans: it needs a stronger lock, which it
 * only tries to get.
 */
static bool
next_page(SsdparBitmapScan *scan)
{
	OffsetNumber offsets[MaxHeapTuplesPerPage];
	uint32		number;
	int			noffsets;

	if (BufferIsValid(scan->buffer))
		ReleaseBuffer(scan->buffer);
	scan->buffer = ssdpar_read_ahead_next(scan->ahead, &number);
	if (!BufferIsValid(scan->buffer))
		return false;
	scan->block = ssdpar_tid_pages_blocks(scan->pages)[number];
	Assert(BufferGetBlockNumber(scan->buffer) == scan->block);
	scan->nrows = 0;
	noffsets = ssdpar_tid_pages_rows(scan->pages, number, offsets);
	scan->page_filters = noffsets >= 0 ? scan->exact_filters : scan->filters;
	ssdpar_prune_page(scan->rel, scan->buffer);
	LockBuffer(scan->buffer, BUFFER_LOCK_SHARE);
	ssdpar_check_old_snapshot(scan->snapshot, scan->rel,
							  BufferGetPage(scan->buffer));
	if (noffsets >= 0)
		find_named_rows(scan, offsets, noffsets);
	else
		find_all_rows(scan);
	LockBuffer(scan->buffer, BUFFER_LOCK_UNLOCK);
	Assert(scan->nrows <= MaxHeapTuplesPerPage);
	ssdpar_page_rows_begin(&scan->page,
						   ssdpar_row_filters_of_page(scan->page_filters),
						   scan->buffer, scan->block, scan->rows, scan->nrows);
	return true;
}

/* The page's next row that may match something; false after the last one. */
static bool
next_of_page(SsdparBitmapScan *scan, TupleTableSlot *slot)
{
	int			passed_by;
	bool		found = ssdpar_page_rows_next(&scan->page, slot, &passed_by);

	for (int i = 0; i < passed_by; i++)
		pgstat_count_heap_fetch(scan->rel);
	return found;
}

bool
ssdpar_bitmap_scan_next(SsdparBitmapScan *scan, TupleTableSlot *slot,
						SsdparRowFilters **filters)
{
	while (!BufferIsValid(scan->buffer) || !next_of_page(scan, slot))
	{
		CHECK_FOR_INTERRUPTS();
		/* the slot must not keep the page pinned that is left now */
		ExecClearTuple(slot);
		if (!ssdpar_turn_has_page(scan->turn) || !next_page(scan))
			return false;
	}
	*filters = scan->page_filters;
	return true;
}
