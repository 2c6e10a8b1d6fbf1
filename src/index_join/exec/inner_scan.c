/*
 * inner_scan.c
 *		Returns all rows of the inner table, in block order.
 *
 * This is core's sequential scan with the query's snapshot.  It is counted as
 * one, takes the predicate lock of a serializable transaction, and uses the
 * read-ahead of all sequential scans.  It begins at the first block (no
 * synchronized scans), so that rows come in physical order, as an index of one
 * column returns those of a key.
 */
#include "postgres.h"

#include "access/tableam.h"
#include "miscadmin.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "index_join/exec/inner_scan.h"
#include "prefetch/scan_ahead.h"

struct SsdparInnerScan
{
	TableScanDesc scan;
	TupleTableSlot *slot;
	SsdparScanAhead ahead;
};

SsdparInnerScan *
ssdpar_inner_scan_begin(Relation heap, Snapshot snapshot, int plan_node_id)
{
	SsdparInnerScan *scan = palloc0_object(SsdparInnerScan);

	scan->scan = table_beginscan_strat(heap, snapshot, 0, NULL, true, false);
	scan->slot = table_slot_create(heap, NULL);
	ssdpar_scan_ahead_begin(&scan->ahead, heap, scan->scan, false,
							plan_node_id, false, false);
	return scan;
}

TupleTableSlot *
ssdpar_inner_scan_next(SsdparInnerScan *scan)
{
	bool		found;

	CHECK_FOR_INTERRUPTS();
	found = table_scan_getnextslot(scan->scan, ForwardScanDirection,
								   scan->slot);
	ssdpar_scan_ahead_look(&scan->ahead, scan->scan);
	return found ? scan->slot : NULL;
}

void
ssdpar_inner_scan_end(SsdparInnerScan *scan)
{
	ssdpar_scan_ahead_end(&scan->ahead, scan->scan);
	ExecDropSingleTupleTableSlot(scan->slot);
	table_endscan(scan->scan);
}
