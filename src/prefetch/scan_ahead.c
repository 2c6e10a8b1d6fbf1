/*
 * scan_ahead.c
 *		Reads ahead of a sequential scan that a node of ours runs: windows for
 *		the daemon, chunks for the server.
 */
#include "postgres.h"

#include "base/compat.h"
#include "prefetch/heap_position.h"
#include "prefetch/scan_ahead.h"

/*
 * A read stream of core's is further on than the page that its scan stands on:
 * what would be asked for there it has read already, or is reading.
 */
static bool
knows_next_page(const SsdparScanAhead *ahead)
{
#ifdef SSDPAR_HAS_READ_STREAM
	return ahead->given;
#else
	return true;
#endif
}

void
ssdpar_scan_ahead_begin(SsdparScanAhead *ahead, Relation rel,
						TableScanDesc scan, bool parallel, int plan_node_id,
						bool kernel_ahead, bool given)
{
	ahead->window = ssdpar_scan_window_open(rel, parallel, plan_node_id);
	ahead->given = given;
	ahead->chunks = knows_next_page(ahead) ?
		ssdpar_scan_chunks_open(rel, kernel_ahead) : NULL;
	ssdpar_scan_chunks_begin(ahead->chunks, scan);
	ahead->block = InvalidBlockNumber;
}

void
ssdpar_scan_ahead_give(SsdparScanAhead *ahead, TableScanDesc scan,
					   BlockNumber block)
{
	Assert(ahead->given);
	ssdpar_scan_chunks_ask(ahead->chunks, scan, block);
}

/* There is something to read ahead for heaps only. */
void
ssdpar_scan_ahead_look(SsdparScanAhead *ahead, TableScanDesc scan)
{
	BlockNumber block;

	if (ahead->window == NULL && ahead->chunks == NULL)
		return;
	block = ssdpar_heap_scan(scan)->rs_cblock;
	if (block == ahead->block)
		return;
	ahead->block = block;
	ssdpar_scan_window_look(ahead->window, scan, false);
	if (!ahead->given)
		ssdpar_scan_chunks_ask(ahead->chunks, scan, block);
}

void
ssdpar_scan_ahead_end(SsdparScanAhead *ahead, TableScanDesc scan)
{
	ssdpar_scan_window_end(ahead->window, scan);
	ssdpar_scan_chunks_end(ahead->chunks);
}
