/*
 * tracked_scan.h
 *		What reads ahead of one of core's scans: of a sequential scan a window,
 *		of an index scan its own entries; or what another part of the library
 *		looks at a scan for.
 */
#ifndef SSDPAR_TRACKED_SCAN_H
#define SSDPAR_TRACKED_SCAN_H

#include "prefetch/index_ahead.h"
#include "prefetch/scan_window.h"

/* Looks at where a scan stands. */
typedef void (*SsdparLookAtScan) (ScanState *node);

/* One of them, or none. */
typedef struct SsdparTrackedScan
{
	SsdparScanWindow *window;
	SsdparIndexAhead *index;
	SsdparLookAtScan look;
} SsdparTrackedScan;

/* By the settings, the table and the index. */
extern bool ssdpar_tracked_scan_possible(ScanState *node);

/*
 * In the current memory context, the query's; false if nothing is to be read
 * ahead.  limit, or NULL: takes this scan's rows and no others.
 */
extern bool ssdpar_tracked_scan_open(SsdparTrackedScan *scan, ScanState *node,
									 const LimitState * limit);

/* A query with scans that are tracked has been started, and has not run. */
extern void ssdpar_tracked_scan_begin(void);

/* A node without a filter is about to be called for a row. */
extern void ssdpar_tracked_scan_before(const SsdparTrackedScan *scan);

/*
 * The scan has come to a row; returned: it has passed the filter, if there is
 * one.  True if the next row should be looked at as well.
 */
extern bool ssdpar_tracked_scan_after(const SsdparTrackedScan *scan,
									  ScanState *node, bool returned);

/* The query is about to be ended in the regular way. */
extern void ssdpar_tracked_scan_end(const SsdparTrackedScan *scan,
									ScanState *node);

#endif							/* SSDPAR_TRACKED_SCAN_H */
