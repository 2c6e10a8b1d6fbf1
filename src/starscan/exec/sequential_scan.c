/*
 * sequential_scan.c
 *		Sequential access of a star scan: scans the whole fact as core does.
 *
 * Workers share core's block allocator.  prefetch/scan_window.c sees each page
 * that the scan reaches and announces the next ones to the daemon.  In
 * addition, each process requests its own next chunk (prefetch/scan_chunks.c),
 * ahead of the blocks that are read.
 *
 * Core's heap scan finds the visible rows of a page at once and then returns
 * them one at a time.  Here visible_rows.c finds the visible rows of a page,
 * the page filters test them, and those that pass are returned (page_rows.c).
 * The scan moves from page to page as core would, using its scan descriptor:
 * it starts at the block of a concurrent scan, uses the descriptor's ring and,
 * since PostgreSQL 17, a read stream.
 *
 * We create the stream ourselves, and the ring if partitions share one,
 * because core creates both for each scan.
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

#ifdef SSDPAR_HAS_READ_STREAM
#include "storage/read_stream.h"
#endif

struct SsdparSequentialScan
{
	TableScanDesc scan;
	SsdparPageFilters *filters;
	SsdparIoStats *io;
	SsdparScanAhead ahead;
	BufferAccessStrategy ring;	/* for the pages, or NULL */
	BlockNumber given;			/* last block given to be read; invalid before
								 * the first */
#ifdef SSDPAR_HAS_READ_STREAM
	ReadStream *stream;
#endif
	SsdparPageRows page;		/* current page */
};

/* Returns the next block to be read; invalid after the last.  */
static BlockNumber
next_block(SsdparSequentialScan *scan)
{
	HeapScanDesc heap = ssdpar_heap_scan(scan->scan);
	Relation	rel = heap->rs_base.rs_rd;
	ParallelBlockTableScanDesc all =
		(ParallelBlockTableScanDesc) heap->rs_base.rs_parallel;
	ParallelBlockTableScanWorker own = heap->rs_parallelworkerdata;
	bool		first = !heap->rs_inited;
	BlockNumber block;

	if (heap->rs_nblocks == 0)
		return InvalidBlockNumber;
	heap->rs_inited = true;
	if (all != NULL)
	{
		if (first)
			ssdpar_parallel_scan_begin_blocks(rel, own, all);
		return table_block_parallelscan_nextpage(rel, own, all);
	}
	if (first)
		return heap->rs_startblock;
	block = scan->given + 1;
	if (block == heap->rs_nblocks)
		block = 0;
	if ((heap->rs_base.rs_flags & SO_ALLOW_SYNC) != 0)
		ss_report_location(rel, block);
	return block == heap->rs_startblock ? InvalidBlockNumber : block;
}

static BlockNumber
give_next(SsdparSequentialScan *scan)
{
	scan->given = next_block(scan);
	ssdpar_scan_ahead_give(&scan->ahead, scan->scan, scan->given);
	return scan->given;
}

#ifdef SSDPAR_HAS_READ_STREAM

static BlockNumber
give_block(ReadStream *stream, void *callback_private, void *data)
{
	return give_next(callback_private);
}

static void
begin_pages(SsdparSequentialScan *scan)
{
	scan->stream = read_stream_begin_relation(SSDPAR_STREAM_FLAGS |
											  READ_STREAM_SEQUENTIAL,
											  scan->ring, scan->scan->rs_rd,
											  MAIN_FORKNUM, give_block, scan,
											  0);
	ssdpar_io_stats_of_stream(scan->io, scan->stream);
}

static Buffer
read_next(SsdparSequentialScan *scan)
{
	return read_stream_next_buffer(scan->stream, NULL);
}

static void
end_pages(SsdparSequentialScan *scan)
{
	read_stream_end(scan->stream);
}

#else

static void
begin_pages(SsdparSequentialScan *scan)
{
}

static Buffer
read_next(SsdparSequentialScan *scan)
{
	BlockNumber block = give_next(scan);

	if (!BlockNumberIsValid(block))
		return InvalidBuffer;
	return ReadBufferExtended(scan->scan->rs_rd, MAIN_FORKNUM, block,
							  RBM_NORMAL, scan->ring);
}

static void
end_pages(SsdparSequentialScan *scan)
{
}

#endif							/* SSDPAR_HAS_READ_STREAM */

/*
 * Reads the next page, even if it has no visible rows; returns false after the
 * last.  The scan keeps the page pinned, so the slot must not keep the previous
 * one.
 */
static bool
next_page(SsdparSequentialScan *scan, TupleTableSlot *slot)
{
	HeapScanDesc heap = ssdpar_heap_scan(scan->scan);
	Relation	rel = scan->scan->rs_rd;
	int			nrows;

	Assert(heap->rs_numblocks == InvalidBlockNumber);
	ExecClearTuple(slot);
	if (BufferIsValid(heap->rs_cbuf))
		ReleaseBuffer(heap->rs_cbuf);
	heap->rs_cbuf = InvalidBuffer;
	scan->page.buffer = InvalidBuffer;
	heap->rs_cbuf = read_next(scan);
	heap->rs_cblock = BufferIsValid(heap->rs_cbuf) ?
		BufferGetBlockNumber(heap->rs_cbuf) : InvalidBlockNumber;
	ssdpar_scan_ahead_look(&scan->ahead, scan->scan);
	if (!BufferIsValid(heap->rs_cbuf))
		return false;
	nrows = ssdpar_visible_rows(rel, scan->scan->rs_snapshot, heap->rs_cbuf,
								heap->rs_vistuples);
	ssdpar_page_rows_begin(&scan->page, scan->filters, heap->rs_cbuf,
						   heap->rs_cblock, heap->rs_vistuples, nrows);
	return true;
}

/* Temporary tables use local buffers; core gives a large table a ring.  */
static BufferAccessStrategy
ring_for(SsdparSequentialScan *scan, SsdparRing *ring)
{
	if (ring == NULL || RelationUsesLocalBuffers(scan->scan->rs_rd))
		return ssdpar_heap_scan(scan->scan)->rs_strategy;
	return ssdpar_ring_for_sequence(ring);
}

SsdparSequentialScan *
ssdpar_sequential_scan_begin(Relation rel, Snapshot snapshot,
							 ParallelTableScanDesc parallel, int plan_node_id,
							 bool kernel_ahead, SsdparRing *ring,
							 SsdparPageFilters *filters, SsdparIoStats *io)
{
	uint32		flags = ssdpar_io_stats_scan_flags(io);
	SsdparSequentialScan *scan = palloc0_object(SsdparSequentialScan);

	Assert(rel->rd_tableam == GetHeapamTableAmRoutine());
	Assert(IsMVCCSnapshot(snapshot));
	scan->scan = parallel != NULL ?
		ssdpar_table_beginscan_parallel(rel, parallel, flags) :
		ssdpar_table_beginscan(rel, snapshot, 0, NULL, flags);
	scan->filters = filters;
	scan->io = io;
	ssdpar_page_rows_init(&scan->page, rel);
	ssdpar_scan_ahead_begin(&scan->ahead, rel, scan->scan, parallel != NULL,
							plan_node_id, kernel_ahead);
	scan->ring = ring_for(scan, ring);
	begin_pages(scan);
	return scan;
}

/*
 * Returns the page's next row that passes; false if there is none or no page
 * yet.  The function that counts rows read is named after indexes.
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
	while (!next_of_page(scan, slot))
	{
		CHECK_FOR_INTERRUPTS();
		if (!next_page(scan, slot))
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
	end_pages(scan);
	table_endscan(scan->scan);
}
