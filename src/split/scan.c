/*
 * scan.c
 *		Execution of SsdparPartition, the scan that gives each subquery of a
 *		split star query its share of the partitioned table.
 *
 * Each process of the parallel query runs this node over the same table and
 * snapshot, and each visible row is returned by exactly one of them:
 *
 *		blocks	the fact: core's parallel block allocator
 *		rows	a dimension: the shared row queue of row_queue.c
 *
 * Without workers (none could be started, or the plan must not run in
 * parallel) nothing is shared and the node returns the whole table.
 *
 * Only ReInitializeDSM resets shared state, and only ReScan resets local
 * state.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/relscan.h"
#include "access/tableam.h"
#include "commands/explain.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/extensible.h"
#include "optimizer/optimizer.h"
#include "port/atomics.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "base/settings.h"
#include "custom_scan/names.h"
#include "prefetch/scan_window.h"
#include "split/path.h"
#include "split/row_queue.h"

/* Head of the node's shared memory, followed by the allocator or the queue.  */
typedef struct SharedPartition
{
	pg_atomic_uint32 participants;	/* processes that ran the node */
} SharedPartition;

#define SHARED_BODY(shared) \
	((void *) ((char *) (shared) + MAXALIGN(sizeof(SharedPartition))))

typedef struct PartitionState
{
	CustomScanState css;		/* must be first */
	SsdparPartitionKind kind;
	int			subqueries;		/* planned number of processes */
	int			subqueries_run; /* actual number; 0 if unknown */
	SharedPartition *shared;	/* NULL without workers */
	ParallelContext *workers;	/* in the leader, while shared exists */
	bool		joined;			/* this process is counted in shared */
	bool		ended;			/* shut down; no rows before a rescan */
	TableScanDesc scan;			/* created at the first use */
	SsdparScanWindow *window;	/* of kind blocks: announces scan, or NULL */

	/* Only for kind rows.  */
	SsdparRowQueue *queue;		/* in shared, or local without workers */
	ExprState  *filter;			/* the node's quals, applied while scanning */
	ItemPointerData *rows;		/* rows found here and not published */
	int			nrows;
	int			next_row;
	int			max_rows;
} PartitionState;

static void begin_partition(CustomScanState *css, EState *estate, int eflags);
static TupleTableSlot *exec_partition(CustomScanState *css);
static void end_partition(CustomScanState *css);
static void rescan_partition(CustomScanState *css);
static Size estimate_partition_dsm(CustomScanState *css, ParallelContext *pcxt);
static void initialize_partition_dsm(CustomScanState *css,
									 ParallelContext *pcxt, void *coordinate);
static void reinitialize_partition_dsm(CustomScanState *css,
									   ParallelContext *pcxt,
									   void *coordinate);
static void initialize_partition_worker(CustomScanState *css, shm_toc *toc,
										void *coordinate);
static void shutdown_partition(CustomScanState *css);
static void explain_partition(CustomScanState *css, List *ancestors,
							  ExplainState *es);

static const CustomExecMethods exec_methods = {
	.CustomName = SSDPAR_PARTITION_SCAN,
	.BeginCustomScan = begin_partition,
	.ExecCustomScan = exec_partition,
	.EndCustomScan = end_partition,
	.ReScanCustomScan = rescan_partition,
	.EstimateDSMCustomScan = estimate_partition_dsm,
	.InitializeDSMCustomScan = initialize_partition_dsm,
	.ReInitializeDSMCustomScan = reinitialize_partition_dsm,
	.InitializeWorkerCustomScan = initialize_partition_worker,
	.ShutdownCustomScan = shutdown_partition,
	.ExplainCustomScan = explain_partition,
};

Node *
ssdpar_create_partition_state(CustomScan *plan)
{
	PartitionState *state = (PartitionState *)
		newNode(sizeof(PartitionState), T_CustomScanState);

	state->css.methods = &exec_methods;
	state->kind = intVal(list_nth(plan->custom_private, SSDPAR_PRIVATE_KIND));
	state->subqueries = intVal(list_nth(plan->custom_private,
										SSDPAR_PRIVATE_SUBQUERIES));
	return (Node *) state;
}

/*
 * PostgreSQL 15 does not let a custom scan choose the kind of its scan slot
 * and gives it a virtual one.  We replace it by the table's own kind and
 * rebuild what depends on it.
 */
