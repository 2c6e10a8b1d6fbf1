/*
 * density.h
 *		Follows how densely a bitmap heap scan's pages lie, and changes its
 *		depth by it.
 */
#ifndef SSDPAR_BITMAP_DENSITY_H
#define SSDPAR_BITMAP_DENSITY_H

#include "nodes/execnodes.h"

/*
 * The scan, which has not run yet, has depth, of core's depth cores: from now
 * on, until the query's memory goes away.
 */
extern void ssdpar_density_follow(BitmapHeapScanState *scan, int depth,
								  int cores);

/*
 * The scan has come to a row; begins: the first, or the first after a rescan.
 * Cheap enough to be said for each.
 */
extern void ssdpar_density_look(BitmapHeapScanState *scan, bool begins);

#endif							/* SSDPAR_BITMAP_DENSITY_H */
