/*
 * fact_scan.h
 *		Reads the fact's rows, by the access that was prepared, and lets those
 *		through that may match.
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
 * For node ss, in the current memory context, by what is in data.  slot is for
 * the fact's rows, by which the node's quals are computed: the node's scan
 * slot, unless reducers are joined.  allocator and parallel divide the rows
 * among processes, by bitmap and sequentially; NULL where this one reads them
 * all.  ring is that of all partitions, or NULL.
 */
extern SsdparFactScan *ssdpar_fact_scan_begin(const SsdparStarPlan *plan,
											  const SsdparStarData *data,
											  ScanState *ss,
											  TupleTableSlot *slot,
											  SsdparPageAllocator *allocator,
											  ParallelTableScanDesc parallel,
											  SsdparRing *ring,
											  SsdparStarCounters *counters);

/* The next row that comes out of the node, projected; NULL at the end. */
extern TupleTableSlot *ssdpar_fact_scan_next(SsdparFactScan *scan);

/* Have the counters tell what was read until now. */
extern void ssdpar_fact_scan_count(SsdparFactScan *scan);

/* Buffers, page lists, scans are let go; counts are complete. */
extern void ssdpar_fact_scan_end(SsdparFactScan *scan);

#endif							/* SSDPAR_FACT_SCAN_H */
