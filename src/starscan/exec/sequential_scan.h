/*
 * sequential_scan.h
 *		A star scan's sequential access: the whole fact, as core scans it.
 */
#ifndef SSDPAR_SEQUENTIAL_SCAN_H
#define SSDPAR_SEQUENTIAL_SCAN_H

#include "access/relscan.h"

#include "starscan/exec/row_filters.h"

typedef struct SsdparSequentialScan SsdparSequentialScan;

/*
 * Can rows be shown to the raw tuple filter?  Those of a heap, under the kind
 * of snapshot that queries have.
 */
extern bool ssdpar_sequential_scan_is_raw(Relation rel, Snapshot snapshot);

/*
 * In the current memory context.  parallel is core's shared block allocator,
 * NULL if one process reads it all; plan_node_id the node's, the same in all
 * processes.  Rows are shown raw to filters if raw.
 */
extern SsdparSequentialScan *
			ssdpar_sequential_scan_begin(Relation rel, Snapshot snapshot,
										 ParallelTableScanDesc parallel,
										 int plan_node_id,
										 SsdparRowFilters *filters, bool raw);

/* The next row that the raw tuple filter, if asked, passes. */
extern bool ssdpar_sequential_scan_next(SsdparSequentialScan *scan,
										TupleTableSlot *slot);

extern void ssdpar_sequential_scan_end(SsdparSequentialScan *scan);

#endif							/* SSDPAR_SEQUENTIAL_SCAN_H */
