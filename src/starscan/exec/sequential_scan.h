/*
 * sequential_scan.h
 *		A star scan's sequential access: the whole fact, as core scans it.
 */
#ifndef SSDPAR_SEQUENTIAL_SCAN_H
#define SSDPAR_SEQUENTIAL_SCAN_H

#include "access/relscan.h"

#include "starscan/exec/io_stats.h"
#include "starscan/exec/page_filters.h"
#include "starscan/exec/ring.h"

typedef struct SsdparSequentialScan SsdparSequentialScan;

/*
 * Of a heap, in the current memory context.  parallel is core's shared block
 * allocator, NULL if one process reads it all; plan_node_id the node's, the
 * same in all processes.  kernel_ahead: the processes ask for nothing.  filters
 * are shown every row.  Pages go through ring, if there is one; otherwise
 * through what core chooses.
 */
extern SsdparSequentialScan *
			ssdpar_sequential_scan_begin(Relation rel, Snapshot snapshot,
										 ParallelTableScanDesc parallel,
										 int plan_node_id, bool kernel_ahead,
										 SsdparRing *ring,
										 SsdparPageFilters *filters,
										 SsdparIoStats *io);

/* The next row that the filters let pass; false after the last one. */
extern bool ssdpar_sequential_scan_next(SsdparSequentialScan *scan,
										TupleTableSlot *slot);

/* Have what was counted until now where the scan was told to. */
extern void ssdpar_sequential_scan_count(SsdparSequentialScan *scan);

extern void ssdpar_sequential_scan_end(SsdparSequentialScan *scan);

#endif							/* SSDPAR_SEQUENTIAL_SCAN_H */
