/*
 * node.c
 *		Executor node SsdparIndexJoin: a nested loop over an index of the
 *		inner table that looks up outer rows in batches (lookup.c).
 *
 * As in core's nodeNestloop.c, this file combines a row with its partners,
 * tests the result and returns it.  Conditions are evaluated only when the
 * row's turn comes, and only for rows that the nested loop would have tested.
 *
 * In a parallel plan, each process joins the outer rows that it receives.
 * Backward scans, marks and rechecks of updated rows are not supported: the
 * planner leaves queries that need them to core, or adds a Material node.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/rel.h"

#include "access/genam.h"
#include "base/compat.h"
#include "base/rows_asked.h"
#include "custom_scan/names.h"
#include "index_join/exec/counters.h"
#include "index_join/exec/explain.h"
#include "index_join/exec/lookup.h"
#include "index_join/exec/node.h"
#include "index_join/join_plan.h"

/* Number of rows looked up if one is needed.  */
#define BATCH_OF_ONE 64

/*
 * Invariants: has_row is set exactly if the scan slot's first columns are
 * those of an outer row that may have more partners.  The scan slot has
 * plan.outer_columns columns of the outer row, followed by ninner columns of
 * the inner table.  The first plan.nunread of these stay NULL, because nothing
 * reads them.
 */
typedef struct IndexJoinNode
{
	CustomScanState css;		/* must be first */
	SsdparIndexJoinPlan plan;
	Index		inner;			/* index of the inner table */
	Relation	heap;
	Relation	index;
	ExprState  *filter;
	SsdparLookupKey key;
	SsdparIndexOnly only;		/* if plan.index_only */
	SsdparLookup *lookup;		/* NULL: no row has been requested */
	SsdparJoinCounters own;		/* of this process, or of all earlier
								 * executions */
	SsdparSharedJoinCounters *shared;	/* NULL without workers */
	SsdparJoinCounters *counters;	/* points into one of them */

	TupleTableSlot *outer_slot;
	TupleTableSlot *inner_slot;
	AttrNumber *inner_columns;
	AttrNumber *index_columns;	/* their positions in the index, if
								 * plan.index_only */
	int			ninner;
	AttrNumber	last_column;	/* the highest of these */

	bool		has_row;
	bool		matched;		/* has it had a partner?  */
} IndexJoinNode;

/*
 * Startup.
 */

/* Finds the positions of the inner table's columns.  */
static void
find_inner_columns(IndexJoinNode *state)
{
	List	   *columns =
		((CustomScan *) state->css.ss.ps.plan)->custom_scan_tlist;
	int			outer_columns = state->plan.outer_columns;

	state->ninner = list_length(columns) - outer_columns;
	if (state->ninner < 1)
		elog(ERROR, "index join has no column of its inner table");
	state->inner_columns = palloc_array(AttrNumber, state->ninner);
	for (int i = 0; i < state->ninner; i++)
	{
		TargetEntry *entry = list_nth(columns, outer_columns + i);
		Var		   *column = castNode(Var, entry->expr);

		state->inner = column->varno;
		state->inner_columns[i] = column->varattno;
		if (i >= state->plan.nunread)
			state->last_column = Max(state->last_column, column->varattno);
	}
}

static void
begin_join(CustomScanState *css, EState *estate, int eflags)
{
	IndexJoinNode *state = (IndexJoinNode *) css;
	CustomScan *plan = (CustomScan *) css->ss.ps.plan;
	PlanState  *outer;

	eflags &= ~(EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK);
	outer = ExecInitNode(linitial(plan->custom_plans), estate, eflags);
	css->custom_ps = list_make1(outer);
	find_inner_columns(state);
	state->heap = ExecOpenScanRelation(estate, state->inner, eflags);
	state->filter = ExecInitQual(list_nth(plan->custom_exprs,
										  SSDPAR_JOIN_FILTER),
								 &css->ss.ps);
	state->outer_slot = ExecInitExtraTupleSlot(estate,
											   ExecGetResultType(outer),
											   &TTSOpsMinimalTuple);
	state->inner_slot = ExecInitExtraTupleSlot(estate,
											   RelationGetDescr(state->heap),
											   &TTSOpsHeapTuple);
	if ((eflags & EXEC_FLAG_EXPLAIN_ONLY) != 0)
		return;
	state->index = index_open(state->plan.index,
							  exec_rt_fetch(state->inner,
											estate)->rellockmode);
}

