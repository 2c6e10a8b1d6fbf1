/*
 * node.c
 *		Executor node SsdparStarScan: returns the rows of the fact that pass
 *		its reducers.
 *
 * This file contains the node's life cycle.  prepare.c computes what has to be
 * known before the first row, and fact_scan.c reads the rows.
 *
 *			prepare			   begin_scan			no more rows
 *		NEW ----> PREPARED ----> SCANNING ----> ENDED
 *		PARTLY ---^
 *
 *		PREPARED -> ENDED			no key matches any row
 *		any -> PREPARED				rescan, all keys are still valid
 *		any -> PARTLY				rescan, some keys are still valid
 *		any -> NEW					rescan, no key is valid; new shared memory
 *		any -> SHUT_DOWN			the leader's shared memory goes away
 *
 *		NEW			nothing is known
 *		PARTLY		keys that do not depend on parameters are known (repeat.c)
 *		PREPARED	the result is known: the reducers' keys and, for a bitmap,
 *					the pages; made here or by another process of the query
 *		SCANNING	rows of the fact are being read
 *		ENDED		there are no more rows
 *		SHUT_DOWN	the leader's shared memory and the result in it are gone
 *
 * A rescan or a shutdown may happen at any stage; nothing else goes back to an
 * earlier stage.
 *
 * The scan of a partition has no children.  It uses the keys of the
 * SsdparStarKeys node above it, and ends immediately if none of these keys can
 * be in the partition.
 *
 * Rows are never rechecked after a concurrent update (EvalPlanQual), because
 * the planner does not use star scans in queries with row marks.  In a CTE the
 * node may run during a recheck of other tables; it then works as usual.
 *
 * Memory: data's context holds the result and lives until the keys may have
 * changed.  scan_context holds the state of the fact scan and lives until a
 * rescan.  Everything else lives as long as the query.
 *
 * ReInitializeDSM resets shared state; ReScan resets state of this process.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/parallel.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "starscan/exec/children.h"
#include "starscan/exec/explain.h"
#include "starscan/exec/fact_scan.h"
#include "starscan/exec/fact_slot.h"
#include "starscan/exec/node.h"
#include "starscan/exec/prepare.h"
#include "starscan/exec/repeat.h"
#include "starscan/exec/shared.h"

typedef enum Stage
{
	NEW,
	PARTLY,
	PREPARED,
	SCANNING,
	ENDED,
	SHUT_DOWN,
} Stage;

/*
 * Invariants: data has a result exactly if the stage is PARTLY to ENDED.
 * There is a scan exactly if it is SCANNING.  counters belong to this process;
 * they are in shared if that exists, else own_counters.
 */
typedef struct StarState
{
	CustomScanState css;		/* must be first */
	SsdparStarPlan *plan;
	SsdparStarChild *children;	/* one for each reducer, unless keys are
								 * shared */
	SsdparSharedKeys *keys;		/* shared by all partitions of the fact, or
								 * NULL */
	uint64		keys_age;		/* age of the keys that data is based on */
	bool		pruned;			/* the keys have shown that no row matches */
	Relation   *indexes;		/* one for each reducer, or NULL */
	TupleTableSlot *fact_slot;	/* the scan slot, unless reducers are joined */
	ExprState  *late_filter;	/* of the node's quals (fact_slot.h) */
	Stage		stage;
	SsdparStarData *data;

	MemoryContext scan_context;
	SsdparFactScan *scan;

	SsdparStarCounters *counters;
	SsdparStarCounters *own_counters;
	SsdparPhases phases;		/* updates counters */
	SsdparStarShared *shared;	/* NULL without workers */
	int			process;		/* number of this process; 0 is the leader */

	/* For EXPLAIN, after shared is gone.  */
	SsdparStarResult *kept_result;
	SsdparStarCounters *kept_counters;
	int			processes_run;
} StarState;

/* The only function that changes the stage; see the file header.  */
static void
change_stage(StarState *state, Stage to)
{
	Stage		from PG_USED_FOR_ASSERTS_ONLY = state->stage;

	switch (to)
	{
		case NEW:
			break;
		case PARTLY:
			Assert(state->shared == NULL);
			/* fall through */
		case PREPARED:
			Assert(from != SHUT_DOWN);
			break;
		case SCANNING:
			Assert(from == PREPARED);
			break;
		case ENDED:
			Assert(from == PREPARED || from == SCANNING);
			break;
		case SHUT_DOWN:
			Assert(state->shared == NULL);
			break;
	}
	state->stage = to;
	Assert((state->data->result != NULL) ==
		   (to != NEW && to != SHUT_DOWN));
	Assert((state->scan != NULL) == (to == SCANNING));
}

