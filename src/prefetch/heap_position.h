/*
 * heap_position.h
 *		Reads the position of a sequential heap scan from its descriptor.
 *
 * The table access method has no call for this, so core's heap descriptor is
 * accessed directly.  All such accesses use this header.  Therefore only one
 * place has to be checked when a new major version changes the descriptor, and
 * the assertions detect changes of meaning that still compile.
 *
 * The descriptor is read only, except by a star scan, which advances its own
 * scan from page to page (starscan/exec/sequential_scan.c).
 */
#ifndef SSDPAR_HEAP_POSITION_H
#define SSDPAR_HEAP_POSITION_H

#include "access/heapam.h"
#include "utils/rel.h"

/*
 * Returns the descriptor of an open scan.  The descriptor of another access
 * method may begin with the same fields but continue differently, so the cast
 * requires the heap access method.  rs_cblock is invalid before the first page
 * and after the last one.  In between it is within the table's size at the
 * start of the scan, also in processes of a parallel scan.
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
