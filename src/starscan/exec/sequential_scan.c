/*
 * sequential_scan.c
 *		A star scan's sequential access: the whole fact, as core scans it.
 *
 * Workers share core's block allocator.  What comes next is announced to the
 * daemon by prefetch/scan_window.c, and each process asks for its own next
 * chunk (prefetch/scan_chunks.c): both are told of every new page.
 *
 * Core's scan of a heap finds the visible rows of a page at once and then
 * hands them out one by one.  When it hands out the first one, the page's rows
 * are shown to the page filters, and those that pass are handed out from here
 * (page_rows.c).  Then the scan is made to go on to the next page: that writes
 * to rs_cindex, the place in rs_vistuples, and to nothing else.
 */
#include "postgres.h"

#include "access/tableam.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "prefetch/heap_position.h"
#include "prefetch/scan_ahead.h"
#include "starscan/exec/page_rows.h"
#include "starscan/exec/sequential_scan.h"

struct SsdparSequentialScan
{
	TableScanDesc scan;
	SsdparPageFilters *filters; /* NULL: rows go up one by one */
	SsdparTurn *turn;
	SsdparScanAhead ahead;
	SsdparPageRows page;		/* with filters, the page that it stands on */
};

/* Another kind of table may keep its rows in another way. */
bool
ssdpar_sequential_scan_is_by_page(Relation rel, Snapshot snapshot)
{
	return rel->rd_tableam == GetHeapamTableAmRoutine() &&
		IsMVCCSnapshot(snapshot);
}

SsdparSequentialScan *
ssdpar_sequential_scan_begin(Relation rel, Snapshot snapshot,
							 ParallelTableScanDesc parallel, int plan_node_id,
							 bool kernel_ahead,
							 SsdparPageFilters *filters, SsdparTurn *turn)
{
	SsdparSequentialScan *scan = palloc0_object(SsdparSequentialScan);

	Assert(filters == NULL ||
		   ssdpar_sequential_scan_is_by_page(rel, snapshot));
	scan->scan = parallel != NULL ?
		ssdpar_table_beginscan_parallel(rel, parallel, SO_NONE) :
		ssdpar_table_beginscan(rel, snapshot, 0, NULL, SO_NONE);
	scan->filters = filters;
	scan->turn = turn;
	ssdpar_page_rows_init(&scan->page, rel);
	ssdpar_scan_ahead_begin(&scan->ahead, rel, scan->scan, parallel != NULL,
							plan_node_id, kernel_ahead);
	return scan;
}

/* As core gives them. */
static bool
next_by_core(SsdparSequentialScan *scan, TupleTableSlot *slot)
{
	bool		found = table_scan_getnextslot(scan->scan,
											   ForwardScanDirection, slot);

	ssdpar_scan_ahead_look(&scan->ahead, scan->scan);
	return found;
}

/*
 * The next page that has visible rows, with the first of them in slot; false
 * if there is none.  In page mode (a heap under an MVCC snapshot) the scan goes
 * on to the next page after row rs_ntuples - 1 of rs_vistuples.  It keeps its
 * page pinned until then.
 */
static bool
next_page(SsdparSequentialScan *scan, TupleTableSlot *slot)
{
	HeapScanDesc heap = ssdpar_heap_scan(scan->scan);

	Assert((scan->scan->rs_flags & SO_ALLOW_PAGEMODE) != 0);
	if (BufferIsValid(heap->rs_cbuf))
		heap->rs_cindex = heap->rs_ntuples - 1;
	if (!next_by_core(scan, slot))
		return false;
	Assert(heap->rs_cindex == 0);
	ssdpar_page_rows_begin(&scan->page, scan->filters, heap->rs_cbuf,
						   heap->rs_cblock, heap->rs_vistuples,
						   heap->rs_ntuples);
	/* core has counted the first row as read */
	scan->page.seen = 1;
	return true;
}

/*
 * The page's next row that passes; false if there is none, or no page yet.
 * What counts rows that were read is named for indexes.
 */
static bool
next_of_page(SsdparSequentialScan *scan, TupleTableSlot *slot)
{
	bool		found;
	int			passed_by;

	if (!BufferIsValid(scan->page.buffer))
		return false;
	found = ssdpar_page_rows_next(&scan->page, slot, &passed_by);
	pgstat_count_index_tuples(scan->scan->rs_rd, passed_by);
	return found;
}

bool
ssdpar_sequential_scan_next(SsdparSequentialScan *scan, TupleTableSlot *slot)
{
	if (scan->filters == NULL)
		return next_by_core(scan, slot);
	while (!next_of_page(scan, slot))
	{
		CHECK_FOR_INTERRUPTS();
		if (!ssdpar_turn_has_page(scan->turn) || !next_page(scan, slot))
			return false;
	}
	return true;
}

void
ssdpar_sequential_scan_end(SsdparSequentialScan *scan)
{
	ssdpar_scan_ahead_end(&scan->ahead, scan->scan);
	table_endscan(scan->scan);
}
