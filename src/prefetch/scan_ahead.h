/*
 * scan_ahead.h
 *		Reads ahead of a sequential scan that one of our nodes runs: windows
 *		through the daemon, or chunks through the kernel.
 */
#ifndef SSDPAR_SCAN_AHEAD_H
#define SSDPAR_SCAN_AHEAD_H

#include "prefetch/scan_chunks.h"
#include "prefetch/scan_window.h"

typedef struct SsdparScanAhead
{
	SsdparScanWindow *window;	/* announces the scan, or NULL */
	SsdparScanChunks *chunks;	/* requests chunks, or NULL */
	BlockNumber block;			/* last block examined */
} SsdparScanAhead;

/*
 * Begins a scan of rel.  If kernel_ahead is true, chunks are used only while a
 * process waits for a write.  The other arguments are those of
 * ssdpar_scan_window_open().
 */
extern void ssdpar_scan_ahead_begin(SsdparScanAhead *ahead, Relation rel,
									TableScanDesc scan, bool parallel,
									int plan_node_id, bool kernel_ahead);

/* block will be read next, by the scan or by a read stream ahead of it. */
extern void ssdpar_scan_ahead_give(SsdparScanAhead *ahead, TableScanDesc scan,
								   BlockNumber block);

/* Called after each row: checks whether the scan has reached another page. */
extern void ssdpar_scan_ahead_look(SsdparScanAhead *ahead,
								   TableScanDesc scan);

/* Called before the scan ends. */
extern void ssdpar_scan_ahead_end(SsdparScanAhead *ahead, TableScanDesc scan);

#endif							/* SSDPAR_SCAN_AHEAD_H */
