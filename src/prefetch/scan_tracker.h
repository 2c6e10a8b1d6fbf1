/*
 * scan_tracker.h
 *		Announces what the scans of a query are about to read.
 */
#ifndef SSDPAR_SCAN_TRACKER_H
#define SSDPAR_SCAN_TRACKER_H

#include "executor/execdesc.h"

#include "prefetch/tracked_scan.h"

/* What is tracked besides core's SeqScans and IndexScans. */
typedef struct SsdparOtherScans
{
	/* Is shown each node before it is tracked. */
	void		(*starts) (PlanState *node);

	/* Does this node read its table block by block as well? */
	bool		(*reads_blocks) (const PlanState *node);

	/* Who looks at it now and then, or NULL. */
	SsdparLookAtScan (*looked_at_by) (const PlanState *node);
} SsdparOtherScans;

/*
 * Track the sequential scans of large tables and the scans of btrees in this
 * query, which has just been started, and others.
 * They are tracked until its memory goes away: at its end, an error, or the
 * close of its cursor.
 */
extern void ssdpar_scan_tracker_start(QueryDesc *query,
									  const SsdparOtherScans *others);

/*
 * The node's function, which stood in ExecProcNodeReal when it was tracked, is
 * another one from now on.  For whoever has stood there and leaves.
 */
extern void ssdpar_scan_tracker_exec_is(PlanState *node, ExecProcNodeMtd exec);

/* What reads ahead of a scan that is tracked, or NULL. */
extern const SsdparTrackedScan *ssdpar_scan_tracker_find(PlanState *node);

/* The query is about to be ended in the regular way. */
extern void ssdpar_scan_tracker_end(QueryDesc *query);

#endif							/* SSDPAR_SCAN_TRACKER_H */
