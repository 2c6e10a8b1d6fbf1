/*
 * scan_tracker.h
 *		Announces the blocks that the scans of a query are about to read.
 */
#ifndef SSDPAR_SCAN_TRACKER_H
#define SSDPAR_SCAN_TRACKER_H

#include "executor/execdesc.h"

#include "prefetch/tracked_scan.h"

/* What to track in addition to core's SeqScans and IndexScans. */
typedef struct SsdparOtherScans
{
	/* Called for each node before it is tracked. */
	void		(*starts) (PlanState *node);

	/* Does this node also read its table block by block? */
	bool		(*reads_blocks) (const PlanState *node);

	/* Returns a function that inspects the node from time to time, or NULL. */
	SsdparLookAtScan (*looked_at_by) (const PlanState *node);
} SsdparOtherScans;

/*
 * Tracks the sequential scans of large tables and the btree scans in this
 * query, which was just started, and others.  Tracking ends when its memory is
 * freed: at its end, after an error, or when its cursor is closed.
 */
extern void ssdpar_scan_tracker_start(QueryDesc *query,
									  const SsdparOtherScans *others);

/*
 * The node's function, which was in ExecProcNodeReal when tracking began, is
 * replaced by exec.  For code that had stored its function there and removes
 * it.
 */
extern void ssdpar_scan_tracker_exec_is(PlanState *node, ExecProcNodeMtd exec);

/* What reads ahead of a tracked scan, or NULL. */
extern const SsdparTrackedScan *ssdpar_scan_tracker_find(PlanState *node);

/* The query is about to be ended normally. */
extern void ssdpar_scan_tracker_end(QueryDesc *query);

#endif							/* SSDPAR_SCAN_TRACKER_H */