/*
 * Startup.
 */

/*
 * Opens the indexes that may be read.  Like those of core's scans, they stay
 * open until the end.  Otherwise an index could be dropped before it is read,
 * either by a statement between two fetches from a cursor, or by replay on a
 * standby, where REINDEX CONCURRENTLY does not lock the table.
 *
 * A parallel worker is protected by its leader's locks, so it opens an index
 * only when it reads it.  Opening one requires catalog lookups, and there may
 * be indexes for thousands of partitions, most of which are read by other
 * processes or have no matching rows.
 */
static void
open_indexes(StarState *state)
{
	const SsdparStarPlan *plan = state->plan;

	if (plan->access != SSDPAR_STAR_BITMAP)
		return;
	for (int i = 0; i < plan->nreducers; i++)
	{
		if (OidIsValid(plan->reducers[i].index) && state->indexes[i] == NULL)
			state->indexes[i] = index_open(plan->reducers[i].index,
										   AccessShareLock);
	}
}

static void
close_indexes(StarState *state)
{
	for (int i = 0; i < state->plan->nreducers; i++)
	{
		if (state->indexes[i] != NULL)
			index_close(state->indexes[i], NoLock);
	}
}

static void
begin_star(CustomScanState *css, EState *estate, int eflags)
{
	StarState  *state = (StarState *) css;
	int			n = state->plan->nreducers;

	state->indexes = palloc0_array(Relation, n);
	if ((eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0 && !IsParallelWorker())
		open_indexes(state);
	state->fact_slot = ssdpar_fact_slot_init(css, estate,
											 &state->late_filter);
	state->data = ssdpar_star_data_create(n);
	if (state->keys == NULL)
	{
		state->children = ssdpar_star_children_init(css, n, estate, eflags);
		ssdpar_star_find_constant(state->plan, state->children, state->data);
	}
	else
	{
		state->data->lender = ssdpar_shared_keys_data(state->keys);
		ssdpar_shared_keys_add_part(state->keys, &state->pruned);
	}
	state->scan_context = AllocSetContextCreate(estate->es_query_cxt,
												"SsdparStarScan scan",
												ALLOCSET_START_SMALL_SIZES);
	state->own_counters = palloc0(ssdpar_star_counters_size(n));
	state->counters = state->own_counters;
	state->kept_counters = palloc0(ssdpar_star_counters_size(n));
}

/*
 * Execution of each stage.
 */

static void
make_result(StarState *state)
{
	const ScanState *ss = &state->css.ss;
	SsdparPreparation *preparation;

	open_indexes(state);
	if (state->shared != NULL)
		ssdpar_star_data_begin_shared(state->data,
									  ssdpar_star_shared_result(state->shared),
									  ss->ps.state->es_query_dsa);
	else if (state->stage == NEW)
		ssdpar_star_data_begin_private(state->data);
	preparation =
		ssdpar_star_preparation_begin(state->plan, state->children,
									  state->keys, ss->ss_currentRelation,
									  state->indexes,
									  ss->ps.state->es_snapshot,
									  state->shared, state->process,
									  state->data);
	ssdpar_phase_enter(&state->phases, SSDPAR_PHASE_BITMAP);
	ssdpar_star_preparation_finish(preparation);
}

/*
 * Do the keys show that no row can match?  All processes get the same answer.
 */
static bool
prune(StarState *state)
{
	if (state->keys == NULL)
		return false;
	state->keys_age = ssdpar_shared_keys_age(state->keys);
	if (ssdpar_shared_keys_reach(state->keys, state->plan))
		return false;
	ssdpar_star_data_begin_private(state->data);
	state->data->result->empty = true;
	state->counters->pruned++;
	state->pruned = true;
	return true;
}

static void
prepare(StarState *state)
{
	instr_time	start;
	instr_time	end;

	if (ssdpar_node_is_timed(state->css.ss.ps.instrument))
		ssdpar_phases_begin(&state->phases, state->css.ss.ss_currentRelation,
							state->counters->busy);
	INSTR_TIME_SET_CURRENT(start);
	ssdpar_phase_enter(&state->phases, SSDPAR_PHASE_KEYS);
	if (!prune(state))
		make_result(state);
	ssdpar_phase_enter(&state->phases, SSDPAR_PHASE_NONE);
	change_stage(state, PREPARED);
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(state->counters->prepare_time, end, start);
}

static void
begin_scan(StarState *state)
{
	SsdparStarShared *shared = state->shared;
	SsdparPageAllocator *allocator = NULL;
	ParallelTableScanDesc parallel = NULL;
	SsdparRing *ring = state->keys == NULL ? NULL :
		ssdpar_shared_keys_ring(state->keys);
	MemoryContext before = MemoryContextSwitchTo(state->scan_context);

	ssdpar_phase_enter(&state->phases, SSDPAR_PHASE_HEAP);
	if (shared != NULL)
	{
		allocator = ssdpar_star_shared_allocator(shared);
		parallel = ssdpar_star_shared_scan(shared);
	}
	state->scan = ssdpar_fact_scan_begin(state->plan, state->data,
										 &state->css.ss, state->fact_slot,
										 state->late_filter,
										 allocator, parallel, ring,
										 state->counters);
	MemoryContextSwitchTo(before);
}

/*
 * Ends the scan at any stage, so that nothing of the fact stays open or
 * pinned.
 */
static void
end_scan(StarState *state)
{
	if (state->scan != NULL)
		ssdpar_fact_scan_end(state->scan);
	state->scan = NULL;
	ssdpar_phase_enter(&state->phases, SSDPAR_PHASE_NONE);
	MemoryContextReset(state->scan_context);
}

static TupleTableSlot *
exec_star(CustomScanState *css)
{
	StarState  *state = (StarState *) css;
	ProjectionInfo *projection = css->ss.ps.ps_ProjInfo;
	TupleTableSlot *slot;

	for (;;)
	{
		switch (state->stage)
		{
			case NEW:
			case PARTLY:
				prepare(state);
				break;
			case PREPARED:
				if (state->data->result->empty)
				{
					change_stage(state, ENDED);
					break;
				}
				begin_scan(state);
				change_stage(state, SCANNING);
				break;
			case SCANNING:
				slot = ssdpar_fact_scan_next(state->scan);
				if (slot != NULL)
					return slot;
				end_scan(state);
				change_stage(state, ENDED);
				break;
			case ENDED:
			case SHUT_DOWN:
				return ExecClearTuple(projection != NULL ?
									  projection->pi_state.resultslot :
									  css->ss.ss_ScanTupleSlot);
		}
	}
}

/*
 * Shutdown and rescan.
 */

static void
end_star(CustomScanState *css)
{
	StarState  *state = (StarState *) css;
	ListCell   *lc;

	end_scan(state);
	close_indexes(state);
	foreach(lc, css->custom_ps)
		ExecEndNode(lfirst(lc));
}

/* Discards everything that was prepared.  */
static void
forget(StarState *state, Stage stage)
{
	end_scan(state);
	ssdpar_star_data_forget(state->data);
	change_stage(state, stage);
}

/*
 * The keys stay valid unless a parameter that some child depends on has
 * changed.  Even then, keys that do not depend on parameters stay valid.
 * Shared state is reset by ReInitializeDSM before workers are restarted, so it
 * has to be attached again.
 */
static void
rescan_star(CustomScanState *css)
{
	StarState  *state = (StarState *) css;
	bool		changed = state->stage == PARTLY;

	if (state->keys != NULL)
		changed = state->keys_age != ssdpar_shared_keys_age(state->keys);
	else
		changed |= ssdpar_star_children_change(state->children,
											   state->plan->nreducers,
											   &css->ss.ps);
	end_scan(state);
	if (state->data->result == NULL || state->shared != NULL)
		forget(state, NEW);
	else if (!changed)
		change_stage(state, PREPARED);
	else if (state->keys == NULL &&
			 ssdpar_star_forget_variable(state->plan, state->data))
		change_stage(state, PARTLY);
	else
		forget(state, NEW);
	ExecScanReScan(&css->ss);
}

/*
 * Parallel execution.
 */

static Size
estimate_dsm(CustomScanState *css, ParallelContext *pcxt)
{
	return ssdpar_star_shared_size(pcxt->nworkers + 1,
								   ((StarState *) css)->plan->nreducers,
								   css->ss.ss_currentRelation,
								   css->ss.ps.state->es_snapshot);
}

/* Discards what this process did alone, or with earlier workers.  */
static void
attach(StarState *state, SsdparStarShared *shared, int process)
{
	forget(state, NEW);
	state->shared = shared;
	state->process = process;
	state->counters = ssdpar_star_shared_counters(shared, process);
	state->phases.busy = NULL;
}

/*
 * If the server has no free DSM segment, coordinate is private memory, there
 * are no workers and there is no area for a result, so the leader scans alone.
 */
static void
initialize_dsm(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	StarState  *state = (StarState *) css;

	if (pcxt->seg == NULL)
	{
		if (state->stage == SHUT_DOWN)
			change_stage(state, NEW);
		return;
	}
	ssdpar_star_shared_init(coordinate, pcxt->nworkers + 1,
							state->plan->nreducers);
	attach(state, coordinate, 0);
}

/* No worker is running at this time.  */
static void
reinitialize_dsm(CustomScanState *css, ParallelContext *pcxt,
				 void *coordinate)
{
	StarState  *state = (StarState *) css;

	if (state->shared == NULL)
		return;
	forget(state, NEW);
	ssdpar_star_shared_reset(state->shared, css->ss.ps.state->es_query_dsa);
}

static void
initialize_worker(CustomScanState *css, shm_toc *toc, void *coordinate)
{
	attach((StarState *) css, coordinate, ParallelWorkerNumber + 1);
}

/* Sums the counters of all processes over all parallel executions.  */
static void
sum_counters(const StarState *state, SsdparStarCounters *total)
{
	int			n = state->plan->nreducers;

	ssdpar_star_counters_add(total, state->kept_counters, n);
	if (state->shared == NULL)
		ssdpar_star_counters_add(total, state->counters, n);
	else
		ssdpar_star_shared_add_counters(state->shared, total);
}

/* Saves what EXPLAIN needs from shared memory before it goes away.  */
static void
shutdown_star(CustomScanState *css)
{
	StarState  *state = (StarState *) css;
	SsdparStarShared *shared = state->shared;
	Size		counters_size =
		ssdpar_star_counters_size(state->plan->nreducers);
	Size		result_size = ssdpar_star_result_size(state->plan->nreducers);
	MemoryContext context = css->ss.ps.state->es_query_cxt;
	SsdparStarCounters *total;

	if (shared == NULL || IsParallelWorker())
		return;
	end_scan(state);			/* completes the counters */
	total = MemoryContextAllocZero(context, counters_size);
	sum_counters(state, total);
	pfree(state->kept_counters);
	state->kept_counters = total;
	if (state->kept_result == NULL)
		state->kept_result = MemoryContextAlloc(context, result_size);
	memcpy(state->kept_result, ssdpar_star_shared_result(shared), result_size);
	state->pruned |= total->pruned > 0;
	state->processes_run =
		ssdpar_participants_attached(ssdpar_star_shared_participants(shared));
	state->shared = NULL;
	memset(state->own_counters, 0, counters_size);
	state->counters = state->own_counters;
	state->phases.busy = NULL;
	forget(state, SHUT_DOWN);
}

static void
explain_star(CustomScanState *css, List *ancestors, ExplainState *es)
{
	StarState  *state = (StarState *) css;
	SsdparStarCounters *total =
		palloc0(ssdpar_star_counters_size(state->plan->nreducers));
	SsdparStarExplained star = {
		.plan = state->plan,
		.scanrelid = ((CustomScan *) css->ss.ps.plan)->scan.scanrelid,
		.columns = ((CustomScan *) css->ss.ps.plan)->custom_scan_tlist,
		.fact = css->ss.ss_currentRelation,
		.pruned = state->pruned,
		.instrument = css->ss.ps.instrument,
		.result = state->data->result != NULL ? state->data->result :
			state->kept_result,
		.counters = total,
		.processes = state->processes_run,
	};

	/* the nodes above may have stopped early */
	ssdpar_phase_enter(&state->phases, SSDPAR_PHASE_NONE);
	if (state->scan != NULL)
		ssdpar_fact_scan_count(state->scan);
	sum_counters(state, total);
	ssdpar_star_explain(&star, es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = "SsdparStarScan",
	.BeginCustomScan = begin_star,
	.ExecCustomScan = exec_star,
	.EndCustomScan = end_star,
	.ReScanCustomScan = rescan_star,
	.EstimateDSMCustomScan = estimate_dsm,
	.InitializeDSMCustomScan = initialize_dsm,
	.ReInitializeDSMCustomScan = reinitialize_dsm,
	.InitializeWorkerCustomScan = initialize_worker,
	.ShutdownCustomScan = shutdown_star,
	.ExplainCustomScan = explain_star,
};

Node *
ssdpar_create_star_state(CustomScan *plan)
{
	StarState  *state = (StarState *) newNode(sizeof(StarState),
											  T_CustomScanState);

	state->css.methods = &exec_methods;
	if (ssdpar_is_star_part(plan->custom_private))
	{
		state->keys = ssdpar_shared_keys_current();
		state->plan = ssdpar_shared_keys_part(state->keys,
											  plan->custom_private);
	}
	else
		state->plan = ssdpar_star_plan_from_list(plan->custom_private);
	return (Node *) state;
}