/* If the scan is index-only, finds the columns to be read in the index.  */
static void
begin_index_only(IndexJoinNode *state)
{
	const		Form_pg_index index = state->index->rd_index;

	if (!state->plan.index_only)
		return;
	state->only.heap = state->heap;
	state->only.snapshot = state->css.ss.ps.state->es_snapshot;
	state->only.wants_columns = state->plan.nunread < state->ninner;
	state->only.map = InvalidBuffer;
	state->index_columns = palloc0_array(AttrNumber, state->ninner);
	for (int i = state->plan.nunread; i < state->ninner; i++)
	{
		for (int j = 0; j < index->indnatts; j++)
			if (index->indkey.values[j] == state->inner_columns[i])
				state->index_columns[i] = j + 1;
		if (state->index_columns[i] == 0)
			elog(ERROR, "index \"%s\" lacks a column of an index join",
				 RelationGetRelationName(state->index));
	}
}

/* A key that is proven to be unique has no more matches anyway.  */
static bool
has_one_partner(const SsdparIndexJoinPlan *plan)
{
	return plan->type == JOIN_SEMI || plan->type == JOIN_ANTI;
}

/*
 * Core's scan tests partners in the index's order, which matters if a test can
 * raise an error.  Block order is faster to read.  Testing a partner twice
 * does no harm if one is sufficient.
 */
static SsdparPartnerOrder
partner_order(const SsdparIndexJoinPlan *plan)
{
	if (has_one_partner(plan))
		return SSDPAR_PARTNERS_REPEATED;
	return plan->any_order ? SSDPAR_PARTNERS_BY_BLOCK :
		SSDPAR_PARTNERS_BY_INDEX;
}

/*
 * The planned first batch may contain all outer rows, although SELECT INTO
 * fetches only one.  A caller that fetches two rows expects no second one, and
 * a caller that fetches more continues, as a loop over a query does.
 */
static int
first_batch(const SsdparIndexJoinPlan *plan)
{
	return plan->streams && ssdpar_rows_asked() == 1 ?
		Min(BATCH_OF_ONE, plan->first_batch) : plan->first_batch;
}

/*
 * Called on the first fetch, because a part of a plan may never be executed.
 */
static void
begin_lookup(IndexJoinNode *state)
{
	CustomScan *plan = (CustomScan *) state->css.ss.ps.plan;
	EState	   *estate = state->css.ss.ps.state;
	SsdparLookupSource source = {
		.outer = linitial(state->css.custom_ps),
		.key = &state->key,
		.first_batch = first_batch(&state->plan),
		.one_is_enough = has_one_partner(&state->plan),
		.order = partner_order(&state->plan),
		.only = state->plan.index_only ? &state->only : NULL,
		.heap = state->heap,
		.index = state->index,
		.snapshot = estate->es_snapshot,
	};
	MemoryContext before = MemoryContextSwitchTo(estate->es_query_cxt);

	begin_index_only(state);
	ssdpar_lookup_key_init(&state->key, &state->plan,
						   list_nth(plan->custom_exprs,
									SSDPAR_JOIN_CONSTANTS),
						   state->index, ExecGetResultType(source.outer),
						   &state->css.ss.ps);
	state->lookup = ssdpar_lookup_begin(&source, &state->counters);
	MemoryContextSwitchTo(before);
}

/*
 * Combining rows.
 */

static void
put_outer(IndexJoinNode *state, MinimalTuple tuple)
{
	TupleTableSlot *joined = state->css.ss.ss_ScanTupleSlot;
	TupleTableSlot *slot = state->outer_slot;
	int			n = state->plan.outer_columns;

	ExecStoreMinimalTuple(tuple, slot, false);
	slot_getallattrs(slot);
	Assert(slot->tts_tupleDescriptor->natts == n);
	ExecClearTuple(joined);
	memcpy(joined->tts_values, slot->tts_values, n * sizeof(Datum));
	memcpy(joined->tts_isnull, slot->tts_isnull, n * sizeof(bool));
	memset(joined->tts_isnull + n, true, state->ninner * sizeof(bool));
	ExecStoreVirtualTuple(joined);
}

