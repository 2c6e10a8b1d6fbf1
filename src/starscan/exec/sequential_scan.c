/*
 * sequential_scan.c
 *		A star scan's sequential access: the whole fact, as core scans it.
 *
 * Workers share core's block allocator.  What comes next is announced to the
 * daemon by prefetch/scan_window.c, and each process asks for its own next
 * chunk (prefetch/scan_chunks.c): both are told of every new page.
 *
 * Core's scan of a heap finds the visible rows of a page at once and then
 * hands them out one by one.  Between two of these the raw tuple filter is
 * shown what comes next on the page, and the scan is made to go past what it
 * drops: that writes to rs_cindex, the place in rs_vistuples, and to nothing
 * else.
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
#include "starscan/exec/sequential_scan.h"

struct SsdparSequentialScan
{
	TableScanDesc scan;
	SsdparRowFilters *filters;
	bool		raw;			/* they are shown rows as pages hold them */
	SsdparScanAhead ahead;
};

/* Another kind of table may keep its rows in another way. */
bool
ssdpar_sequential_scan_is_raw(Relation rel, Snapshot snapshot)
{
	return rel->rd_tableam == GetHeapamTableAmRoutine() &&
		IsMVCCSnapshot(snapshot);
}

SsdparSequentialScan *
ssdpar_sequential_scan_begin(Relation rel, Snapshot snapshot,
							 ParallelTableScanDesc parallel, int plan_node_id,
							 SsdparRowFilters *filters, bool raw)
{
	SsdparSequentialScan *scan = palloc0_object(SsdparSequentialScan);

	Assert(!raw || ssdpar_sequential_scan_is_raw(rel, snapshot));
	scan->scan = parallel != NULL ?
		ssdpar_table_beginscan_parallel(rel, parallel, SO_NONE) :
		ssdpar_table_beginscan(rel, snapshot, 0, NULL, SO_NONE);
	scan->filters = filters;
	scan->raw = raw;
	ssdpar_scan_ahead_begin(&scan->ahead, rel, scan->scan, parallel != NULL,
							plan_node_id);
	return scan;
}

/*
 * Go past the page's next rows that the filters drop; true if one is left,
 * which is then the scan's next.  In page mode (a heap under an MVCC snapshot)
 * rows from rs_cindex + 1 on of rs_vistuples are those that come next.  The
 * scan keeps its page pinned until it goes on to the next one, and rows found
 * visible stay where they are under a pin: no lock is needed to look at them.
 *
 * What counts rows that were read is named for indexes.
 */
static bool
skip_rows(SsdparSequentialScan *scan)
{
	HeapScanDesc heap = ssdpar_heap_scan(scan->scan);
	int			next;
	int			passes;

	if (!BufferIsValid(heap->rs_cbuf))
		return false;
	Assert((scan->scan->rs_flags & SO_ALLOW_PAGEMODE) != 0);
	Assert(BufferGetBlockNumber(heap->rs_cbuf) == heap->rs_cblock);
	next = heap->rs_cindex + 1;
	passes = ssdpar_row_filters_skip(scan->filters,
									 BufferGetPage(heap->rs_cbuf),
									 heap->rs_vistuples, next,
									 heap->rs_ntuples);
	pgstat_count_index_tuples(scan->scan->rs_rd, passes - next);
	heap->rs_cindex = passes - 1;
	return passes < (int) heap->rs_ntuples;
}

/*
 * The first row of each page has not been shown to the raw tuple filter when
 * the scan hands it out: it is shown after that.
 */
bool
ssdpar_sequential_scan_next(SsdparSequentialScan *scan, TupleTableSlot *slot)
{
	HeapScanDesc heap = (HeapScanDesc) scan->scan;
	bool		found;
	bool		shown;

	do
	{
		CHECK_FOR_INTERRUPTS();
		shown = !scan->raw || skip_rows(scan);
		found = table_scan_getnextslot(scan->scan, ForwardScanDirection,
									   slot);
		ssdpar_scan_ahead_look(&scan->ahead, scan->scan);
	} while (found && !shown &&
			 !ssdpar_row_filters_raw(scan->filters, heap->rs_ctup.t_data));
	return found;
}

void
ssdpar_sequential_scan_end(SsdparSequentialScan *scan)
{
	ssdpar_scan_ahead_end(&scan->ahead, scan->scan);
	table_endscan(scan->scan);
}
