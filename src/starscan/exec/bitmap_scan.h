/*
 * bitmap_scan.h
 *		Bitmap access of a star scan, second half: returns the rows of the
 *		bitmap's pages.
 */
#ifndef SSDPAR_BITMAP_SCAN_H
#define SSDPAR_BITMAP_SCAN_H

#include "starscan/exec/read_ahead.h"
#include "starscan/exec/row_filters.h"
#include "utils/snapshot.h"

typedef struct SsdparBitmapScan SsdparBitmapScan;

/*
 * Starts a scan of the given pages of rel, in the current memory context.  If
 * allocator is not NULL, it divides the pages among the processes.  Pages are
 * read through ring (see read_ahead.h).  Rows of exact pages have to pass
 * exact_filters, rows of lossy pages have to pass filters.
 */
extern SsdparBitmapScan *
			ssdpar_bitmap_scan_begin(Relation rel, Snapshot snapshot,
									 const SsdparTidPages *pages,
									 SsdparPageAllocator *allocator,
									 SsdparRing *ring,
									 SsdparReadCounters *counters,
									 SsdparRowFilters *filters,
									 SsdparRowFilters *exact_filters);

/*
 * Stores the next visible row that passes the page filters in slot, and the
 * filters that it still has to pass in *filters.  Returns false, with an empty
 * slot, after the last row.
 */
extern bool ssdpar_bitmap_scan_next(SsdparBitmapScan *scan,
									TupleTableSlot *slot,
									SsdparRowFilters **filters);

extern void ssdpar_bitmap_scan_end(SsdparBitmapScan *scan);

#endif							/* SSDPAR_BITMAP_SCAN_H */