static void
begin_partition(CustomScanState *css, EState *estate, int eflags)
{
	PartitionState *state = (PartitionState *) css;
	PlanState  *ps = &css->ss.ps;
	Relation	rel = css->ss.ss_currentRelation;

	ssdpar_init_scan_tuple_slot(estate, &css->ss, RelationGetDescr(rel),
								table_slot_callbacks(rel), 0);
	ps->subPlan = NIL;			/* both of the following add to it */
	ExecAssignScanProjectionInfo(&css->ss);
	ps->qual = ExecInitQual(ps->plan->qual, ps);

	/* both are compiled for the slot's kind and would misread another */
	Assert(ps->scanopsfixed &&
		   ps->scanops == css->ss.ss_ScanTupleSlot->tts_ops &&
		   ps->scanops == table_slot_callbacks(rel));
	if (state->kind == SSDPAR_PARTITION_ROWS)
	{
		/*
		 * Rows are filtered before they are published, not when they are
		 * returned.
		 */
		state->filter = ps->qual;
		ps->qual = NULL;
	}
}

/*
 * Kind blocks.
 */

static void
begin_blocks(PartitionState *state)
{
	ScanState  *ss = &state->css.ss;
	EState	   *estate = ss->ps.state;
	Relation	rel = ss->ss_currentRelation;
	MemoryContext before = MemoryContextSwitchTo(estate->es_query_cxt);

	state->scan = state->shared ?
		ssdpar_table_beginscan_parallel(rel, SHARED_BODY(state->shared),
										SO_NONE) :
		ssdpar_table_beginscan(rel, estate->es_snapshot, 0, NULL, SO_NONE);
	if (state->window == NULL)
		state->window = ssdpar_scan_window_open(rel,
												ss->ps.plan->parallel_aware,
												ss->ps.plan->plan_node_id);
	MemoryContextSwitchTo(before);
}

static TupleTableSlot *
next_from_blocks(ScanState *ss)
{
	PartitionState *state = (PartitionState *) ss;
	TupleTableSlot *slot = ss->ss_ScanTupleSlot;

	if (state->scan == NULL)
		begin_blocks(state);
	if (!table_scan_getnextslot(state->scan, ForwardScanDirection, slot))
		return NULL;
	ssdpar_scan_window_look(state->window, state->scan);
	return slot;
}

/*
 * Kind rows.
 */

static void
remember_row(PartitionState *state, ItemPointer tid)
{
	if (state->nrows == state->max_rows)
	{
		Size		max_rows = Max(state->max_rows * 2, 256);

		if (state->rows == NULL)
			state->rows =
				MemoryContextAlloc(state->css.ss.ps.state->es_query_cxt,
								   max_rows * sizeof(*state->rows));
		else
			state->rows = repalloc(state->rows,
								   max_rows * sizeof(*state->rows));
		state->max_rows = max_rows;
	}
	state->rows[state->nrows++] = *tid;
}

/* Restricts the scan to the rows of these blocks.  */
static void
position_row_scan(PartitionState *state, BlockNumber first, BlockNumber last)
{
	ItemPointerData mintid;
	ItemPointerData maxtid;

	ItemPointerSet(&mintid, first, FirstOffsetNumber);
	ItemPointerSet(&maxtid, last, MaxOffsetNumber);
	if (state->scan)
		table_rescan_tidrange(state->scan, &mintid, &maxtid);
	else
		state->scan =
			ssdpar_table_beginscan_tidrange(state->css.ss.ss_currentRelation,
											state->css.ss.ps.state->es_snapshot,
											&mintid, &maxtid, SO_NONE);
}

/* Scans a claimed range of blocks and publishes the rows that qualify.  */
static void
scan_claimed_blocks(PartitionState *state, BlockNumber first, BlockNumber last)
{
	ScanState  *ss = &state->css.ss;
	ExprContext *econtext = ss->ps.ps_ExprContext;
	TupleTableSlot *slot = ss->ss_ScanTupleSlot;

	state->nrows = 0;
	state->next_row = 0;
	position_row_scan(state, first, last);
	while (table_scan_getnextslot_tidrange(state->scan, ForwardScanDirection,
										   slot))
	{
		CHECK_FOR_INTERRUPTS();
		ResetExprContext(econtext);
		econtext->ecxt_scantuple = slot;
		if (ExecQual(state->filter, econtext))
			remember_row(state, &slot->tts_tid);
		else
			InstrCountFiltered1(&ss->ps, 1);
	}
	ExecClearTuple(slot);
	state->next_row = ssdpar_row_queue_finish_scan(state->queue, state->rows,
												   state->nrows);
}

