/*
 * tid_bitmap.h
 *		A bitmap of row addresses (TIDs) of one table, for ANDing what several
 *		indexes say and then reading the pages in order.
 *
 * Cheap to fill with millions of TIDs in any order: a TID sets one bit in a
 * flat map of its neighbourhood of 64 pages, found without hashing.  Where
 * memory runs out a neighbourhood is reduced to one bit a page (lossy), so
 * adding never fails: every row added is in the bitmap, a lossy page stands
 * for all of its rows.
 *
 * What a finished bitmap is turned into: tid_pages.h, to read pages by;
 * tid_flat.h, to add it to another process's bitmap.
 */
#ifndef SSDPAR_TID_BITMAP_H
#define SSDPAR_TID_BITMAP_H

#include "storage/block.h"
#include "storage/itemptr.h"

#include "tids/tid_memory.h"

typedef struct SsdparTidBitmap SsdparTidBitmap;

/*
 * An empty bitmap for a table of nblocks pages (counted after the snapshot was
 * taken: TIDs beyond are ignored), in a memory context of its own below the
 * current one, at most max_bytes large (some kB for its directory apart).
 * within, if not NULL: TIDs that are not in that finished bitmap are ignored;
 * with the same max_bytes the new one is exact where within is.  Where within
 * is lossy it lets through all rows of a page, and the new one may still be
 * exact: fewer pages than if that made it lossy, too.  within can be freed
 * after the last TID was added.
 */
extern SsdparTidBitmap *
			ssdpar_tid_bitmap_create(BlockNumber nblocks, Size max_bytes,
									 const SsdparTidBitmap *within);
extern void ssdpar_tid_bitmap_add(SsdparTidBitmap *bitmap,
								  const ItemPointerData *tids, int ntids);
extern void ssdpar_tid_bitmap_free(SsdparTidBitmap *bitmap);

/*
 * May exact places hold rows that within lets through only because it is lossy
 * there?  Else they hold the intersection.
 */
extern bool ssdpar_tid_bitmap_is_beyond(const SsdparTidBitmap *bitmap);

/*
 * What the bitmap holds of some neighbouring pages.  By stride:
 *
 *		1 to SSDPAR_MAX_STRIDE	exact: rows has as many words of 32 rows for
 *								each of SSDPAR_NEIGHBOURS pages
 *		SSDPAR_TIDS_LOSSY		pages has one bit for each of them
 *		SSDPAR_TIDS_WHOLE		all of the npages pages, any row of them
 *
 * More than any row's word number: no row makes a lossy place wider.
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
 * The next place that is not empty, in block order, beginning with *block,
 * which is moved on; it begins at 0.  False after the last one.
 */
extern bool ssdpar_tid_bitmap_next(const SsdparTidBitmap *bitmap,
								   uint64 *block, SsdparTidPlace *place);

/*
 * Add a place of another bitmap, made with the same nblocks and max_bytes.
 * It is taken to be within what this bitmap is within; where the other one is
 * beyond that, so is this one from then on.
 */
extern void ssdpar_tid_bitmap_add_place(SsdparTidBitmap *bitmap,
										const SsdparTidPlace *place);
extern void ssdpar_tid_bitmap_set_beyond(SsdparTidBitmap *bitmap);

#endif							/* SSDPAR_TID_BITMAP_H */
