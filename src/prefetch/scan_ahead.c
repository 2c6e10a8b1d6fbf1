/*
 * scan_ahead.c
 *		Reads ahead of a sequential scan that one of our nodes runs: windows
 *		through the daemon, or chunks through the kernel.
 */
#include "postgres.h"

#include "base/compat.h"
#include "prefetch/heap_position.h"
#include "prefetch/scan_ahead.h"

void
ssdpar_scan_ahead_begin(SsdparScanAhead *ahead, Relation rel,
						TableScanDesc scan, bool parallel, int plan_node_id,
						bool kernel_ahead)
{
	ahead->window = ssdpar_scan_window_open(rel, parallel, plan_node_id);
	ahead->chunks = ssdpar_scan_chunks_open(rel, kernel_ahead);
	ssdpar_scan_chunks_begin(ahead->chunks, scan);
	ahead->block = InvalidBlockNumber;
}

void
ssdpar_scan_ahead_give(SsdparScanAhead *ahead, TableScanDesc scan,
					   BlockNumber block)
{
	ssdpar_scan_chunks_ask(ahead->chunks, scan, block);
}

/* Only heaps are read ahead. */
void
ssdpar_scan_ahead_look(SsdparScanAhead *ahead, TableScanDesc scan)
{
	BlockNumber block;

	if (ahead->window == NULL)
		return;
	block = ssdpar_heap_scan(scan)->rs_cblock;
	if (block == ahead->block)
		return;
	ahead->block = block;
	ssdpar_scan_window_look(ahead->window, scan);
}

void
ssdpar_scan_ahead_end(SsdparScanAhead *ahead, TableScanDesc scan)
{
	ssdpar_scan_window_end(ahead->window, scan);
	ssdpar_scan_chunks_end(ahead->chunks);
}
