/*
 * tid_flat.h
 *		Flat form of a TID bitmap: a copy without pointers, which another
 *		process can add to its bitmap.
 *
 * That bitmap must have been created with the same nblocks and max_bytes, so
 * that both have the same regions.  The copy is not larger than the bitmap.
 */
#ifndef SSDPAR_TID_FLAT_H
#define SSDPAR_TID_FLAT_H

#include "tids/tid_bitmap.h"

typedef struct SsdparFlatTids SsdparFlatTids;

/*
 * Return the size of the copy; build it there; add its contents to a bitmap.
 */
extern Size ssdpar_flat_tids_size(const SsdparTidBitmap *bitmap);
extern void ssdpar_flat_tids_build(const SsdparTidBitmap *bitmap,
								   SsdparFlatTids *flat);
extern void ssdpar_flat_tids_add(const SsdparFlatTids *flat,
								 SsdparTidBitmap *bitmap);

#endif							/* SSDPAR_TID_FLAT_H */
