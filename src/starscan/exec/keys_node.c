/*
 * keys_node.c
 *		Executor node SsdparStarKeys: collects the keys for the star scans of
 *		all partitions of a fact and returns the rows of these scans.
 *
 * The first children read the dimensions.  The last child is core's Append of
 * the star scans, or the only scan that is left of it.  The first scan that
 * needs the keys has them collected (shared_keys.c).  So a query that prunes
 * all partitions, or that wants no rows, reads no dimension.
 *
 * As in an Append, slots of any kind and from any partition are returned
 * unchanged.  If reducers are joined, the node looks up each row's partners
 * and adds their columns (joined_columns.c).  In that case it may get a row
 * from a partition that core scans before any keys have been collected.
 *
 * In a parallel query each process has its own keys.  Only EXPLAIN uses shared
 * memory: each process stores a copy of its result there, without the sets.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "executor/executor.h"
#include "nodes/plannodes.h"
#include "storage/shmem.h"

#include "base/compat.h"
#include "custom_scan/names.h"
#include "starscan/exec/children.h"
#include "starscan/exec/explain.h"
#include "starscan/exec/joined_columns.h"
#include "starscan/exec/keys_node.h"
#include "starscan/exec/shared_keys.h"

/* One result for each process, the leader's first.  */
typedef struct SharedResults
{
	int			nprocesses;
	Size		size;			/* of each result */
} SharedResults;

typedef struct KeysState
{
	CustomScanState css;		/* must be first */
	SsdparStarPlan *plan;
	SsdparStarChild *children;
	SsdparSharedKeys *keys;
	PlanState  *rows;			/* the last child */
	SsdparJoinedColumns *joined;	/* NULL if rows are returned unchanged */

	/* For EXPLAIN. */
	SharedResults *shared;		/* NULL without workers */
	SsdparStarResult *found;	/* one process's result, after shared is gone */
	int			processes;		/* that have collected the keys */
} KeysState;

static Size
result_size(const KeysState *state)
{
	return MAXALIGN(ssdpar_star_result_size(state->plan->nreducers));
}

static SsdparStarResult *
result_of(SharedResults *shared, int process)
{
	return (SsdparStarResult *) ((char *) shared +
								 MAXALIGN(sizeof(SharedResults)) +
								 process * shared->size);
}

/*
 * The kind of the slots, and even their number of columns, is not known.
 */
static void
init_slots(CustomScanState *css)
{
	css->ss.ps.scanopsset = true;
	css->ss.ps.scanopsfixed = false;
	css->ss.ps.scanops = NULL;
	ExecAssignScanProjectionInfoWithVarno(&css->ss, INDEX_VAR);
}

/*
 * Initializes the scans of the partitions, which look for the keys while they
 * are created.
 */
static PlanState *
init_rows(Plan *plan, EState *estate, int eflags, SsdparSharedKeys *keys)
{
	SsdparSharedKeys *before = ssdpar_shared_keys_enter(keys);
	PlanState  *volatile rows = NULL;

	PG_TRY();
	{
		rows = ExecInitNode(plan, estate, eflags);
	}
	PG_FINALLY();
	{
		ssdpar_shared_keys_enter(before);
	}
	PG_END_TRY();
	return rows;
}

/*
 * Returns the position of the fact's column in the incoming rows.  The column
 * must be there, because a join above would have requested it too.
 */
static AttrNumber
place_of(const List *tlist, Index fact, AttrNumber column)
{
	ListCell   *lc;

	foreach(lc, tlist)
	{
		const TargetEntry *entry = lfirst_node(TargetEntry, lc);
		const Var  *var = (const Var *) entry->expr;

		if (IsA(var, Var) && var->varno == (int) fact &&
			var->varattno == column)
			return entry->resno;
	}
	elog(ERROR, "star keys have no column %d of the fact", column);
	return 0;					/* keep compiler quiet */
}

/*
 * Returns the fact's index in the finished plan.  The node scans either the
 * fact alone or the join with its joined dimensions.  Relations keep their
 * relative order when the plan is finished.
 */
