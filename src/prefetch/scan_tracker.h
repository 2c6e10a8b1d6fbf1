/*
 * scan_tracker.h
 *		Announces to ssdpard what the sequential scans of a query are about to
 *		read.
 */
#ifndef SSDPAR_SCAN_TRACKER_H
#define SSDPAR_SCAN_TRACKER_H

#include "executor/execdesc.h"

/* Is this node, no SeqScan, one that reads its table block by block as well? */
typedef bool (*SsdparScansBlocks) (const PlanState *node);

/*
 * Track the scans of large tables in this query, which has just been started.
 * They are tracked until its memory goes away: at its end, an error, or the
 * close of its cursor.
 */
extern void ssdpar_scan_tracker_start(QueryDesc *query,
									  SsdparScansBlocks scans_blocks);

/* The window of a scan that is tracked, or NULL. */
extern struct SsdparScanWindow *ssdpar_scan_tracker_window(PlanState *node);

/* The query is about to be ended in the regular way. */
extern void ssdpar_scan_tracker_end(QueryDesc *query);

#endif							/* SSDPAR_SCAN_TRACKER_H */
