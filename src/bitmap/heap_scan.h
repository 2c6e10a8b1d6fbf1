/*
 * heap_scan.h
 *		Has core's bitmap heap scans read ahead as the device can.
 */
#ifndef SSDPAR_BITMAP_HEAP_SCAN_H
#define SSDPAR_BITMAP_HEAP_SCAN_H

#include "nodes/execnodes.h"

/*
 * A node of a query that has just been started, in whose memory context this is
 * called, before the node is tracked.
 */
extern void ssdpar_bitmap_heap_start(PlanState *node);

#endif							/* SSDPAR_BITMAP_HEAP_SCAN_H */