/*
 * The distributed blocks are those of the whole table at the beginning, and a
 * row that is added later conflicts.  So a serializable transaction locks the
 * table before its size is taken; the scan of a range locks only the rows that
 * it finds.
 */
static void
lock_whole(const ScanState *ss)
{
	PredicateLockRelation(ss->ss_currentRelation, ss->ps.state->es_snapshot);
}

/* Without workers, the queue belongs to this process alone.  */
static SsdparRowQueue *
make_local_queue(PartitionState *state)
{
	ScanState  *ss = &state->css.ss;
	SsdparRowQueue *queue = MemoryContextAlloc(ss->ps.state->es_query_cxt,
											   sizeof(SsdparRowQueue));

	lock_whole(ss);
	ssdpar_row_queue_init(queue,
						  RelationGetNumberOfBlocks(ss->ss_currentRelation),
						  1);
	return queue;
}

static TupleTableSlot *
next_from_rows(ScanState *ss)
{
	PartitionState *state = (PartitionState *) ss;
	TupleTableSlot *slot = ss->ss_ScanTupleSlot;
	ItemPointerData row;

	if (state->queue == NULL)
		state->queue = make_local_queue(state);
	for (;;)
	{
		BlockNumber first;
		BlockNumber last;

		if (state->next_row < state->nrows)
			row = state->rows[state->next_row++];
		else
		{
			SsdparRowQueueTurn turn = ssdpar_row_queue_next(state->queue, &row,
															&first, &last);

			if (turn == SSDPAR_TURN_END)
				return NULL;
			if (turn == SSDPAR_TURN_SCAN)
			{
				scan_claimed_blocks(state, first, last);
				continue;
			}
		}
		if (!table_tuple_fetch_row_version(ss->ss_currentRelation, &row,
										   ss->ps.state->es_snapshot, slot))
			elog(ERROR, "row (%u,%u) of \"%s\" vanished within one snapshot",
				 ItemPointerGetBlockNumber(&row),
				 ItemPointerGetOffsetNumber(&row),
				 RelationGetRelationName(ss->ss_currentRelation));
		return slot;
	}
}

/*
 * Common to both kinds.
 */

/* Queries with row locks are not split, so there is nothing to recheck.  */
static bool
recheck_partition(ScanState *ss, TupleTableSlot *slot)
{
	return true;
}

static TupleTableSlot *
exec_partition(CustomScanState *css)
{
	PartitionState *state = (PartitionState *) css;

	if (state->ended)
		return NULL;
	if (state->shared && !state->joined)
	{
		pg_atomic_fetch_add_u32(&state->shared->participants, 1);
		state->joined = true;
	}
	return ExecScan(&css->ss,
					state->kind == SSDPAR_PARTITION_BLOCKS ?
					next_from_blocks : next_from_rows,
					recheck_partition);
}

static void
end_scan(PartitionState *state)
{
	ssdpar_scan_window_end(state->window, state->scan);
	if (state->scan)
		table_endscan(state->scan);
	state->scan = NULL;
}

static void
end_partition(CustomScanState *css)
{
	end_scan((PartitionState *) css);
}

static void
rescan_partition(CustomScanState *css)
{
	PartitionState *state = (PartitionState *) css;

	state->ended = false;
	state->nrows = 0;
	state->next_row = 0;

	/*
	 * A scan for kind rows is repositioned for each chunk.  A local queue is
	 * restarted here.  A shared one is restarted in ReInitializeDSM, once, by
	 * the leader, while no worker is running.
	 */
	if (state->scan && state->kind == SSDPAR_PARTITION_BLOCKS)
		table_rescan(state->scan, NULL);
	if (state->shared == NULL && state->queue)
		ssdpar_row_queue_reset(state->queue);
	ExecScanReScan(&css->ss);
}

/*
 * Shared memory.
 */

