/*
 * tid_pages.h
 *		A finished TID bitmap as a flat list of pages in block order.
 *
 * Without pointers, so that it can lie in shared memory.  It takes 8 bytes a
 * page, and 4 for each 32 rows of a page that is not lossy: that may be more
 * than the bitmap takes.  It does not change any more, so that any number of
 * processes read it without a lock.
 */
#ifndef SSDPAR_TID_PAGES_H
#define SSDPAR_TID_PAGES_H

#include "tids/tid_bitmap.h"

typedef struct SsdparTidPages SsdparTidPages;

/*
 * Bytes and pages that the list will have, and the list itself in as many bytes
 * of memory.
 */
extern Size ssdpar_tid_pages_size(const SsdparTidBitmap *bitmap,
								  uint32 *count);
extern SsdparTidPages *ssdpar_tid_pages_build(const SsdparTidBitmap *bitmap,
											  void *memory);

/* Pages in all, and those of them that are lossy. */
extern uint32 ssdpar_tid_pages_count(const SsdparTidPages *pages);
extern uint32 ssdpar_tid_pages_lossy(const SsdparTidPages *pages);

/* Block numbers of all pages, ascending: what to read ahead. */
extern const BlockNumber *ssdpar_tid_pages_blocks(const SsdparTidPages *pages);

/*
 * The rows of page number i (0 to count - 1): their offsets into offsets,
 * which has room for MaxHeapTuplesPerPage, and how many; -1 if the page is
 * lossy, that is all of its rows.
 */
extern int	ssdpar_tid_pages_rows(const SsdparTidPages *pages, uint32 i,
								  OffsetNumber *offsets);

#endif							/* SSDPAR_TID_PAGES_H */
