/*
 * inner_scan.h
 *		Returns all rows of the inner table, in block order.
 */
#ifndef SSDPAR_JOIN_INNER_SCAN_H
#define SSDPAR_JOIN_INNER_SCAN_H

#include "executor/tuptable.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

typedef struct SsdparInnerScan SsdparInnerScan;

/*
 * Starts a scan in the current memory context.  heap must stay open and locked
 * until the end.  plan_node_id is the join's.
 */
extern SsdparInnerScan *ssdpar_inner_scan_begin(Relation heap,
												Snapshot snapshot,
												int plan_node_id);

/* Returns the next row, valid until the next call, or NULL. */
extern TupleTableSlot *ssdpar_inner_scan_next(SsdparInnerScan *scan);

extern void ssdpar_inner_scan_end(SsdparInnerScan *scan);

#endif							/* SSDPAR_JOIN_INNER_SCAN_H */
