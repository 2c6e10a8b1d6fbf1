/*
 * table_rows.c
 *		Reads all rows of a table for the planner, as they are now.
 *
 * A serializable transaction must not fail, nor make others fail, because a
 * device was calibrated while its queries were planned: what a profile says
 * changes no row of a result.  So no predicate lock is wanted, nor the search
 * for conflicts that goes with it.  Core spares them to scans whose snapshot is
 * not an MVCC one, whatever the table.  But only an MVCC snapshot sees all rows
 * as of one moment, not half of a profile from before a calibration's commit
 * and half from after it.  Hence both: the scan returns every version of every
 * row, and each is asked whether the snapshot sees it.
 */
#include "postgres.h"

#include "executor/tuptable.h"
#include "utils/snapmgr.h"

#include "table_rows.h"

void
ssdpar_begin_rows(SsdparTableRows *rows, Relation table)
{
	rows->slot = table_slot_create(table, NULL);
	/* before the scan: from here on nothing that it sees is removed */
	rows->snapshot =
		RegisterSnapshot(GetCatalogSnapshot(RelationGetRelid(table)));
	/* no shared start (the last argument): planning is to be repeatable */
	rows->scan = table_beginscan_strat(table, SnapshotAny, 0, NULL, true,
									   false);
}

bool
ssdpar_next_row(SsdparTableRows *rows)
{
	while (table_scan_getnextslot(rows->scan, ForwardScanDirection,
								  rows->slot))
	{
		if (table_tuple_satisfies_snapshot(rows->scan->rs_rd, rows->slot,
										   rows->snapshot))
			return true;
	}
	return false;
}

void
ssdpar_end_rows(SsdparTableRows *rows)
{
	table_endscan(rows->scan);
	UnregisterSnapshot(rows->snapshot);
	ExecDropSingleTupleTableSlot(rows->slot);
}
