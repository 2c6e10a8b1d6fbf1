/*
 * exec_functions.c
 *		What the server's executor puts in a node's ExecProcNode.
 *
 * These functions are static in the executor.  They are known by their
 * addresses, which it puts in a node of ours as in every other: no other
 * extension has seen that node, so they are the executor's own.
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
 * The node is called once, as ExecProcNodeFirst() then puts the second function
 * in its place.  It checks the stack's depth and nothing else of the node, so
 * one on the stack, with no plan, is enough.
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
