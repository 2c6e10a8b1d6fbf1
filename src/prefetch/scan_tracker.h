/*
 * scan_tracker.h
 *		Announces what the scans of a query are about to read.
 */
#ifndef SSDPAR_SCAN_TRACKER_H
#define SSDPAR_SCAN_TRACKER_H

#include "executor/execdesc.h"

#include "prefetch/tracked_scan.h"

/* Is this node, no SeqScan, one that reads its table block by block as well? */
typedef bool (*SsdparScansBlocks) (const PlanState *node);

/*
 * Track the sequential scans of large tables and the scans of btrees in this
 * query, which has just been started.
 * They are tracked until its memory goes away: at its end, an error, or the
 * close of its cursor.
 */
extern void ssdpar_scan_tracker_start(QueryDesc *query,
									  SsdparScansBlocks scans_blocks);

/* What reads ahead of a scan that is tracked, or NULL. */
extern const SsdparTrackedScan *ssdpar_scan_tracker_find(PlanState *node);

/* The query is about to be ended in the regular way. */
extern void ssdpar_scan_tracker_end(QueryDesc *query);

#endif							/* SSDPAR_SCAN_TRACKER_H */
