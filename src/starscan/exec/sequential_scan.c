/*
 * sequential_scan.c
 *		A star scan's sequential access: the whole fact, as core scans it.
 *
 * Workers share core's block allocator.  What comes next is announced to the
 * daemon by prefetch/scan_window.c, and each process asks for its own next
 * chunk (prefetch/scan_chunks.c): both are told of every new page.
 *
 * Core's scan of a heap finds the visible rows of a page at once and then
 * hands them out one by one.  Here the page's rows are shown to the page
 * filters, and those that pass are handed out (page_rows.c).
 *
 * Up to 16 core looks at each row of a page even where vacuum has noted that
 * all are visible.  There the scan is taken from page to page as core would
 * take it, by its own descriptor, and visible_rows.c finds the page's rows.
 * Since 17 core spares itself that look, and a read stream chooses the pages.
 * There core hands out a page's first row, and then the scan is made to go on
 * to the next page: that writes to rs_cindex, the place in rs_vistuples, and to
 * nothing else.
 */
#include "postgres.h"

#include "access/syncscan.h"
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
#include "starscan/exec/visible_rows.h"

struct SsdparSequentialScan
{
	TableScanDesc scan;
	SsdparPageFilters *filters; /* NULL: rows go up one by one */
	SsdparTurn *turn;
	SsdparIoStats *io;
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
							 SsdparPageFilters *filters, SsdparTurn *turn,
							 SsdparIoStats *io)
{
	uint32		flags = ssdpar_io_stats_scan_flags(io);
	SsdparSequentialScan *scan = palloc0_object(SsdparSequentialScan);

	Assert(filters == NULL ||
		   ssdpar_sequential_scan_is_by_page(rel, snapshot));
	scan->scan = parallel != NULL ?
		ssdpar_table_beginscan_parallel(rel, parallel, flags) :
		ssdpar_table_beginscan(rel, snapshot, 0, NULL, flags);
	scan->filters = filters;
	scan->turn = turn;
	scan->io = io;
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

#ifdef SSDPAR_HAS_READ_STREAM

/*
 * The next page that has visible rows; false if there is none.  In page mode
 * (a heap under an MVCC snapshot) the scan goes on to the next page after row
 * rs_ntuples - 1 of rs_vistuples.  It keeps its page pinned until then.
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

#else

/* The block that core's scan would go on to, forward; none after the last. */
static BlockNumber
next_block(HeapScanDesc heap)
{
	Relation	rel = heap->rs_base.rs_rd;
	ParallelBlockTableScanDesc all =
		(ParallelBlockTableScanDesc) heap->rs_base.rs_parallel;
	ParallelBlockTableScanWorker own = heap->rs_parallelworkerdata;
	BlockNumber block;

	if (heap->rs_nblocks == 0)
		return InvalidBlockNumber;
	if (all != NULL)
	{
		if (!heap->rs_inited)
			table_block_parallelscan_startblock_init(rel, own, all);
		return table_block_parallelscan_nextpage(rel, own, all);
	}
	if (!heap->rs_inited)
		return heap->rs_startblock;
	block = heap->rs_cblock + 1;
	if (block == heap->rs_nblocks)
		block = 0;
	if ((heap->rs_base.rs_flags & SO_ALLOW_SYNC) != 0)
		ss_report_location(rel, block);
	return block == heap->rs_startblock ? InvalidBlockNumber : block;
}

/*
 * The next page, visible rows or not; false if there is none.  The scan keeps
 * it pinned, the slot must not keep the one before.
 */
static bool
next_page(SsdparSequentialScan *scan, TupleTableSlot *slot)
{
	HeapScanDesc heap = ssdpar_heap_scan(scan->scan);
	Relation	rel = scan->scan->rs_rd;
	BlockNumber block = next_block(heap);
	int			nrows;

	Assert(heap->rs_numblocks == InvalidBlockNumber);
	ExecClearTuple(slot);
	if (BufferIsValid(heap->rs_cbuf))
		ReleaseBuffer(heap->rs_cbuf);
	heap->rs_cbuf = InvalidBuffer;
	scan->page.buffer = InvalidBuffer;
	heap->rs_inited = BlockNumberIsValid(block);
	if (BlockNumberIsValid(block))
		heap->rs_cbuf = ReadBufferExtended(rel, MAIN_FORKNUM, block,
										   RBM_NORMAL, heap->rs_strategy);
	heap->rs_cblock = block;
	ssdpar_scan_ahead_look(&scan->ahead, scan->scan);
	if (!BlockNumberIsValid(block))
		return false;
	nrows = ssdpar_visible_rows(rel, scan->scan->rs_snapshot, heap->rs_cbuf,
								heap->rs_vistuples);
	ssdpar_page_rows_begin(&scan->page, scan->filters, heap->rs_cbuf, block,
						   heap->rs_vistuples, nrows);
	return true;
}

#endif							/* SSDPAR_HAS_READ_STREAM */

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
ssdpar_sequential_scan_count(SsdparSequentialScan *scan)
{
	ssdpar_io_stats_take(scan->io, scan->scan);
}

void
ssdpar_sequential_scan_end(SsdparSequentialScan *scan)
{
	ssdpar_sequential_scan_count(scan);
	ssdpar_scan_ahead_end(&scan->ahead, scan->scan);
	table_endscan(scan->scan);
}
