/*
 * heap_scan.h
 *		Has core's bitmap heap scans read ahead as the device can.
 */
#ifndef SSDPAR_BITMAP_HEAP_SCAN_H
#define SSDPAR_BITMAP_HEAP_SCAN_H

#include "executor/execdesc.h"

/* Those of this query, which has just been started, as long as it lives. */
extern void ssdpar_bitmap_heap_start(QueryDesc *query);

#endif							/* SSDPAR_BITMAP_HEAP_SCAN_H */
