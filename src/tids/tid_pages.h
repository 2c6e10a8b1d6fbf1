/*
 * tid_pages.h
 *		A finished TID bitmap as a flat list of pages in block order.
 *
 * It contains no pointers, so it can be placed in shared memory.  It takes 8
 * bytes for each page, and 4 bytes for each 32 rows of a page that is not
 * lossy, which may be more than the bitmap takes.  It does not change, so any
 * number of processes can read it without a lock.
 */
#ifndef SSDPAR_TID_PAGES_H
#define SSDPAR_TID_PAGES_H

#include "tids/tid_bitmap.h"

typedef struct SsdparTidPages SsdparTidPages;

/*
 * Returns the size of the list and its number of pages; builds the list in
 * that many bytes of memory.
 */
extern Size ssdpar_tid_pages_size(const SsdparTidBitmap *bitmap,
								  uint32 *count);
extern SsdparTidPages *ssdpar_tid_pages_build(const SsdparTidBitmap *bitmap,
											  void *memory);

/* Return the number of all pages, and of lossy pages.  */
extern uint32 ssdpar_tid_pages_count(const SsdparTidPages *pages);
extern uint32 ssdpar_tid_pages_lossy(const SsdparTidPages *pages);

/* Returns the block numbers of all pages, ascending, for read-ahead.  */
extern const BlockNumber *ssdpar_tid_pages_blocks(const SsdparTidPages *pages);

/*
 * Stores the row offsets of page number i (0 to count - 1) in offsets, which
 * has room for MaxHeapTuplesPerPage, and returns their number; -1 if the page
 * is lossy, which means all of its rows.
 */
extern int	ssdpar_tid_pages_rows(const SsdparTidPages *pages, uint32 i,
								  OffsetNumber *offsets);

#endif							/* SSDPAR_TID_PAGES_H */