static Index
fact_relid(const KeysState *state)
{
	const CustomScan *scan = (const CustomScan *) state->css.ss.ps.plan;
	const SsdparStarPlan *plan = state->plan;
	Index		first = plan->fact;

	for (int i = 0; i < plan->nreducers; i++)
	{
		if (plan->reducers[i].joined)
			first = Min(first, plan->reducers[i].dimension);
	}
	return plan->fact + bms_next_member(scan->custom_relids, -1) - first;
}

/*
 * Prepares the lookup of partners.  It works as for a table, except that the
 * columns have other positions in the incoming rows.
 */
static void
begin_joining(KeysState *state)
{
	const CustomScan *scan = (const CustomScan *) state->css.ss.ps.plan;
	SsdparStarPlan *placed = palloc_object(SsdparStarPlan);
	int			n = state->plan->nreducers;

	*placed = *state->plan;
	placed->reducers = palloc(n * sizeof(SsdparReducer));
	memcpy(placed->reducers, state->plan->reducers, n * sizeof(SsdparReducer));
	for (int i = 0; i < n; i++)
	{
		SsdparReducer *reducer = &placed->reducers[i];

		if (reducer->joined)
			reducer->key.target_columns[0] =
				place_of(scan->custom_scan_tlist, fact_relid(state),
						 reducer->key.target_columns[0]);
	}
	state->joined =
		ssdpar_joined_columns_create(placed,
									 ssdpar_shared_keys_data(state->keys),
									 &state->css.ss,
									 palloc0(n * sizeof(SsdparFilterCount)));
}

static void
begin_keys(CustomScanState *css, EState *estate, int eflags)
{
	KeysState  *state = (KeysState *) css;
	List	   *plans = ((CustomScan *) css->ss.ps.plan)->custom_plans;
	int			n = state->plan->nreducers;

	if (list_length(plans) != n + 1)
		elog(ERROR, "star keys have %d plans for %d reducers",
			 list_length(plans), n);
	if (ssdpar_has_joined_reducers(state->plan))
		ssdpar_joined_columns_init_slot(css, estate);
	else
		init_slots(css);
	state->children = ssdpar_star_children_init(css, n, estate, eflags);
	state->keys = ssdpar_shared_keys_create(state->plan, state->children);
	state->rows = init_rows(llast(plans), estate, eflags, state->keys);
	css->custom_ps = lappend(css->custom_ps, state->rows);
	if (ssdpar_has_joined_reducers(state->plan))
		begin_joining(state);
}

/* Fetches the next row that has partners, with their columns.  */
static TupleTableSlot *
next_row(KeysState *state)
{
	TupleTableSlot *slot;

	do
	{
		slot = ExecProcNode(state->rows);
		if (TupIsNull(slot) || state->joined == NULL)
			return slot;
	} while (!ssdpar_shared_keys_collected(state->keys) ||
			 !ssdpar_joined_columns_find(state->joined, slot));
	return state->css.ss.ss_ScanTupleSlot;
}

static TupleTableSlot *
exec_keys(CustomScanState *css)
{
	KeysState  *state = (KeysState *) css;
	ProjectionInfo *projection = css->ss.ps.ps_ProjInfo;
	TupleTableSlot *slot = next_row(state);

	if (projection == NULL || TupIsNull(slot))
		return slot;
	ResetExprContext(css->ss.ps.ps_ExprContext);
	css->ss.ps.ps_ExprContext->ecxt_scantuple = slot;
	return ExecProject(projection);
}

static void
end_keys(CustomScanState *css)
{
	ListCell   *lc;

	foreach(lc, css->custom_ps)
		ExecEndNode(lfirst(lc));
}

/*
 * The keys come first, because the scans of the partitions check whether they
 * have changed.
 */
static void
rescan_keys(CustomScanState *css)
{
	KeysState  *state = (KeysState *) css;
	PlanState  *ps = &css->ss.ps;

	if (ssdpar_star_children_change(state->children, state->plan->nreducers,
									ps))
		ssdpar_shared_keys_forget(state->keys);
	if (ps->chgParam != NULL)
		UpdateChangedParamSet(state->rows, ps->chgParam);
	if (state->rows->chgParam == NULL)
		ExecReScan(state->rows);
}

/*
 * Parallel execution.
 */

