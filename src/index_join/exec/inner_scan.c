/*
 * inner_scan.c
 *		All rows of the inner table, in block order.
 *
 * Core's own sequential scan, under the query's snapshot: it counts as one,
 * takes the predicate lock of a serializable transaction, and is read ahead as
 * all sequential scans are.  It begins at the first block (no synchronised
 * scans), so that rows come in the order of their places, as an index of
 * one column gives those of a key.
 */
#include "postgres.h"

#include "access/tableam.h"
#include "miscadmin.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "index_join/exec/inner_scan.h"
#include "prefetch/heap_position.h"
#include "prefetch/scan_chunks.h"
#include "prefetch/scan_window.h"

struct SsdparInnerScan
{
	TableScanDesc scan;
	TupleTableSlot *slot;
	SsdparScanWindow *window;	/* announced here, or NULL */
	SsdparScanChunks *chunks;	/* asked for here, or NULL */
	BlockNumber block;			/* that these know of */
};

SsdparInnerScan *
ssdpar_inner_scan_begin(Relation heap, Snapshot snapshot, int plan_node_id)
{
	SsdparInnerScan *scan = palloc0_object(SsdparInnerScan);

	scan->scan = table_beginscan_strat(heap, snapshot, 0, NULL, true, false);
	scan->slot = table_slot_create(heap, NULL);
	scan->window = ssdpar_scan_window_open(heap, false, plan_node_id);
	scan->chunks = ssdpar_scan_chunks_open(heap);
	ssdpar_scan_chunks_begin(scan->chunks, scan->scan);
	scan->block = InvalidBlockNumber;
	return scan;
}

/* There is something to read ahead for heaps only. */
static void
look_ahead(SsdparInnerScan *scan)
{
	BlockNumber block;

	if (scan->window == NULL && scan->chunks == NULL)
		return;
	block = ssdpar_heap_scan(scan->scan)->rs_cblock;
	if (block != scan->block)
	{
		scan->block = block;
		ssdpar_scan_window_look(scan->window, scan->scan, false);
		ssdpar_scan_chunks_ask(scan->chunks, scan->scan);
	}
}

TupleTableSlot *
ssdpar_inner_scan_next(SsdparInnerScan *scan)
{
	bool		found;

	CHECK_FOR_INTERRUPTS();
	found = table_scan_getnextslot(scan->scan, ForwardScanDirection,
								   scan->slot);
	look_ahead(scan);
	return found ? scan->slot : NULL;
}

void
ssdpar_inner_scan_end(SsdparInnerScan *scan)
{
	ssdpar_scan_window_end(scan->window, scan->scan);
	ssdpar_scan_chunks_end(scan->chunks);
	ExecDropSingleTupleTableSlot(scan->slot);
	table_endscan(scan->scan);
}
