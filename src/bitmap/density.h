/*
 * density.h
 *		Adapts the depth of a bitmap heap scan to how densely its pages are
 *		located.
 */
#ifndef SSDPAR_BITMAP_DENSITY_H
#define SSDPAR_BITMAP_DENSITY_H

#include "prefetch/tracked_scan.h"

/*
 * Makes the scan, which has not run yet, read at depth, instead of at cores,
 * which is core's depth.  Lasts until the query's memory is freed.
 */
extern void ssdpar_density_follow(BitmapHeapScanState *scan, int depth,
								  int cores);

/* Its bitmap is about to be built, for the first time or after a rescan. */
extern void ssdpar_density_begin(BitmapHeapScanState *scan);

/* The function that inspects this scan while it reads, or NULL. */
extern SsdparLookAtScan ssdpar_density_looked_at_by(const PlanState *node);

#endif							/* SSDPAR_BITMAP_DENSITY_H */
