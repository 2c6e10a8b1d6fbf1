/*
 * leaves.c
 *		Reads the leaves of bitmap index scans ahead.
 *
 * Which leaves is btree_range.c's.  Here is what has to be so that the scan's
 * conditions are known before it begins, and that it is worth the trouble.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "access/parallel.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/rel.h"

#include "bitmap/leaves.h"
#include "btree/btree_range.h"
#include "prefetch/bitmap_depth.h"
#include "prefetch/page_list.h"

/* Entries expected below which a scan is of a leaf or two. */
#define FEW_ENTRIES 500.0

/* Share of shared buffers that leaves may take before the scan begins. */
#define BUFFERS_SHARE 4

/*
 * Are the values known that the index is compared with?  Those that are
 * computed are computed when the scan begins.  A scan that begins next is
 * brought there now, as it would bring itself there; of several the later ones
 * may never begin.
 */
static bool
has_keys(BitmapIndexScanState *scan, bool next)
{
	if (scan->biss_NumArrayKeys != 0 || scan->biss_ScanDesc == NULL)
		return false;
	if (scan->ss.ps.chgParam == NULL &&
		(scan->biss_NumRuntimeKeys == 0 || scan->biss_RuntimeKeysReady))
		return true;
	if (!next)
		return false;
	ExecReScan((PlanState *) scan);
	return scan->biss_RuntimeKeysReady;
}

/* Nothing is found by a comparison with NULL. */
static bool
compares_with_null(const BitmapIndexScanState *scan)
{
	for (int i = 0; i < scan->biss_NumScanKeys; i++)
		if ((scan->biss_ScanKeys[i].sk_flags &
			 (SK_ISNULL | SK_SEARCHNULL | SK_SEARCHNOTNULL)) == SK_ISNULL)
			return true;
	return false;
}

static void
read_leaves(BitmapIndexScanState *scan, bool next)
{
	Relation	index = scan->biss_RelationDesc;
	SsdparPageMethod method;
	int			depth;

	if (index == NULL || scan->ss.ps.plan->plan_rows < FEW_ENTRIES ||
		index->rd_indam->amgetbitmap != btgetbitmap)
		return;
	method = ssdpar_page_method(index);
	depth = ssdpar_bitmap_depth(index->rd_rel->reltablespace);
	if (method == SSDPAR_PAGES_NONE || depth <= 1 ||
		!ssdpar_bitmap_reads_ahead(index->rd_rel->reltablespace) ||
		!has_keys(scan, next) || compares_with_null(scan))
		return;
	(void) ssdpar_index_read_leaves(index, scan->biss_ScanKeys,
									scan->biss_NumScanKeys, method,
									depth,
									NBuffers / BUFFERS_SHARE);
}

/*
 * Bitmaps that are combined are made one after another.  What combines them
 * tells of new values only when it begins: until then the scans below it hold
 * keys of the row before, which may lie in memory that is gone.
 */
static void
read_below(PlanState *node, bool next)
{
	if (IsA(node, BitmapIndexScanState))
		read_leaves(castNode(BitmapIndexScanState, node), next);
	else if (node->chgParam != NULL)
		return;
	else if (IsA(node, BitmapAndState))
	{
		BitmapAndState *both = castNode(BitmapAndState, node);

		for (int i = 0; i < both->nplans; i++)
			read_below(both->bitmapplans[i], false);
	}
	else if (IsA(node, BitmapOrState))
	{
		BitmapOrState *either = castNode(BitmapOrState, node);

		for (int i = 0; i < either->nplans; i++)
			read_below(either->bitmapplans[i], false);
	}
}

/* One process makes the bitmap of a parallel scan: mostly the leader. */
void
ssdpar_bitmap_leaves_read(BitmapHeapScanState *scan)
{
	PlanState  *below = outerPlanState(scan);

	if (scan->ss.ps.plan->parallel_aware && IsParallelWorker())
		return;
	read_below(below, !scan->ss.ps.plan->parallel_aware);
}
