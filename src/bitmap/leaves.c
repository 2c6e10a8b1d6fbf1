/*
 * leaves.c
 *		Reads the leaves of bitmap index scans ahead.
 *
 * btree_range.c determines the leaves.  This file checks that the scan's
 * conditions are known before it begins and that reading ahead may pay off.
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

/* With fewer expected entries, a scan reads only one or two leaves. */
#define FEW_ENTRIES 500.0

/*
 * Fraction of shared buffers (1 / n) that leaves may use before the scan
 * begins.
 */
#define BUFFERS_SHARE 4

/*
 * Are the values known that are compared with the index?  Values of
 * expressions are computed when the scan begins.  For the scan that begins
 * next, this is done now, in the same way as the scan would do it.  Of several
 * scans, the later ones may never begin.
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

/* A comparison with NULL finds nothing. */
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
 * Bitmaps that are combined are built one after another.  The combining node
 * passes on changed parameters only when it begins.  Until then the scans
 * below it have keys of the previous row, which may point to freed memory.
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

/* One process builds the bitmap of a parallel scan, mostly the leader. */
void
ssdpar_bitmap_leaves_read(BitmapHeapScanState *scan)
{
	PlanState  *below = outerPlanState(scan);

	if (scan->ss.ps.plan->parallel_aware && IsParallelWorker())
		return;
	read_below(below, !scan->ss.ps.plan->parallel_aware);
}
