/*
 * scan_window.h
 *		Announces what a sequential scan of a heap is about to read, for
 *		whoever runs the scan.
 *
 * A node of ours says where its scan stands whenever it comes to another page;
 * core's nodes are watched by scan_tracker.c.  Nothing waits, and nothing here
 * can make the scan fail.
 */
#ifndef SSDPAR_SCAN_WINDOW_H
#define SSDPAR_SCAN_WINDOW_H

#include "access/relscan.h"
#include "utils/relcache.h"

typedef struct SsdparScanWindow SsdparScanWindow;

/*
 * By the settings and by the table: is it a heap, large enough, and do its
 * pages come through the OS page cache?
 */
extern bool ssdpar_scan_window_possible(Relation rel);

/*
 * A window ahead of scans of rel, in the current memory context; it ends with
 * that context if it is not ended before.  rel stays open and locked as long
 * as it is looked at.  parallel: do several processes share the scan?
 * plan_node_id is the same in all of these, and no other node's.
 *
 * NULL if nothing is to be read ahead, by ssdpar.prefetch or because the table
 * is too small, temporary or no heap; the functions below take NULL as well.
 */
extern SsdparScanWindow *ssdpar_scan_window_open(Relation rel, bool parallel,
												 int plan_node_id);

/*
 * The scan may stand on another page than before: announce what lies ahead.
 * To be called at least once in two megabytes or so; one comparison when the
 * page is the same.  A rescan, a turn of direction and the wrap-around of
 * synchronised and parallel scans are found out here.
 */
extern void ssdpar_scan_window_look(SsdparScanWindow *window,
									TableScanDesc scan, bool backward);

/*
 * The scan ends here, early or not: cancel what it will not read, and count
 * it.  scan is NULL if it has never begun.  The window can be used again.
 */
extern void ssdpar_scan_window_end(SsdparScanWindow *window,
								   TableScanDesc scan);

/*
 * What this process has announced so far, rescans included: reads asked of the
 * daemon, and the pages in them, or the pages asked of the server.
 */
typedef struct SsdparAnnounced
{
	uint64		reads;
	uint64		pages;
} SsdparAnnounced;

extern SsdparAnnounced
			ssdpar_scan_window_announced(const SsdparScanWindow *window);

/* Has the scan come so far that there is something to announce? */
extern bool ssdpar_scan_window_started(const SsdparScanWindow *window);

#endif							/* SSDPAR_SCAN_WINDOW_H */
