/*
 * heap_scan.h
 *		Makes core's bitmap heap scans read ahead as far as the device
 *		permits.
 */
#ifndef SSDPAR_BITMAP_HEAP_SCAN_H
#define SSDPAR_BITMAP_HEAP_SCAN_H

#include "nodes/execnodes.h"

/*
 * Called for a node of a query that was just started, in the query's memory
 * context, before the node is tracked.
 */
extern void ssdpar_bitmap_heap_start(PlanState *node);

#endif							/* SSDPAR_BITMAP_HEAP_SCAN_H */
