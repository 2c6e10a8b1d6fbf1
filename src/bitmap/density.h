/*
 * density.h
 *		Follows how densely a bitmap heap scan's pages lie, and changes its
 *		depth by it.
 */
#ifndef SSDPAR_BITMAP_DENSITY_H
#define SSDPAR_BITMAP_DENSITY_H

#include "prefetch/tracked_scan.h"

/*
 * The scan, which has not run yet, is to read at depth, and at cores without
 * us: from now on, until the query's memory goes away.
 */
extern void ssdpar_density_follow(BitmapHeapScanState *scan, int depth,
								  int cores);

/* Its bitmap is going to be made, for the first time or after a rescan. */
extern void ssdpar_density_begin(BitmapHeapScanState *scan);

/* What is to look where this scan stands, while it reads; or NULL. */
extern SsdparLookAtScan ssdpar_density_looked_at_by(const PlanState *node);

#endif							/* SSDPAR_BITMAP_DENSITY_H */
