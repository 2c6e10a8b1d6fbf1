/*
 * fact_scan.c
 *		Reads the fact's rows by the prepared access and returns those that
 *		may match.
 *
 * Each row is tested by the page filters, the node's own filter, and the
 * remaining filters, in this order.  The node's own filter precedes filters
 * that call functions of the column types, because these could fail for a row
 * that the node's filter hides.  page_filters.c explains why the page filters
 * can come first.  Conditions that execute a subquery come last (fact_slot.c).
 *
 * A row can pass by mistake because of a lossy page, a Bloom filter or a
 * deferred filter.  The joins above drop it or, if there is no join
 * (joined_columns.c), the lookup of its partner does.  A row that matches is
 * never dropped.  Rows are returned whole or projected.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "starscan/exec/bitmap_scan.h"
#include "starscan/exec/fact_scan.h"
#include "starscan/exec/joined_columns.h"
#include "starscan/exec/sequential_scan.h"

/* Invariant: exactly one of bitmap and sequential is not NULL. */
struct SsdparFactScan
{
	ScanState  *ss;
	TupleTableSlot *slot;		/* for the fact's rows */
	ExprState  *late_filter;	/* for rows that pass everything else */
	SsdparJoinedColumns *joined;	/* added to them, or NULL */
	SsdparRowFilters *filters;	/* for every row */
	SsdparRowFilters *exact_filters;	/* for rows of exact pages */
	SsdparBitmapScan *bitmap;
	SsdparSequentialScan *sequential;
};

SsdparFactScan *
ssdpar_fact_scan_begin(const SsdparStarPlan *plan, const SsdparStarData *data,
					   ScanState *ss, TupleTableSlot *slot,
					   ExprState *late_filter,
					   SsdparPageAllocator *allocator,
					   ParallelTableScanDesc parallel, SsdparRing *ring,
					   SsdparStarCounters *counters)
{
	SsdparFactScan *scan = palloc0_object(SsdparFactScan);
	Relation	rel = ss->ss_currentRelation;
	Snapshot	snapshot = ss->ps.state->es_snapshot;
	List	   *ranges = ssdpar_column_ranges(ss->ps.plan->qual,
											  RelationGetDescr(rel),
											  ss->ps.state->es_param_list_info);

	ssdpar_io_stats_begin(&counters->read.io, ss->ps.state);
	scan->ss = ss;
	scan->slot = slot;
	scan->late_filter = late_filter;
	scan->joined = ssdpar_joined_columns_create(plan, data, ss,
												counters->filters);
	scan->filters = ssdpar_row_filters_create(plan, data, ss, ranges, false,
											  counters->filters);
	if (data->result->bitmap)
	{
		scan->exact_filters =
			ssdpar_row_filters_create(plan, data, ss, ranges, true,
									  counters->filters);
		scan->bitmap = ssdpar_bitmap_scan_begin(rel, snapshot, data->pages,
												allocator, ring,
												&counters->read,
												scan->filters,
												scan->exact_filters);
	}
	else
		scan->sequential =
			ssdpar_sequential_scan_begin(rel, snapshot, parallel,
										 ss->ps.plan->plan_node_id,
										 plan->kernel_ahead, ring,
										 ssdpar_row_filters_of_page
										 (scan->filters), &counters->read.io);
	return scan;
}

void
ssdpar_fact_scan_count(SsdparFactScan *scan)
{
	if (scan->sequential)
		ssdpar_sequential_scan_count(scan->sequential);
}

/*
 * Clears the slots first, because they must not keep a page pinned after its
 * scan.
 */
void
ssdpar_fact_scan_end(SsdparFactScan *scan)
{
	ExecClearTuple(scan->ss->ss_ScanTupleSlot);
	ExecClearTuple(scan->slot);
	if (scan->bitmap)
		ssdpar_bitmap_scan_end(scan->bitmap);
	if (scan->sequential)
		ssdpar_sequential_scan_end(scan->sequential);
	ssdpar_row_filters_flush(scan->filters);
	if (scan->exact_filters)
		ssdpar_row_filters_flush(scan->exact_filters);
}

/* Fetches the next candidate row and the filters that it still has to pass.  */
static inline bool
next_row(SsdparFactScan *scan, TupleTableSlot *slot,
		 SsdparRowFilters **filters)
{
	if (!scan->sequential)
		return ssdpar_bitmap_scan_next(scan->bitmap, slot, filters);
	*filters = scan->filters;
	return ssdpar_sequential_scan_next(scan->sequential, slot);
}

/* Filters allocate in the per-tuple context.  */
static inline bool
passes(SsdparRowFilters *filters, TupleTableSlot *slot, ExprContext *econtext)
{
	MemoryContext before =
		MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	bool		pass = ssdpar_row_filters_pass(filters, slot);

	MemoryContextSwitchTo(before);
	return pass;
}

/* The fact's row is the context's still. */
static inline bool
passes_late(SsdparFactScan *scan, ExprContext *econtext)
{
	if (scan->late_filter == NULL || ExecQual(scan->late_filter, econtext))
		return true;
	InstrCountFiltered1(scan->ss, 1);
	return false;
}

TupleTableSlot *
ssdpar_fact_scan_next(SsdparFactScan *scan)
{
	ScanState  *ss = scan->ss;
	ExprContext *econtext = ss->ps.ps_ExprContext;
	ExprState  *filter = ss->ps.qual;
	ProjectionInfo *projection = ss->ps.ps_ProjInfo;
	TupleTableSlot *slot = scan->slot;
	SsdparRowFilters *filters;

	ResetExprContext(econtext);
	while (next_row(scan, slot, &filters))
	{
		econtext->ecxt_scantuple = slot;
		if (filter && !ExecQual(filter, econtext))
			InstrCountFiltered1(ss, 1);
		else if (passes(filters, slot, econtext) &&
				 (scan->joined == NULL ||
				  ssdpar_joined_columns_find(scan->joined, slot)) &&
				 passes_late(scan, econtext))
		{
			econtext->ecxt_scantuple = ss->ss_ScanTupleSlot;
			return projection ? ExecProject(projection)
				: ss->ss_ScanTupleSlot;
		}
		ResetExprContext(econtext);
		CHECK_FOR_INTERRUPTS();
	}
	return NULL;
}
