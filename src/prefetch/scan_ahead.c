/*
 * scan_ahead.c
 *		Reads ahead of a sequential scan that one of our nodes runs: windows
 *		through the daemon, or chunks through the kernel.
 */
#include "postgres.h"

#include "base/compat.h"
#include "prefetch/heap_position.h"
#include "prefetch/scan_ahead.h"

/*
 * A read stream of core's is ahead of the page that its scan has reached, so
 * it has already read, or is reading, the pages that would be requested from
 * there.
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

/* Only heaps are read ahead. */
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
