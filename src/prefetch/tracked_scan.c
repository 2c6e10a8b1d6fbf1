/*
 * tracked_scan.c
 *		What reads ahead of one of core's scans.
 *
 * When a scan is looked at is for scan_tracker.c to say.
 */
#include "postgres.h"

#include "base/settings.h"
#include "prefetch/tracked_scan.h"

bool
ssdpar_tracked_scan_possible(ScanState *node)
{
	return IsA(node, IndexScanState) ?
		ssdpar_index_ahead_possible((IndexScanState *) node) :
		ssdpar_scan_window_possible(node->ss_currentRelation);
}

bool
ssdpar_tracked_scan_open(SsdparTrackedScan *scan, ScanState *node,
						 const LimitState * limit)
{
	const Plan *plan = node->ps.plan;

	scan->window = NULL;
	scan->index = NULL;
	if (IsA(node, IndexScanState))
		scan->index = ssdpar_index_ahead_open((IndexScanState *) node, limit);
	else
		scan->window = ssdpar_scan_window_open(node->ss_currentRelation,
											   plan->parallel_aware,
											   plan->plan_node_id);
	return scan->window != NULL || scan->index != NULL;
}

static bool
reads_ahead(void)
{
	return ssdpar_enabled && ssdpar_prefetch != SSDPAR_PREFETCH_OFF;
}

void
ssdpar_tracked_scan_before(const SsdparTrackedScan *scan)
{
	if (scan->index != NULL && reads_ahead())
		ssdpar_index_ahead_before(scan->index);
}

/*
 * A sequential scan is looked at for each row until it is worth being tracked,
 * after half a megabyte.
 */
bool
ssdpar_tracked_scan_after(const SsdparTrackedScan *scan, ScanState *node,
						  bool returned)
{
	ScanDirection direction = node->ps.state->es_direction;

	if (!reads_ahead())
		return false;
	if (scan->index != NULL)
		return ssdpar_index_ahead_after(scan->index, returned);
	ssdpar_scan_window_look(scan->window, node->ss_currentScanDesc,
							ScanDirectionIsBackward(direction));
	return !ssdpar_scan_window_started(scan->window);
}

void
ssdpar_tracked_scan_end(const SsdparTrackedScan *scan, ScanState *node)
{
	ssdpar_scan_window_end(scan->window, node->ss_currentScanDesc);
}
