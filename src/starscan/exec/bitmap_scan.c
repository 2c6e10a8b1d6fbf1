/*
 * bitmap_scan.c
 *		Bitmap access of a star scan, second half: returns the rows of the
 *		bitmap's pages.
 *
 * This file pins each page, finds its visible rows (visible_rows.c) and
 * returns them one at a time.  read_ahead.c decides which page comes next and
 * has already requested it from the device.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "starscan/exec/bitmap_scan.h"
#include "starscan/exec/page_rows.h"
#include "starscan/exec/visible_rows.h"

/*
 * Invariant: if buffer is valid, it is pinned, rows holds the offsets of the
 * page's nrows <= MaxHeapTuplesPerPage visible rows, and page returns those of
 * them that pass the filters.
 */
struct SsdparBitmapScan
{
	SsdparReadAhead *ahead;
	Relation	rel;
	Snapshot	snapshot;
	const SsdparTidPages *pages;
	SsdparRowFilters *filters;
	SsdparRowFilters *exact_filters;

	Buffer		buffer;
	BlockNumber block;
	SsdparRowFilters *page_filters; /* filters or exact_filters */
	SsdparPageRows page;
	int			nrows;
	OffsetNumber rows[MaxHeapTuplesPerPage];
};

SsdparBitmapScan *
ssdpar_bitmap_scan_begin(Relation rel, Snapshot snapshot,
						 const SsdparTidPages *pages,
						 SsdparPageAllocator *allocator, SsdparRing *ring,
						 SsdparReadCounters *counters,
						 SsdparRowFilters *filters,
						 SsdparRowFilters *exact_filters)
{
	SsdparBitmapScan *scan = palloc0_object(SsdparBitmapScan);

	Assert(rel->rd_tableam == GetHeapamTableAmRoutine());
	Assert(IsMVCCSnapshot(snapshot));
	scan->rel = rel;
	scan->snapshot = snapshot;
	scan->pages = pages;
	scan->filters = filters;
	scan->exact_filters = exact_filters;
	ssdpar_page_rows_init(&scan->page, rel);
	scan->buffer = InvalidBuffer;
	scan->ahead = ssdpar_read_ahead_begin(rel, pages, allocator, ring,
										  counters);
	return scan;
}

void
ssdpar_bitmap_scan_end(SsdparBitmapScan *scan)
{
	if (BufferIsValid(scan->buffer))
		ReleaseBuffer(scan->buffer);
	ssdpar_read_ahead_end(scan->ahead);
}

/*
 * Reads the next page.  Exact pages return the rows that the bitmap names,
 * lossy pages return all of their visible rows.
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
	noffsets = ssdpar_tid_pages_rows(scan->pages, number, offsets);
	scan->page_filters = noffsets >= 0 ? scan->exact_filters : scan->filters;
	scan->nrows = noffsets >= 0 ?
		ssdpar_visible_rows_named(scan->rel, scan->snapshot, scan->buffer,
								  offsets, noffsets, scan->rows) :
		ssdpar_visible_rows(scan->rel, scan->snapshot, scan->buffer,
							scan->rows);
	Assert(scan->nrows <= MaxHeapTuplesPerPage);
	ssdpar_page_rows_begin(&scan->page,
						   ssdpar_row_filters_of_page(scan->page_filters),
						   scan->buffer, scan->block, scan->rows, scan->nrows);
	return true;
}

/*
 * Returns the page's next row that passes the page filters; false after the
 * last.
 */
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
		/* the slot must not keep the previous page pinned */
		ExecClearTuple(slot);
		if (!next_page(scan))
			return false;
	}
	*filters = scan->page_filters;
	return true;
}
