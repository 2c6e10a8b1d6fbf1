/*
 * tracked_scan.c
 *		What reads ahead of one of core's scans.
 *
 * When a scan is looked at is for scan_tracker.c to say.
 */
#include "postgres.h"

#include "executor/instrument.h"

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

	memset(scan, 0, sizeof(*scan));
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

/* Has this process read pages into shared buffers since the last look? */
static bool
has_read(void)
{
	static int64 before = 0;
	int64		now = pgBufferUsage.shared_blks_read;
	bool		read = now != before;

	before = now;
	return read;
}

/*
 * A sequential scan that reads is looked at for each row until it is worth
 * being tracked, after half a megabyte, and one that others look at as long as
 * it reads.  What is in shared buffers is left alone until the timer's tick:
 * there a look at each row would cost several percent of it.
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
	if (scan->look != NULL)
	{
		scan->look(node);
		return has_read();
	}
	ssdpar_scan_window_look(scan->window, node->ss_currentScanDesc,
							ScanDirectionIsBackward(direction));
	return !ssdpar_scan_window_started(scan->window) && has_read();
}

void
ssdpar_tracked_scan_end(const SsdparTrackedScan *scan, ScanState *node)
{
	ssdpar_scan_window_end(scan->window, node->ss_currentScanDesc);
}