static Size
estimate_dsm(CustomScanState *css, ParallelContext *pcxt)
{
	return add_size(MAXALIGN(sizeof(SharedResults)),
					mul_size(pcxt->nworkers + 1,
							 result_size((KeysState *) css)));
}

static void
initialize_dsm(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	KeysState  *state = (KeysState *) css;
	SharedResults *shared = coordinate;

	shared->nprocesses = pcxt->nworkers + 1;
	shared->size = result_size(state);
	memset(result_of(shared, 0), 0, shared->nprocesses * shared->size);
	state->shared = shared;
	ssdpar_shared_keys_publish(state->keys, result_of(shared, 0));
}

/* Restarted workers read the dimensions again and find the same.  */
static void
reinitialize_dsm(CustomScanState *css, ParallelContext *pcxt,
				 void *coordinate)
{
}

static void
initialize_worker(CustomScanState *css, shm_toc *toc, void *coordinate)
{
	ssdpar_shared_keys_publish(((KeysState *) css)->keys,
							   result_of(coordinate,
										 ParallelWorkerNumber + 1));
}

/* Saves what EXPLAIN needs from shared memory before it goes away.  */
static void
shutdown_keys(CustomScanState *css)
{
	KeysState  *state = (KeysState *) css;
	SharedResults *shared = state->shared;

	if (shared == NULL || IsParallelWorker())
		return;
	state->processes = 0;
	for (int i = 0; i < shared->nprocesses; i++)
	{
		SsdparStarResult *result = result_of(shared, i);

		if (!result->reducers[0].known)
			continue;
		state->processes++;
		if (state->found == NULL)
			state->found =
				MemoryContextAlloc(css->ss.ps.state->es_query_cxt,
								   shared->size);
		memcpy(state->found, result, shared->size);
	}
	state->shared = NULL;
	ssdpar_shared_keys_publish(state->keys, NULL);
}

static void
explain_parts(const KeysState *state, ExplainState *es)
{
	int			all;
	int			pruned;

	ssdpar_shared_keys_count_parts(state->keys, &all, &pruned);
	ExplainPropertyInteger("Partitions", NULL, all, es);
	if (es->verbose)
		ExplainPropertyInteger("Partitions Priced", NULL,
							   state->plan->npriced, es);
	if (!es->analyze)
		return;
	ExplainPropertyInteger("Partitions Pruned by Keys", NULL, pruned, es);
	if (state->processes > 0)
		ExplainPropertyInteger("Processes", NULL, state->processes, es);
}

static void
explain_keys(CustomScanState *css, List *ancestors, ExplainState *es)
{
	KeysState  *state = (KeysState *) css;
	const SsdparStarResult *own =
		ssdpar_shared_keys_data(state->keys)->result;
	Index		relid = fact_relid(state);
	SsdparStarExplained star = {
		.plan = state->plan,
		.scanrelid = relid,
		.columns = ((CustomScan *) css->ss.ps.plan)->custom_scan_tlist,
		.table = list_nth_node(RangeTblEntry, es->rtable, relid - 1)->relid,
		.result = state->found != NULL ? state->found : own,
		.counters = palloc0(ssdpar_star_counters_size(state->plan->nreducers)),
	};

	explain_parts(state, es);
	ssdpar_star_explain_keys(&star, es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = SSDPAR_STAR_KEYS,
	.BeginCustomScan = begin_keys,
	.ExecCustomScan = exec_keys,
	.EndCustomScan = end_keys,
	.ReScanCustomScan = rescan_keys,
	.EstimateDSMCustomScan = estimate_dsm,
	.InitializeDSMCustomScan = initialize_dsm,
	.ReInitializeDSMCustomScan = reinitialize_dsm,
	.InitializeWorkerCustomScan = initialize_worker,
	.ShutdownCustomScan = shutdown_keys,
	.ExplainCustomScan = explain_keys,
};

Node *
ssdpar_create_keys_state(CustomScan *plan)
{
	KeysState  *state = (KeysState *) newNode(sizeof(KeysState),
											  T_CustomScanState);

	state->css.methods = &exec_methods;
	state->plan = ssdpar_star_plan_from_list(plan->custom_private);
	return (Node *) state;
}
