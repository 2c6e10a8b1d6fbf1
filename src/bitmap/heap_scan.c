/*
 * heap_scan.c
 *		Has core's bitmap heap scans read ahead as the device can: their index,
 *		and the table at the device's depth.
 *
 * Core fixes how far such a scan reads ahead once: up to PostgreSQL 17 as a
 * number in the scan's state, which is there when the query has been started
 * and which nothing else changes after; later in the read stream of its scan
 * descriptor, which is made at the first row.  That descriptor is made here
 * instead, as core would make it.  No setting differs while anything of the
 * user's runs.
 *
 * The processes of a parallel scan each get it: up to 17 they share one
 * distance, which any of them may raise to its own limit, later each has a
 * stream of its own.
 *
 * The bitmap is made when the first row is asked for, at first and after each
 * rescan.  To be there before, we stand where the executor calls the node
 * (ExecProcNodeReal), look whether there is a bitmap, and call core's function,
 * which is the same for all such nodes.  A scan without parameters makes the
 * same bitmap each time, so its leaves need reading once: we leave it when it
 * has begun, and tell the scan tracker, which knows our function as the node's.
 * With parameters we stay there for each row: one test and a jump, five
 * instructions.  The depth that follows what the scan reads (density.c) is
 * looked at by the scan tracker, while it reads.
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

/* Core's, as the first node has it that this process has met. */
static ExecProcNodeMtd core_exec = NULL;

static TupleTableSlot *exec_hook(PlanState *ps);

/* An instrumented node calls the one pointer, a plain one the other. */
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
 * Only before the first call, by which the executor copies the pointer, and
 * only in place of the one function that we call.
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
