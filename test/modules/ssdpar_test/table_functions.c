/*
 * table_functions.c
 *		A condition that makes a table grow while it is scanned.  The scan then
 *		gets a ring of buffers in the middle, which must be in the scan's
 *		memory context; this is checked at the end of a statement.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/table.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "nodes/execnodes.h"
#include "nodes/nodeFuncs.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/smgr.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "ssdpar_test.h"

PG_FUNCTION_INFO_V1(ssdpar_test_grow);

static ExecutorEnd_hook_type previous_end;

/* The pages between the old end and the last page are a hole of zeros. */
static void
extend(Relation rel, BlockNumber pages)
{
	PGAlignedBlock page = {0};

	LockRelationForExtension(rel, ExclusiveLock);
	if (RelationGetNumberOfBlocks(rel) < pages)
		smgrextend(RelationGetSmgr(rel), MAIN_FORKNUM, pages - 1, page.data,
				   true);
	UnlockRelationForExtension(rel, ExclusiveLock);
}

/* grow(value, starting, relation, pages) returns value, after half a millisecond */
Datum
ssdpar_test_grow(PG_FUNCTION_ARGS)
{
	Relation	rel;

	if (PG_GETARG_INT32(0) >= PG_GETARG_INT32(1))
	{
		rel = table_open(PG_GETARG_OID(2), AccessShareLock);
		extend(rel, (BlockNumber) PG_GETARG_INT32(3));
		table_close(rel, AccessShareLock);
	}
	pg_usleep(500);
	PG_RETURN_DATUM(PG_GETARG_DATUM(0));
}

static bool
look_at_ring(PlanState *node, void *context)
{
	const ScanState *scan = (ScanState *) node;
	const		HeapScanDescData *heap;

	if (IsA(node, SeqScanState) && scan->ss_currentScanDesc != NULL)
	{
		heap = (HeapScanDesc) scan->ss_currentScanDesc;
		if (heap->rs_strategy != NULL &&
			GetMemoryChunkContext(heap->rs_strategy) !=
			node->state->es_query_cxt)
			elog(ERROR, "a scan's ring of buffers is not in its statement's memory");
	}
	return planstate_tree_walker(node, look_at_ring, context);
}

/* Also checks workers, whose errors the leader raises. */
static void
look_at_rings(QueryDesc *query)
{
	(void) look_at_ring(query->planstate, NULL);
	if (previous_end)
		previous_end(query);
	else
		standard_ExecutorEnd(query);
}

void
ssdpar_test_look_at_rings(void)
{
	previous_end = ExecutorEnd_hook;
	ExecutorEnd_hook = look_at_rings;
}
