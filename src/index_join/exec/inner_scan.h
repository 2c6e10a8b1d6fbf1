/*
 * inner_scan.h
 *		All rows of the inner table, in block order.
 */
#ifndef SSDPAR_JOIN_INNER_SCAN_H
#define SSDPAR_JOIN_INNER_SCAN_H

#include "executor/tuptable.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

typedef struct SsdparInnerScan SsdparInnerScan;

/*
 * In the current memory context; heap stays open and locked until the end, and
 * plan_node_id is the join's.
 */
extern SsdparInnerScan *ssdpar_inner_scan_begin(Relation heap,
												Snapshot snapshot,
												int plan_node_id);

/* The next row, or NULL; it stays until the next one. */
extern TupleTableSlot *ssdpar_inner_scan_next(SsdparInnerScan *scan);

extern void ssdpar_inner_scan_end(SsdparInnerScan *scan);

#endif							/* SSDPAR_JOIN_INNER_SCAN_H */
