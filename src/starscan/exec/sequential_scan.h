/*
 * sequential_scan.h
 *		Sequential access of a star scan: scans the whole fact as core does.
 */
#ifndef SSDPAR_SEQUENTIAL_SCAN_H
#define SSDPAR_SEQUENTIAL_SCAN_H

#include "access/relscan.h"

#include "starscan/exec/io_stats.h"
#include "starscan/exec/page_filters.h"
#include "starscan/exec/ring.h"

typedef struct SsdparSequentialScan SsdparSequentialScan;

/*
 * Starts a scan of a heap in the current memory context.  parallel is core's
 * shared block allocator, NULL if one process reads everything.  plan_node_id
 * is the node's, the same in all processes.  If kernel_ahead is set, the
 * processes request nothing in advance.  filters test each row.  Pages are
 * read through ring or, if that is NULL, through the ring that core chooses.
 */
extern SsdparSequentialScan *
			ssdpar_sequential_scan_begin(Relation rel, Snapshot snapshot,
										 ParallelTableScanDesc parallel,
										 int plan_node_id, bool kernel_ahead,
										 SsdparRing *ring,
										 SsdparPageFilters *filters,
										 SsdparIoStats *io);

/*
 * Stores the next row that passes the filters in slot; returns false after the
 * last one.
 */
extern bool ssdpar_sequential_scan_next(SsdparSequentialScan *scan,
										TupleTableSlot *slot);

/* Adds what has been counted so far to io.  */
extern void ssdpar_sequential_scan_count(SsdparSequentialScan *scan);

extern void ssdpar_sequential_scan_end(SsdparSequentialScan *scan);

#endif							/* SSDPAR_SEQUENTIAL_SCAN_H */
