/*
 * tracked_scan.h
 *		Reads ahead of one of core's scans: a window for a sequential scan,
 *		the entries for an index scan.
 */
#ifndef SSDPAR_TRACKED_SCAN_H
#define SSDPAR_TRACKED_SCAN_H

#include "prefetch/index_ahead.h"
#include "prefetch/scan_window.h"

/* At most one of these is set. */
typedef struct SsdparTrackedScan
{
	SsdparScanWindow *window;
	SsdparIndexAhead *index;
} SsdparTrackedScan;

/* Do the settings, the table and the index allow it? */
extern bool ssdpar_tracked_scan_possible(ScanState *node);

/*
 * Creates it in the current memory context, which is the query's.  Returns
 * false if nothing should be read ahead.  limit applies to exactly the rows of
 * this scan, or is NULL.
 */
extern bool ssdpar_tracked_scan_open(SsdparTrackedScan *scan, ScanState *node,
									 const LimitState * limit);

/* A query with tracked scans has been started, but has not run. */
extern void ssdpar_tracked_scan_begin(void);

/* A node without a filter is about to be called for a row. */
extern void ssdpar_tracked_scan_before(const SsdparTrackedScan *scan);

/*
 * The scan has reached a row; returned tells whether it has passed the filter,
 * if any.  Returns true if the next row should be inspected as well.
 */
extern bool ssdpar_tracked_scan_after(const SsdparTrackedScan *scan,
									  ScanState *node, bool returned);

/* The query is about to be ended normally. */
extern void ssdpar_tracked_scan_end(const SsdparTrackedScan *scan,
									ScanState *node);

#endif							/* SSDPAR_TRACKED_SCAN_H */
