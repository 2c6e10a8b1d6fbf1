/*
 * fact_scan.h
 *		Reads the fact's rows by the prepared access and returns those that
 *		may match.
 */
#ifndef SSDPAR_FACT_SCAN_H
#define SSDPAR_FACT_SCAN_H

#include "access/relscan.h"
#include "nodes/execnodes.h"

#include "starscan/exec/counters.h"
#include "starscan/exec/page_allocator.h"
#include "starscan/exec/result.h"
#include "starscan/exec/ring.h"
#include "starscan/star_plan.h"

typedef struct SsdparFactScan SsdparFactScan;

/*
 * Starts the scan of node ss, in the current memory context, by the access in
 * data.  slot receives the fact's rows, on which the node's quals are
 * evaluated; it is the node's scan slot unless reducers are joined.
 * late_filter is the part of the quals that comes last (fact_slot.h).
 * allocator (for a bitmap) and parallel (for sequential access) divide the work
 * among processes; they are NULL if this process does it alone.  ring is shared
 * by all partitions, or NULL.
 */
extern SsdparFactScan *ssdpar_fact_scan_begin(const SsdparStarPlan *plan,
											  const SsdparStarData *data,
											  ScanState *ss,
											  TupleTableSlot *slot,
											  ExprState *late_filter,
											  SsdparPageAllocator *allocator,
											  ParallelTableScanDesc parallel,
											  SsdparRing *ring,
											  SsdparStarCounters *counters);

/* Returns the next row of the node, projected; NULL at the end. */
extern TupleTableSlot *ssdpar_fact_scan_next(SsdparFactScan *scan);

/* Updates the counters with what has been read so far.  */
extern void ssdpar_fact_scan_count(SsdparFactScan *scan);

/* Releases buffers, page lists and scans, and completes the counters.  */
extern void ssdpar_fact_scan_end(SsdparFactScan *scan);

#endif							/* SSDPAR_FACT_SCAN_H */
