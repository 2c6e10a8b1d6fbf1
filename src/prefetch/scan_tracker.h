/*
 * scan_tracker.h
 *		Announces the blocks that the scans of a query are about to read.
 */
#ifndef SSDPAR_SCAN_TRACKER_H
#define SSDPAR_SCAN_TRACKER_H

#include "executor/execdesc.h"

#include "prefetch/scan_window.h"

/* Does this node, which is not core's, read its table block by block? */
typedef bool (*SsdparIsBlockScan) (const PlanState *node);

/*
 * Tracks the sequential scans of large tables in this query, which was just
 * started.  Tracking ends when its memory is freed: at
 * its end, after an error, or when its cursor is closed.
 */
extern void ssdpar_scan_tracker_start(QueryDesc *query,
									  SsdparIsBlockScan reads_blocks);

/* The window of a tracked scan, or NULL. */
extern const SsdparScanWindow *ssdpar_scan_tracker_find(PlanState *node);

/* The query is about to be ended normally. */
extern void ssdpar_scan_tracker_end(QueryDesc *query);

#endif							/* SSDPAR_SCAN_TRACKER_H */
