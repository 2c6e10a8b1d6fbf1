/*
 * tid_bitmap.h
 *		A bitmap of row addresses (TIDs) of one table, used to AND the results
 *		of several indexes and then to read the pages in order.
 *
 * It is cheap to fill with millions of TIDs in any order: a TID sets one bit
 * in the flat map of its neighborhood of 64 pages, which is found without
 * hashing.  If memory is exhausted, a neighborhood is reduced to one bit for
 * each page (lossy), so adding never fails.  Every added row is in the bitmap;
 * a lossy page represents all of its rows.
 *
 * A finished bitmap is converted by tid_pages.h, to read pages, or by
 * tid_flat.h, to add it to another process's bitmap.
 */
#ifndef SSDPAR_TID_BITMAP_H
#define SSDPAR_TID_BITMAP_H

#include "storage/block.h"
#include "storage/itemptr.h"

#include "tids/tid_memory.h"

typedef struct SsdparTidBitmap SsdparTidBitmap;

/*
 * Creates an empty bitmap for a table of nblocks pages, in a new memory
 * context below the current one, of at most max_bytes (plus a few kB for its
 * directory).  nblocks must be taken after the snapshot; TIDs beyond it are
 * ignored.
 *
 * If within is not NULL, TIDs that are not in that finished bitmap are
 * ignored.  If both have the same max_bytes, the new bitmap is exact where
 * within is.  Where within is lossy, it lets all rows of a page pass, and the
 * new bitmap may still be exact, which yields fewer pages than making it lossy
 * too.  within can be freed after the last TID was added.
 */
extern SsdparTidBitmap *
			ssdpar_tid_bitmap_create(BlockNumber nblocks, Size max_bytes,
									 const SsdparTidBitmap *within);
extern void ssdpar_tid_bitmap_add(SsdparTidBitmap *bitmap,
								  const ItemPointerData *tids, int ntids);
extern void ssdpar_tid_bitmap_free(SsdparTidBitmap *bitmap);

/*
 * May exact places have rows that within lets pass only because it is lossy
 * there?  Otherwise they are the intersection.
 */
extern bool ssdpar_tid_bitmap_is_beyond(const SsdparTidBitmap *bitmap);

/*
 * Contents of the bitmap for some adjacent pages.  By stride:
 *
 *	1 to SSDPAR_MAX_STRIDE	exact: rows has as many words of 32 rows for
 *							each of SSDPAR_NEIGHBOURS pages
 *	SSDPAR_TIDS_LOSSY		pages has one bit for each of them
 *	SSDPAR_TIDS_WHOLE		all npages pages, with all of their rows
 *
 * SSDPAR_TIDS_LOSSY is greater than any row's word number, so no row widens a
 * lossy place.
 */
#define SSDPAR_TIDS_LOSSY 0x10000
#define SSDPAR_TIDS_WHOLE (SSDPAR_TIDS_LOSSY + 1)

typedef struct SsdparTidPlace
{
	BlockNumber first;
	uint32		npages;
	uint32		stride;
	const uint32 *rows;
	uint64		pages;
} SsdparTidPlace;

/*
 * Returns the next non-empty place in block order, starting from *block, and
 * advances *block, which must be 0 at the beginning.  Returns false after the
 * last place.
 */
extern bool ssdpar_tid_bitmap_next(const SsdparTidBitmap *bitmap,
								   uint64 *block, SsdparTidPlace *place);

/*
 * Adds a place of another bitmap that was created with the same nblocks and
 * max_bytes.  The place is assumed to be within the same bitmap as this one.
 * If the other bitmap is beyond it, this one has to be marked as well.
 */
extern void ssdpar_tid_bitmap_add_place(SsdparTidBitmap *bitmap,
										const SsdparTidPlace *place);
extern void ssdpar_tid_bitmap_set_beyond(SsdparTidBitmap *bitmap);

#endif							/* SSDPAR_TID_BITMAP_H */
