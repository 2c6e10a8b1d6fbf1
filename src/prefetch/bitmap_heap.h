/*
 * bitmap_heap.h
 *		Has core's bitmap heap scans read ahead at the device's depth.
 */
#ifndef SSDPAR_BITMAP_HEAP_H
#define SSDPAR_BITMAP_HEAP_H

#include "executor/execdesc.h"

/* Those of this query, which has just been started, as long as it lives. */
extern void ssdpar_bitmap_heap_start(QueryDesc *query);

#endif							/* SSDPAR_BITMAP_HEAP_H */