static Size
estimate_partition_dsm(CustomScanState *css, ParallelContext *pcxt)
{
	PartitionState *state = (PartitionState *) css;
	Size		body = sizeof(SsdparRowQueue);

	/* includes the snapshot, so that workers see what we see */
	if (state->kind == SSDPAR_PARTITION_BLOCKS)
		body = table_parallelscan_estimate(css->ss.ss_currentRelation,
										   css->ss.ps.state->es_snapshot);
	return add_size(MAXALIGN(sizeof(SharedPartition)), body);
}

/*
 * A scan that was begun before would return the whole table in this process,
 * because it knew nothing of the others.  So end it.
 */
static void
attach_shared(PartitionState *state, SharedPartition *shared)
{
	end_scan(state);
	state->ended = false;
	state->shared = shared;
	if (state->kind == SSDPAR_PARTITION_ROWS)
		state->queue = SHARED_BODY(shared);
}

static void
initialize_partition_dsm(CustomScanState *css, ParallelContext *pcxt,
						 void *coordinate)
{
	PartitionState *state = (PartitionState *) css;
	SharedPartition *shared = coordinate;
	Relation	rel = css->ss.ss_currentRelation;

	pg_atomic_init_u32(&shared->participants, 0);
	lock_whole(&css->ss);
	if (state->kind == SSDPAR_PARTITION_BLOCKS)
		table_parallelscan_initialize(rel, SHARED_BODY(shared),
									  css->ss.ps.state->es_snapshot);
	else
		ssdpar_row_queue_init(SHARED_BODY(shared),
							  RelationGetNumberOfBlocks(rel),
							  pcxt->nworkers + 1);
	state->joined = false;
	attach_shared(state, shared);
	state->workers = pcxt;
}

static void
reinitialize_partition_dsm(CustomScanState *css, ParallelContext *pcxt,
						   void *coordinate)
{
	PartitionState *state = (PartitionState *) css;
	SharedPartition *shared = coordinate;

	pg_atomic_write_u32(&shared->participants, 0);
	state->joined = false;
	if (state->kind == SSDPAR_PARTITION_BLOCKS)
		table_parallelscan_reinitialize(css->ss.ss_currentRelation,
										SHARED_BODY(shared));
	else
		ssdpar_row_queue_reset(SHARED_BODY(shared));
}

static void
initialize_partition_worker(CustomScanState *css, shm_toc *toc,
							void *coordinate)
{
	attach_shared((PartitionState *) css, coordinate);
}

/*
 * The planner took the settings into account, but other background workers may
 * have started since.  A user who requested a number is told so.
 */
static void
tell_missing_workers(PartitionState *state)
{
	ParallelContext *workers = state->workers;

	if (workers == NULL || workers->nworkers_launched >= workers->nworkers ||
		state->subqueries != ssdpar_subqueries)
		return;
	ereport(NOTICE,
			(errmsg("only %d of %d subqueries ran",
					state->subqueries -
					(workers->nworkers - workers->nworkers_launched),
					state->subqueries),
			 errhint("Other background workers count against max_worker_processes (now %d) and max_parallel_workers (now %d) too; raise them or wait for the others to end.",
					 max_worker_processes, max_parallel_workers)));
}

/* Saves what EXPLAIN needs from shared memory before it goes away.  */
static void
shutdown_partition(CustomScanState *css)
{
	PartitionState *state = (PartitionState *) css;

	if (state->shared == NULL)
		return;
	tell_missing_workers(state);
	state->workers = NULL;
	state->subqueries_run = pg_atomic_read_u32(&state->shared->participants);
	end_scan(state);
	state->ended = true;
	state->shared = NULL;
	state->queue = NULL;
	state->nrows = 0;
	state->next_row = 0;
}

static void
explain_partition(CustomScanState *css, List *ancestors, ExplainState *es)
{
	PartitionState *state = (PartitionState *) css;

	ExplainPropertyText("Partitioned Table",
						RelationGetRelationName(css->ss.ss_currentRelation),
						es);
	ExplainPropertyText("Partition",
						state->kind == SSDPAR_PARTITION_BLOCKS ?
						"fact" : "dimension", es);
	ExplainPropertyInteger("Subqueries", NULL, state->subqueries, es);
	if (es->analyze && state->subqueries_run > 0)
		ExplainPropertyInteger("Subqueries Run", NULL,
							   state->subqueries_run, es);
}
