/*
 * scan_window.h
 *		Announces the blocks that a sequential heap scan is about to read,
 *		on behalf of the node of ours that runs the scan.
 *
 * The node reports the position of its scan whenever it reaches another page.
 * Nothing waits, and nothing here can make the scan fail.
 */
#ifndef SSDPAR_SCAN_WINDOW_H
#define SSDPAR_SCAN_WINDOW_H

#include "access/relscan.h"
#include "utils/relcache.h"

typedef struct SsdparScanWindow SsdparScanWindow;

/*
 * Do the settings and the table allow it?  It must be a heap, large enough,
 * and read through the OS page cache.
 */
extern bool ssdpar_scan_window_possible(Relation rel);

/*
 * Creates a window for scans of rel, in the current memory context; it ends
 * with that context unless ended before.  rel must stay open and locked as
 * long as it is used.  parallel tells whether several processes share the
 * scan.  plan_node_id is equal in all of these, and different from other
 * nodes.
 *
 * Returns NULL if nothing should be read ahead, because of ssdpar.prefetch or
 * because the table is too small, temporary or not a heap; the functions below
 * accept NULL.
 */
extern SsdparScanWindow *ssdpar_scan_window_open(Relation rel, bool parallel,
												 int plan_node_id);

/*
 * Called when the scan may have reached another page: announces what follows.
 * To be called at least once in about two megabytes; if the page is the same,
 * it costs one comparison.  A rescan and the wraparound of synchronized and
 * parallel scans are detected here.
 */
extern void ssdpar_scan_window_look(SsdparScanWindow *window,
									TableScanDesc scan);

/*
 * The scan ends here, early or not: cancels what it will not read, and counts
 * it. scan is NULL if it has never begun.  The window can be reused.
 */
extern void ssdpar_scan_window_end(SsdparScanWindow *window,
								   TableScanDesc scan);

#endif							/* SSDPAR_SCAN_WINDOW_H */
