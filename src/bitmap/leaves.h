/*
 * leaves.h
 *		Reads the leaves of bitmap index scans ahead.
 */
#ifndef SSDPAR_BITMAP_LEAVES_H
#define SSDPAR_BITMAP_LEAVES_H

#include "nodes/execnodes.h"

/* Called when the bitmap heap scan is about to build its bitmap. */
extern void ssdpar_bitmap_leaves_read(BitmapHeapScanState *scan);

#endif							/* SSDPAR_BITMAP_LEAVES_H */