static void
put_heap_tuple(IndexJoinNode *state, HeapTuple tuple)
{
	TupleTableSlot *joined = state->css.ss.ss_ScanTupleSlot;
	TupleTableSlot *slot = state->inner_slot;
	int			n = state->plan.outer_columns;

	ExecStoreHeapTuple(tuple, slot, false);
	if (state->last_column > 0)
		slot_getsomeattrs(slot, state->last_column);
	for (int i = state->plan.nunread; i < state->ninner; i++)
	{
		int			column = state->inner_columns[i] - 1;

		joined->tts_values[n + i] = slot->tts_values[column];
		joined->tts_isnull[n + i] = slot->tts_isnull[column];
	}
}

static void
put_index_tuple(IndexJoinNode *state, IndexTuple tuple)
{
	TupleTableSlot *joined = state->css.ss.ss_ScanTupleSlot;
	int			n = state->plan.outer_columns;

	for (int i = state->plan.nunread; i < state->ninner; i++)
		joined->tts_values[n + i] =
			index_getattr(tuple, state->index_columns[i],
						  RelationGetDescr(state->index),
						  &joined->tts_isnull[n + i]);
}

static void
put_no_inner(IndexJoinNode *state)
{
	memset(state->css.ss.ss_ScanTupleSlot->tts_isnull +
		   state->plan.outer_columns, true, state->ninner * sizeof(bool));
}

/*
 * Fetches the next partner of the current row that satisfies the join's
 * conditions.  A batch can have many pairs, so this can be canceled.
 */
static bool
next_partner(IndexJoinNode *state)
{
	ExprContext *context = state->css.ss.ps.ps_ExprContext;
	SsdparPartner partner;

	while (ssdpar_lookup_next_partner(state->lookup, &partner))
	{
		CHECK_FOR_INTERRUPTS();
		if (partner.heap != NULL)
			put_heap_tuple(state, partner.heap);
		else if (partner.index != NULL)
			put_index_tuple(state, partner.index);
		ResetExprContext(context);
		context->ecxt_scantuple = state->css.ss.ss_ScanTupleSlot;
		if (ExecQual(state->filter, context))
			return true;
		InstrCountFiltered2(&state->css.ss.ps, 1);
	}
	return false;
}

/*
 * Stores the next joined row in the scan slot; returns false after the last.
 */
static bool
next_joined(IndexJoinNode *state)
{
	JoinType	type = state->plan.type;

	for (;;)
	{
		if (!state->has_row)
		{
			MinimalTuple tuple = ssdpar_lookup_next_row(state->lookup);

			if (tuple == NULL)
				return false;
			put_outer(state, tuple);
			state->has_row = true;
			state->matched = false;
		}
		if (!(state->matched && state->plan.single_match) &&
			next_partner(state))
		{
			state->matched = true;
			if (type == JOIN_ANTI)
				state->has_row = false;
			else
				return true;
		}
		else
		{
			state->has_row = false;
			if (!state->matched && (type == JOIN_LEFT || type == JOIN_ANTI))
			{
				put_no_inner(state);
				return true;
			}
		}
	}
}

static TupleTableSlot *
exec_join(CustomScanState *css)
{
	IndexJoinNode *state = (IndexJoinNode *) css;
	PlanState  *ps = &css->ss.ps;
	ExprContext *context = ps->ps_ExprContext;

	CHECK_FOR_INTERRUPTS();
	if (state->lookup == NULL)
		begin_lookup(state);
	while (next_joined(state))
	{
		ResetExprContext(context);
		context->ecxt_scantuple = css->ss.ss_ScanTupleSlot;
		if (!ExecQual(ps->qual, context))
			InstrCountFiltered1(ps, 1);
		else if (ps->ps_ProjInfo != NULL)
			return ExecProject(ps->ps_ProjInfo);
		else
			return css->ss.ss_ScanTupleSlot;
	}
	return NULL;
}

/*
 * Shutdown and rescan.
 */

static void
drop_row(IndexJoinNode *state)
{
	ExecClearTuple(state->css.ss.ss_ScanTupleSlot);
	ExecClearTuple(state->outer_slot);
	ExecClearTuple(state->inner_slot);
	state->has_row = false;
}

