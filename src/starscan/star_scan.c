/*
 * star_scan.c
 *		The executor's node SsdparStarScan: those rows of the fact that its
 *		reducers may contain.
 *
 * The stages are in star_state.h.  Each row goes through those of the reducers'
 * tests that take a glance, through the node's own filter, then through the
 * other tests, and comes out whole or projected.
 * A row that passes by mistake (a lossy page, a Bloom filter, a test put off)
 * is the business of the joins above; a row that matches is never dropped.
 *
 * Rows are never rechecked after a concurrent update (EvalPlanQual): the
 * planner leaves stars with row marks to core.  Below a CTE the node may run
 * for such a recheck of others, as it always does.
 *
 * Here is the life of the node and the loop over rows.  The keys are found in
 * star_keys.c, bitmaps built in star_bitmap.c and read in star_pages.c.
 */
#include "postgres.h"

#include "access/tableam.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "compat.h"
#include "starscan/star_state.h"
#include "starscan/star_team.h"

static void begin_star(CustomScanState *css, EState *estate, int eflags);
static TupleTableSlot *exec_star(CustomScanState *css);
static void end_star(CustomScanState *css);
static void rescan_star(CustomScanState *css);

static const CustomExecMethods exec_methods = {
	.CustomName = "SsdparStarScan",
	.BeginCustomScan = begin_star,
	.ExecCustomScan = exec_star,
	.EndCustomScan = end_star,
	.ReScanCustomScan = rescan_star,
	.EstimateDSMCustomScan = ssdpar_star_estimate_dsm,
	.InitializeDSMCustomScan = ssdpar_star_initialize_dsm,
	.ReInitializeDSMCustomScan = ssdpar_star_reinitialize_dsm,
	.InitializeWorkerCustomScan = ssdpar_star_initialize_worker,
	.ShutdownCustomScan = ssdpar_star_shutdown,
	.ExplainCustomScan = ssdpar_star_explain,
};

Node *
ssdpar_create_star_state(CustomScan *plan)
{
	SsdparStarState *state = (SsdparStarState *)
		newNode(sizeof(SsdparStarState), T_CustomScanState);

	state->css.methods = &exec_methods;
	state->plan = ssdpar_star_plan_from_list(plan->custom_private);
	return (Node *) state;
}

Size
ssdpar_star_result_size(const SsdparStarPlan *plan)
{
	return add_size(offsetof(SsdparStarResult, found),
					mul_size(plan->nreducers, sizeof(SsdparStarFound)));
}

Size
ssdpar_star_counters_size(const SsdparStarPlan *plan)
{
	return add_size(offsetof(SsdparStarCounters, tests),
					mul_size(plan->nreducers, sizeof(SsdparStarTestCount)));
}

/* The children read dimensions to their end, once: no way back is needed. */
static void
begin_children(SsdparStarState *state, EState *estate, int eflags)
{
	List	   *plans = ((CustomScan *) state->css.ss.ps.plan)->custom_plans;
	int			n = state->plan->nreducers;

	if (list_length(plans) != n)
		elog(ERROR, "star scan has %d plans for %d reducers",
			 list_length(plans), n);
	eflags &= ~(EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK | EXEC_FLAG_REWIND);
	state->children = palloc0(n * sizeof(PlanState *));
	state->child_ran = palloc0(n * sizeof(bool));
	for (int i = 0; i < n; i++)
	{
		state->children[i] = ExecInitNode(list_nth(plans, i), estate, eflags);
		state->css.custom_ps = lappend(state->css.custom_ps,
									   state->children[i]);
	}
}

/*
 * The server has given the node a virtual scan slot, since 15 lets a custom
 * scan choose no other.  Take the table's own kind and build what depends on
 * it again.
 */
static void
begin_fact(SsdparStarState *state, EState *estate)
{
	CustomScanState *css = &state->css;
	Relation	rel = css->ss.ss_currentRelation;

	ExecInitScanTupleSlot(estate, &css->ss, RelationGetDescr(rel),
						  table_slot_callbacks(rel));
	css->ss.ps.subPlan = NIL;	/* both of the following add to it */
	ExecAssignScanProjectionInfo(&css->ss);
	css->ss.ps.qual = ExecInitQual(css->ss.ps.plan->qual, &css->ss.ps);
}

