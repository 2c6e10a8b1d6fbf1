/*
 * scan_ahead.h
 *		Reads ahead of a sequential scan that a node of ours runs: windows for
 *		the daemon, chunks for the server.
 */
#ifndef SSDPAR_SCAN_AHEAD_H
#define SSDPAR_SCAN_AHEAD_H

#include "prefetch/scan_chunks.h"
#include "prefetch/scan_window.h"

typedef struct SsdparScanAhead
{
	SsdparScanWindow *window;	/* announced here, or NULL */
	SsdparScanChunks *chunks;	/* asked for here, or NULL */
	bool		given;			/* chunks: by who gives the blocks */
	BlockNumber block;			/* that was looked at last */
} SsdparScanAhead;

/*
 * Of a scan of rel that begins; kernel_ahead: chunks only beside who
 * writes.  given: the caller chooses the blocks, and gives them to
 * ssdpar_scan_ahead_give().  The rest as for ssdpar_scan_window_open().
 */
extern void ssdpar_scan_ahead_begin(SsdparScanAhead *ahead, Relation rel,
									TableScanDesc scan, bool parallel,
									int plan_node_id, bool kernel_ahead,
									bool given);

/* Block is to be read next, by the scan or by a read stream ahead of it. */
extern void ssdpar_scan_ahead_give(SsdparScanAhead *ahead, TableScanDesc scan,
								   BlockNumber block);

/* After each row: has the scan come to another page? */
extern void ssdpar_scan_ahead_look(SsdparScanAhead *ahead,
								   TableScanDesc scan);

/* Before the scan ends. */
extern void ssdpar_scan_ahead_end(SsdparScanAhead *ahead, TableScanDesc scan);

#endif							/* SSDPAR_SCAN_AHEAD_H */
