/*
 * tracked_scan.c
 *		Reads ahead of one of core's scans.
 *
 * scan_tracker.c decides when a scan is inspected.
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

/* Number of inspections, one per row; more than the rows of a page. */
#define PAGE_LOOKS 300

static int64 read_before = 0;	/* by this process, at the last look */
static int	looks_left = 0;		/* for a scan that has read a page */

/* Pages read before a query begins, for planning, do not count. */
void
ssdpar_tracked_scan_begin(void)
{
	read_before = pgBufferUsage.shared_blks_read;
	looks_left = 0;
}

/*
 * Has this process read a page into shared buffers within the last PAGE_LOOKS
 * looks?
 */
static bool
reads(void)
{
	int64		now = pgBufferUsage.shared_blks_read;

	if (now != read_before)
		looks_left = PAGE_LOOKS;
	else if (looks_left > 0)
		looks_left--;
	read_before = now;
	return looks_left > 0;
}

/*
 * A sequential scan that reads is inspected for each row until it has read
 * half a megabyte, when it is worth tracking.  A scan of shared buffers is left
 * alone until the timer fires, because inspecting each row and announcing its
 * pages would noticeably slow it down.
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
	if (!reads())
		return false;
	ssdpar_scan_window_look(scan->window, node->ss_currentScanDesc,
							ScanDirectionIsBackward(direction));
	return !ssdpar_scan_window_started(scan->window);
}

void
ssdpar_tracked_scan_end(const SsdparTrackedScan *scan, ScanState *node)
{
	ssdpar_scan_window_end(scan->window, node->ss_currentScanDesc);
}
