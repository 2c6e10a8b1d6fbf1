/*
 * heap_scan.c
 *		Makes core's bitmap heap scans read ahead as far as the device
 *		permits: their indexes, and the table at the device's depth.
 *
 * Core determines once how far such a scan reads ahead.  Up to PostgreSQL 17
 * it is a number in the scan's state, which exists when the query has been
 * started and does not change afterwards.  Later it is in the read stream of
 * the scan descriptor, which is created at the first row.  We create that
 * descriptor instead, in the same way as core would.  No setting differs while
 * any code of the user's runs.
 *
 * This is done in each process of a parallel scan.  Up to 17 they share one
 * distance, which any of them may raise to its limit; later each has a
 * separate stream.
 *
 * The bitmap is built when the first row is requested, initially and after
 * each rescan.  To get control before that, we replace the function that the
 * executor calls for the node (ExecProcNodeReal), check whether there is a
 * bitmap, and call core's function, which is the same for all such nodes.  A
 * scan without parameters builds the same bitmap each time, so its leaves are
 * read ahead only once.  Then we restore core's function and tell the scan
 * tracker, which knows our function as the node's.  With parameters our
 * function stays and is called for each row, which costs one test and a jump.
 * The scan tracker adapts the depth to what the scan reads (density.c).
 */
#include "postgres.h"

#include "access/tableam.h"
#include "utils/spccache.h"

#include "base/compat.h"
#include "bitmap/density.h"
#include "bitmap/heap_scan.h"
#include "bitmap/leaves.h"
#include "prefetch/bitmap_depth.h"
#include "prefetch/scan_tracker.h"

/* Core's function, taken from the first such node of this process. */
static ExecProcNodeMtd core_exec = NULL;

static TupleTableSlot *exec_hook(PlanState *ps);

/*
 * Restores core's function.  An instrumented node calls one of the two
 * pointers, a plain one the other.
 */
static void
leave(PlanState *ps)
{
	Assert(ps->ExecProcNodeReal == exec_hook);
	ps->ExecProcNodeReal = core_exec;
	if (ps->ExecProcNode == exec_hook)
		ps->ExecProcNode = core_exec;
	ssdpar_scan_tracker_exec_is(ps, core_exec);
}

static TupleTableSlot *
exec_hook(PlanState *ps)
{
	BitmapHeapScanState *scan = (BitmapHeapScanState *) ps;

	if (unlikely(!scan->initialized))
	{
		ssdpar_bitmap_leaves_read(scan);
		ssdpar_density_begin(scan);
		if (bms_is_empty(ps->plan->extParam))
			leave(ps);
	}
	return core_exec(ps);
}

/*
 * Installs our function, but only before the first call, when the executor
 * copies the pointer, and only if the pointer is the function that we call.
 */
static bool
stand_before(PlanState *ps)
{
	Assert(core_exec != exec_hook);
	if (core_exec == NULL && ps->ExecProcNodeReal != exec_hook)
		core_exec = ps->ExecProcNodeReal;
	if (ps->ExecProcNodeReal != core_exec)
		return false;
	ps->ExecProcNodeReal = exec_hook;
	return true;
}

static void
visit_scan(BitmapHeapScanState *scan)
{
	Relation	rel = scan->ss.ss_currentRelation;
	Oid			tablespace;
	int			depth;
	int			cores;
	bool		standing;

	if (rel == NULL || rel->rd_tableam != GetHeapamTableAmRoutine())
		return;
	tablespace = rel->rd_rel->reltablespace;
	cores = get_tablespace_io_concurrency(tablespace);
	depth = ssdpar_bitmap_depth(tablespace);
	standing = depth > 1 && ssdpar_bitmap_reads_ahead(tablespace) &&
		stand_before(&scan->ss.ps);
	if (depth == cores || (depth > cores && !standing))
		return;
	ssdpar_set_bitmap_depth(scan, depth);
	if (standing)
		ssdpar_density_follow(scan, depth, cores);
}

void
ssdpar_bitmap_heap_start(PlanState *node)
{
	if (IsA(node, BitmapHeapScanState))
		visit_scan(castNode(BitmapHeapScanState, node));
}
