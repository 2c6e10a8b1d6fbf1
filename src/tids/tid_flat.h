/*
 * tid_flat.h
 *		A TID bitmap's flat form: a copy without pointers, for another process
 *		to add to a bitmap of its own.
 *
 * That bitmap must have been made with the same nblocks and max_bytes, so that
 * both have the same regions.  The copy takes no more memory than the bitmap
 * has.
 */
#ifndef SSDPAR_TID_FLAT_H
#define SSDPAR_TID_FLAT_H

#include "tids/tid_bitmap.h"

typedef struct SsdparFlatTids SsdparFlatTids;

/* Bytes of the copy; make it there; add what it holds. */
extern Size ssdpar_flat_tids_size(const SsdparTidBitmap *bitmap);
extern void ssdpar_flat_tids_build(const SsdparTidBitmap *bitmap,
								   SsdparFlatTids *flat);
extern void ssdpar_flat_tids_add(const SsdparFlatTids *flat,
								 SsdparTidBitmap *bitmap);

#endif							/* SSDPAR_TID_FLAT_H */
