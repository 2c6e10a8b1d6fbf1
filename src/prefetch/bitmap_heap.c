/*
 * bitmap_heap.c
 *		Has core's bitmap heap scans read ahead at the device's depth.
 *
 * Core fixes how far such a scan reads ahead once: up to PostgreSQL 17 as a
 * number in the scan's state, which is there when the query has been started
 * and which nothing changes after; later in the read stream of its scan
 * descriptor, which is made at the first row.  That descriptor is made here
 * instead, as core would make it.  No setting differs while anything of the
 * user's runs.
 *
 * The processes of a parallel scan each get it: up to 17 they share one
 * distance, which any of them may raise to its own limit, later each has a
 * stream of its own.
 */
#include "postgres.h"

#include "access/tableam.h"
#include "utils/spccache.h"

#include "base/compat.h"
#include "base/plan_walker.h"
#include "prefetch/bitmap_depth.h"
#include "prefetch/bitmap_heap.h"

static void
deepen(BitmapHeapScanState *scan)
{
	Relation	rel = scan->ss.ss_currentRelation;
	Oid			tablespace;
	int			depth;

	if (rel == NULL || rel->rd_tableam != GetHeapamTableAmRoutine())
		return;
	tablespace = rel->rd_rel->reltablespace;
	depth = ssdpar_bitmap_depth(tablespace);
	if (depth != get_tablespace_io_concurrency(tablespace))
		ssdpar_set_bitmap_depth(scan, depth);
}

static bool
visit_node(PlanState *node, SsdparPlanWalk *walk)
{
	if (IsA(node, BitmapHeapScanState))
		deepen(castNode(BitmapHeapScanState, node));
	return ssdpar_plan_walk_below(node, walk);
}

void
ssdpar_bitmap_heap_start(QueryDesc *query)
{
	MemoryContext old = MemoryContextSwitchTo(query->estate->es_query_cxt);

	ssdpar_plan_walk(query, visit_node, NULL);
	MemoryContextSwitchTo(old);
}