static void
end_join(CustomScanState *css)
{
	IndexJoinNode *state = (IndexJoinNode *) css;

	drop_row(state);
	if (state->lookup != NULL)
		ssdpar_lookup_end(state->lookup);
	if (state->index != NULL)
		index_close(state->index, NoLock);
	ExecEndNode(linitial(css->custom_ps));
}

/* If parameters have changed, the first ExecProcNode() rescans the child.  */
static void
rescan_join(CustomScanState *css)
{
	IndexJoinNode *state = (IndexJoinNode *) css;
	PlanState  *outer = linitial(css->custom_ps);

	drop_row(state);
	if (state->lookup != NULL)
		ssdpar_lookup_rescan(state->lookup);
	if (css->ss.ps.chgParam != NULL)
		UpdateChangedParamSet(outer, css->ss.ps.chgParam);
	if (outer->chgParam == NULL)
		ExecReScan(outer);
}

/*
 * Parallel execution.  Each process has its own outer rows, so only counters
 * are shared.
 */

static Size
estimate_dsm(CustomScanState *css, ParallelContext *pcxt)
{
	return ssdpar_join_counters_shared_size(pcxt->nworkers + 1);
}

static void
initialize_dsm(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	IndexJoinNode *state = (IndexJoinNode *) css;

	ssdpar_join_counters_init(coordinate, pcxt->nworkers + 1);
	state->shared = coordinate;
	state->counters = &state->shared->of[0];
}

static void
reinitialize_dsm(CustomScanState *css, ParallelContext *pcxt,
				 void *coordinate)
{
	/* counters only grow */
}

static void
initialize_worker(CustomScanState *css, shm_toc *toc, void *coordinate)
{
	IndexJoinNode *state = (IndexJoinNode *) css;

	state->shared = coordinate;
	state->counters = &state->shared->of[ParallelWorkerNumber + 1];
}

/* Saves what EXPLAIN needs from shared memory before it goes away.  */
static void
shutdown_join(CustomScanState *css)
{
	IndexJoinNode *state = (IndexJoinNode *) css;

	if (IsParallelWorker())
		return;
	ssdpar_join_counters_add(&state->own, state->shared);
	state->shared = NULL;
	state->counters = &state->own;
}

/*
 * If each process of a parallel plan executes the whole join, for example to
 * build its own hash table, workers have no shared memory for counters.
 */
static bool
workers_are_uncounted(const PlanState *ps)
{
	const SsdparWorkerInstrumentation *workers = ps->worker_instrument;

	if (workers == NULL || ps->plan->parallel_aware)
		return false;
	for (int i = 0; i < workers->num_workers; i++)
		if (workers->instrument[i].nloops > 0)
			return true;
	return false;
}

static void
explain_join(CustomScanState *css, List *ancestors, ExplainState *es)
{
	IndexJoinNode *state = (IndexJoinNode *) css;
	SsdparJoinCounters total = state->own;
	SsdparJoinExplained join = {
		.plan = &state->plan,
		.scan = (CustomScan *) css->ss.ps.plan,
		.inner = state->inner,
		.heap = state->heap,
		.instrument = css->ss.ps.instrument,
		.counters = &total,
		.leader_alone = workers_are_uncounted(&css->ss.ps),
	};

	ssdpar_join_counters_add(&total, state->shared);
	ssdpar_join_explain(&join, ancestors, es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = SSDPAR_INDEX_JOIN,
	.BeginCustomScan = begin_join,
	.ExecCustomScan = exec_join,
	.EndCustomScan = end_join,
	.ReScanCustomScan = rescan_join,
	.EstimateDSMCustomScan = estimate_dsm,
	.InitializeDSMCustomScan = initialize_dsm,
	.ReInitializeDSMCustomScan = reinitialize_dsm,
	.InitializeWorkerCustomScan = initialize_worker,
	.ShutdownCustomScan = shutdown_join,
	.ExplainCustomScan = explain_join,
};

Node *
ssdpar_create_index_join_state(CustomScan *plan)
{
	IndexJoinNode *state = (IndexJoinNode *) newNode(sizeof(IndexJoinNode),
													 T_CustomScanState);

	state->css.methods = &exec_methods;
	state->counters = &state->own;
	state->plan = ssdpar_join_plan_from_list(plan->custom_private);
	return (Node *) state;
}
