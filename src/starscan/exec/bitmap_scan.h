/*
 * bitmap_scan.h
 *		A star scan's bitmap access, second half: the rows of the bitmap's
 *		pages.
 */
#ifndef SSDPAR_BITMAP_SCAN_H
#define SSDPAR_BITMAP_SCAN_H

#include "starscan/exec/read_ahead.h"
#include "starscan/exec/row_filters.h"
#include "utils/snapshot.h"

typedef struct SsdparBitmapScan SsdparBitmapScan;

/*
 * Of rel's pages, those of allocator for this process or all, through ring
 * (read_ahead.h), in the current memory context.  Rows of an exact page have to
 * pass exact_filters, those of a lossy page filters.
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
 * The next visible row that the page filters let pass, and the filters that it
 * still has to pass; false after the last one, with slot empty.
 */
extern bool ssdpar_bitmap_scan_next(SsdparBitmapScan *scan,
									TupleTableSlot *slot,
									SsdparRowFilters **filters);

extern void ssdpar_bitmap_scan_end(SsdparBitmapScan *scan);

#endif							/* SSDPAR_BITMAP_SCAN_H */
