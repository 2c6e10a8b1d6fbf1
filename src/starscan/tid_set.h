/*
 * tid_set.h
 *		A set of row addresses of one table, for ANDing what several indexes
 *		say and then reading the pages in order.
 *
 * Cheap to fill with millions of TIDs in any order: a TID sets one bit in a
 * flat map of its neighbourhood of 64 pages, found without hashing.  Where
 * memory runs out a neighbourhood is reduced to one bit a page (lossy), so
 * adding never fails: every row added is in the set, a lossy page stands for
 * all of its rows.
 */
#ifndef SSDPAR_TID_SET_H
#define SSDPAR_TID_SET_H

#include "storage/block.h"
#include "storage/itemptr.h"

typedef struct SsdparTidSet SsdparTidSet;

/*
 * An empty set for a table of nblocks pages (counted after the snapshot was
 * taken: TIDs beyond are ignored), in a memory context of its own below the
 * current one, at most max_bytes large (some kB for its directory apart).
 * within, if not NULL: TIDs that are not in that finished set are ignored, so
 * that the new set is the intersection; with the same max_bytes it is exact
 * where within is.  within can be freed after the last TID was added.
 */
extern SsdparTidSet *ssdpar_tid_set_create(BlockNumber nblocks,
										   Size max_bytes,
										   const SsdparTidSet *within);
extern void ssdpar_tid_set_add(SsdparTidSet *set, const ItemPointerData *tids,
							   int ntids);
extern void ssdpar_tid_set_free(SsdparTidSet *set);

/*
 * The finished set as a flat list of pages in block order, without pointers,
 * so that it can lie in shared memory.  It takes 8 bytes a page, and 4 for
 * each 32 rows of a page that is not lossy: that may be more than the set.
 */
typedef struct SsdparTidPages SsdparTidPages;

extern Size ssdpar_tid_pages_size(const SsdparTidSet *set);
extern SsdparTidPages *ssdpar_tid_pages_build(const SsdparTidSet *set,
											  void *memory);
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

/*
 * A copy of the set without pointers, for another process to add to a set of
 * its own, which was made with the same nblocks and max_bytes.  It takes no
 * more memory than the set has.  What is added is taken to be within what the
 * other set is within.
 */
typedef struct SsdparTidImage SsdparTidImage;

extern Size ssdpar_tid_image_size(const SsdparTidSet *set);
extern void ssdpar_tid_image_build(const SsdparTidSet *set,
								   SsdparTidImage *image);
extern void ssdpar_tid_set_add_image(SsdparTidSet *set,
									 const SsdparTidImage *image);

#endif							/* SSDPAR_TID_SET_H */
