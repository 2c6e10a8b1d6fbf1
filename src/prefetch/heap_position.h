/*
 * heap_position.h
 *		Where a sequential scan of a heap stands, as its descriptor says.
 *
 * The table access method has no call that tells, so the descriptor of core's
 * heap is read as what it is.  All that do so come through here: one place has
 * to be looked at when a new major version changes the descriptor, and the
 * assertions notice a change of meaning that still compiles.
 *
 * Read only, but for a star scan, which takes its own from page to page
 * (starscan/exec/sequential_scan.c).
 */
#ifndef SSDPAR_HEAP_POSITION_H
#define SSDPAR_HEAP_POSITION_H

#include "access/heapam.h"
#include "utils/rel.h"

/*
 * The descriptor of a scan that is open.  A custom access method's may begin
 * with the same fields and go on with others, so the cast needs the heap's own
 * access method.  rs_cblock is none before the first page and after the last
 * one; between these it lies within the table as it was when the scan began,
 * also in a process of a parallel scan.
 */
static inline HeapScanDesc
ssdpar_heap_scan(TableScanDesc scan)
{
	HeapScanDesc heap = (HeapScanDesc) scan;

	Assert(scan->rs_rd->rd_tableam == GetHeapamTableAmRoutine());
	Assert(!BlockNumberIsValid(heap->rs_cblock) ||
		   heap->rs_cblock < heap->rs_nblocks);
	return heap;
}

#endif							/* SSDPAR_HEAP_POSITION_H */
