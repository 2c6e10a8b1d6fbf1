/*
 * exec_functions.c
 *		The functions that the server's executor stores in a node's
 *		ExecProcNode.
 *
 * These functions are static in the executor.  We get their addresses from a
 * node that we create and that no other extension has seen, so they must be
 * the executor's.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "executor/instrument.h"

#include "base/compat.h"
#include "prefetch/exec_functions.h"

static TupleTableSlot *
no_tuple(PlanState *ps)
{
	return NULL;
}

/*
 * The node is called once, because ExecProcNodeFirst() then replaces itself by
 * the second function.  It only checks the stack depth and uses nothing else
 * of the node, so a node on the stack, without a plan, is sufficient.
 */
const SsdparExecFunctions *
ssdpar_exec_functions(void)
{
	static SsdparExecFunctions functions = {NULL, NULL};
	PlanState	ps = {.type = T_SeqScanState};

	if (functions.first != NULL)
		return &functions;
	ps.instrument = ssdpar_instrument_node(INSTRUMENT_ROWS);
	ExecSetExecProcNode(&ps, no_tuple);
	ps.ExecProcNode(&ps);
	functions.instrumented = ps.ExecProcNode;
	pfree(ps.instrument);
	ExecSetExecProcNode(&ps, no_tuple);
	functions.first = ps.ExecProcNode;
	return &functions;
}