static void
begin_star(CustomScanState *css, EState *estate, int eflags)
{
	SsdparStarState *state = (SsdparStarState *) css;

	begin_fact(state, estate);
	begin_children(state, estate, eflags);
	state->result_context = AllocSetContextCreate(estate->es_query_cxt,
												  "SsdparStarScan result",
												  ALLOCSET_DEFAULT_SIZES);
	state->scan_context = AllocSetContextCreate(estate->es_query_cxt,
												"SsdparStarScan scan",
												ALLOCSET_DEFAULT_SIZES);
	state->sets = palloc0(state->plan->nreducers * sizeof(SsdparKeySet *));
	state->counters = palloc0(ssdpar_star_counters_size(state->plan));
	state->kept_counters = palloc0(ssdpar_star_counters_size(state->plan));
}

/*
 * Preparing.
 */

void *
ssdpar_star_allocate(SsdparStarState *state, Size size, dsa_pointer *pointer)
{
	dsa_area   *area = state->css.ss.ps.state->es_query_dsa;

	*pointer = InvalidDsaPointer;
	if (state->shared == NULL)
		return MemoryContextAllocExtended(state->result_context, size,
										  MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
	*pointer = dsa_allocate_extended(area, size,
									 DSA_ALLOC_HUGE | DSA_ALLOC_NO_OOM);
	if (!DsaPointerIsValid(*pointer))
		return NULL;
	return dsa_get_address(area, *pointer);
}

/* The builders go away with their memory context. */
void
ssdpar_star_build_result(SsdparStarState *state)
{
	SsdparStarResult *result = state->result;
	MemoryContext building = AllocSetContextCreate(state->result_context,
												   "SsdparStarScan building",
												   ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(building);
	SsdparStarIndexKeys *index_keys;
	instr_time	start;
	instr_time	keys_end;
	instr_time	end;

	INSTR_TIME_SET_CURRENT(start);
	index_keys = ssdpar_star_find_keys(state);
	INSTR_TIME_SET_CURRENT(keys_end);
	if (!result->empty && state->plan->access == SSDPAR_STAR_BITMAP)
		result->bitmap = ssdpar_star_build_bitmap(state, index_keys);
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SET_ZERO(result->keys_time);
	INSTR_TIME_SET_ZERO(result->bitmap_time);
	INSTR_TIME_ACCUM_DIFF(result->keys_time, keys_end, start);
	INSTR_TIME_ACCUM_DIFF(result->bitmap_time, end, keys_end);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(building);
}

static void
prepare(SsdparStarState *state)
{
	instr_time	start;
	instr_time	end;

	INSTR_TIME_SET_CURRENT(start);
	if (state->shared)
		ssdpar_star_share_result(state);
	else
	{
		MemoryContextReset(state->result_context);
		state->result =
			MemoryContextAllocZero(state->result_context,
								   ssdpar_star_result_size(state->plan));
		ssdpar_star_build_result(state);
	}
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(state->counters->prepare_time, end, start);
	state->stage = SSDPAR_STAR_PREPARED;
}

/*
 * Scanning.
 */

static void
begin_scan(SsdparStarState *state)
{
	MemoryContext before;

	if (state->result->empty)
	{
		state->stage = SSDPAR_STAR_ENDED;
		return;
	}
	before = MemoryContextSwitchTo(state->scan_context);
	state->peeks = state->result->bitmap ||
		ssdpar_star_sequential_peeks(state);
	state->tests = ssdpar_star_tests_create(state, state->peeks, false);
	if (state->result->bitmap)
	{
		state->exact_tests = ssdpar_star_tests_create(state, true, true);
		ssdpar_star_pages_begin(state);
	}
	else
		ssdpar_star_sequential_begin(state);
	MemoryContextSwitchTo(before);
	state->stage = SSDPAR_STAR_SCANNING;
}

/* Buffers, page lists, scans: all that reads the fact. */
void
ssdpar_star_end_scan(SsdparStarState *state)
{
	ExecClearTuple(state->css.ss.ss_ScanTupleSlot);
	if (state->reader)
		ssdpar_star_pages_end(state);
	if (state->scan)
		ssdpar_star_sequential_end(state);
	if (state->tests)
		ssdpar_star_tests_end(state->tests);
	if (state->exact_tests)
		ssdpar_star_tests_end(state->exact_tests);
	state->tests = NULL;
	state->exact_tests = NULL;
	MemoryContextReset(state->scan_context);
	if (state->stage == SSDPAR_STAR_SCANNING)
		state->stage = SSDPAR_STAR_ENDED;
}

/* Nothing that was prepared is good any more. */
void
ssdpar_star_forget(SsdparStarState *state)
{
	ssdpar_star_end_scan(state);
	state->result = NULL;
	state->pages = NULL;
	memset(state->sets, 0, state->plan->nreducers * sizeof(SsdparKeySet *));
	MemoryContextReset(state->result_context);
	state->stage = SSDPAR_STAR_NEW;
}

static TupleTableSlot *
end_of_rows(SsdparStarState *state)
{
	ProjectionInfo *projection = state->css.ss.ps.ps_ProjInfo;

	if (state->stage == SSDPAR_STAR_SCANNING)
		ssdpar_star_end_scan(state);
	state->stage = SSDPAR_STAR_ENDED;
	if (projection)
		return ExecClearTuple(projection->pi_state.resultslot);
	return ExecClearTuple(state->css.ss.ss_ScanTupleSlot);
}

/* The next row that is worth a look, and the tests that are left to it. */
static inline bool
next_row(SsdparStarState *state, TupleTableSlot *slot,
		 SsdparStarTests **tests)
{
	if (!state->scan)
		return ssdpar_star_pages_next(state, slot, tests);
	*tests = state->tests;
	return ssdpar_star_sequential_next(state, slot);
}

/* Whatever a test allocates belongs to the row. */
static inline bool
passes(SsdparStarTests *tests, TupleTableSlot *slot, ExprContext *econtext)
{
	MemoryContext before =
		MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	bool		pass = ssdpar_star_tests_pass(tests, slot);

	MemoryContextSwitchTo(before);
	return pass;
}

static TupleTableSlot *
scan_rows(SsdparStarState *state)
{
	ScanState  *ss = &state->css.ss;
	ExprContext *econtext = ss->ps.ps_ExprContext;
	ExprState  *filter = ss->ps.qual;
	ProjectionInfo *projection = ss->ps.ps_ProjInfo;
	TupleTableSlot *slot = ss->ss_ScanTupleSlot;
	SsdparStarTests *tests;

	ResetExprContext(econtext);
	while (next_row(state, slot, &tests))
	{
		econtext->ecxt_scantuple = slot;
		if (filter && !ExecQual(filter, econtext))
			InstrCountFiltered1(ss, 1);
		else if (passes(tests, slot, econtext))
			return projection ? ExecProject(projection) : slot;
		ResetExprContext(econtext);
		CHECK_FOR_INTERRUPTS();
	}
	return end_of_rows(state);
}

static TupleTableSlot *
exec_star(CustomScanState *css)
{
	SsdparStarState *state = (SsdparStarState *) css;

	if (state->stage == SSDPAR_STAR_NEW && !state->ended_early)
		prepare(state);
	if (state->stage == SSDPAR_STAR_PREPARED && !state->ended_early)
		begin_scan(state);
	if (state->stage != SSDPAR_STAR_SCANNING || state->ended_early)
		return end_of_rows(state);
	return scan_rows(state);
}

/*
 * Ending and beginning anew.
 */

static void
end_star(CustomScanState *css)
{
	SsdparStarState *state = (SsdparStarState *) css;

	ssdpar_star_end_scan(state);
	for (int i = 0; i < state->plan->nreducers; i++)
		ExecEndNode(state->children[i]);
}

/*
 * The keys stay known unless a parameter that some child depends on has
 * changed: a reducer may reduce another, so one changed child changes them
 * all.  What is shared is reset elsewhere, before workers start again, and has
 * to be taken over anew.
 */
static void
rescan_star(CustomScanState *css)
{
	SsdparStarState *state = (SsdparStarState *) css;
	PlanState  *ps = &css->ss.ps;
	bool		changed = false;

	ssdpar_star_end_scan(state);
	for (int i = 0; i < state->plan->nreducers; i++)
	{
		if (ps->chgParam != NULL)
			UpdateChangedParamSet(state->children[i], ps->chgParam);
		changed |= state->children[i]->chgParam != NULL;
	}
	state->ended_early = false;
	if (state->result == NULL || changed || state->shared)
		ssdpar_star_forget(state);
	else
		state->stage = SSDPAR_STAR_PREPARED;
	ExecScanReScan(&css->ss);
}
