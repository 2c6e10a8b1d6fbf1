/*
 * bitmap_scan.c
 *		A star scan's bitmap access, second half: the rows of the bitmap's
 *		pages.
 *
 * Here a page is pinned, its visible rows are found (visible_rows.c), and they
 * are handed out one by one.  Which page comes next, and that it has been asked
 * for before, is decided in read_ahead.c.
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

/* Of an exact page the rows that the bitmap names, of a lossy one all. */
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
		if (!next_page(scan))
			return false;
	}
	*filters = scan->page_filters;
	return true;
}
