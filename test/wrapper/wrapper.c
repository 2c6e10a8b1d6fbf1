/*
 * wrapper.c
 *		Wraps a scan's ExecProcNode, when it starts and in the middle of it,
 *		and calls the previous function, as other extensions do.
 *
 * t/014_wrapped_scan.pl compiles and loads it.  One scan at a time.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "utils/portal.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

static ExecutorStart_hook_type previous_start = NULL;
static ExecProcNodeMtd wrapped = NULL;

static TupleTableSlot *
wrap(PlanState *ps)
{
	return wrapped(ps);
}

static bool
visit(PlanState *ps, void *context)
{
	if (IsA(ps, SeqScanState) && ps->ExecProcNode != wrap)
	{
		wrapped = ps->ExecProcNode;
		ps->ExecProcNode = wrap;
	}
	return planstate_tree_walker(ps, visit, context);
}

PG_FUNCTION_INFO_V1(wrap_cursor);

/* Wraps the scan of the cursor of this name in the middle of the scan. */
Datum
wrap_cursor(PG_FUNCTION_ARGS)
{
	Portal		portal = GetPortalByName(PG_GETARG_CSTRING(0));

	visit(portal->queryDesc->planstate, NULL);
	PG_RETURN_VOID();
}

static void
start(QueryDesc *query, int eflags)
{
	if (previous_start)
		previous_start(query, eflags);
	else
		standard_ExecutorStart(query, eflags);
	if (query->planstate != NULL)
		visit(query->planstate, NULL);
}

void
_PG_init(void)
{
	previous_start = ExecutorStart_hook;
	ExecutorStart_hook = start;
}
