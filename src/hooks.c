/*
 * hooks.c
 *		All server hooks that ssdpar uses, on one screen.
 *
 * Each function here calls the previous holder of its hook exactly once and
 * hands the work to the module that owns it.  With ssdpar.enabled off it does
 * nothing else.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "optimizer/geqo.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "base/advice.h"
#include "base/notes.h"
#include "base/planner_compat.h"
#include "base/rows_asked.h"
#include "base/settings.h"
#include "cost/page_cost_override.h"
#include "cost/reprice.h"
#include "device/calibration_progress.h"
#include "device/device_load.h"
#include "device/known_devices.h"
#include "device/profile_file.h"
#include "device/profile_drift.h"
#include "hooks.h"
#include "index_join/plan/offer.h"
#include "monitor/measure_drift.h"
#include "monitor/plan_io.h"
#include "prefetch/counters.h"
#include "prefetch/daemon_socket.h"
#include "prefetch/shared_progress.h"
#include "prefetch/yield.h"
#include "rowcount/join_again.h"
#include "rowcount/loop_price.h"
#include "shards/plan/offer.h"
#include "split/choice.h"
#include "split/path.h"
#include "starscan/plan/covering.h"
#include "starscan/plan/offer.h"
#include "starscan/plan/rescan.h"
#include "statement/explain_prefetch.h"
#include "statement/explain_statement.h"
#include "statement/plan_statement.h"

static planner_hook_type previous_planner = NULL;
static SsdparRelationHook previous_relation = NULL;
static set_rel_pathlist_hook_type previous_set_rel_pathlist = NULL;
static set_join_pathlist_hook_type previous_set_join_pathlist = NULL;
static join_search_hook_type previous_join_search = NULL;
static ExplainOneQuery_hook_type previous_explain_query = NULL;

static ExecutorStart_hook_type previous_executor_start = NULL;
static ExecutorRun_hook_type previous_executor_run = NULL;
static ExecutorEnd_hook_type previous_executor_end = NULL;
static shmem_request_hook_type previous_shmem_request = NULL;
static shmem_startup_hook_type previous_shmem_startup = NULL;

static PlannedStmt *
planner(SSDPAR_PLANNER_PARAMETERS)
{
	/* a statement nested in ours must not see our page costs */
	if (ssdpar_enabled || ssdpar_core_costs_in_use())
		return ssdpar_plan_statement(previous_planner,
									 SSDPAR_PLANNER_ARGUMENTS(parse));
	return (previous_planner ? previous_planner : standard_planner)
		(SSDPAR_PLANNER_ARGUMENTS(parse));
}

/*
 * Hooks act only once we know that the statement may gain something.  The
 * planner hook must end the state of a statement.  However, a function called
 * during planning can enable ssdpar in the middle of a statement, and some
 * callers plan without the planner hook.
 */
static bool
is_acting(void)
{
	return ssdpar_enabled && ssdpar_core_costs_in_use();
}

static void
relation_known(SSDPAR_RELATION_PARAMETERS)
{
	if (previous_relation)
		previous_relation(SSDPAR_RELATION_ARGUMENTS);
	if (ssdpar_enabled)
		ssdpar_statement_meets(root, rel);
}

/*
 * Call the next hook only after core's paths are repriced and the user's
 * settings restored.
 */
static void
set_rel_pathlist(PlannerInfo *root, RelOptInfo *rel, Index rti,
				 RangeTblEntry *rte)
{
	if (ssdpar_core_costs_in_use())
		ssdpar_reprice_scans(root, rel);
	Assert(ssdpar_core_costs_are_users(rel));
	if (previous_set_rel_pathlist)
	{
		uint32		before = ssdpar_paths_before(rel);

		previous_set_rel_pathlist(root, rel, rti, rte);
		if (is_acting())
			ssdpar_watch_advice(rel, before);
	}
	if (is_acting())
	{
		ssdpar_offer_lone_star_scan(root, rel);
		ssdpar_split_scan(root, rel);
	}
}

/* Previous holders see each pair of relations as often as without ours. */
static void
set_join_pathlist(PlannerInfo *root, RelOptInfo *joined, RelOptInfo *outer,
				  RelOptInfo *inner, JoinType jointype,
				  JoinPathExtraData *extra)
{
	if (ssdpar_pair_is_made_again())
		return;
	if (previous_set_join_pathlist)
		previous_set_join_pathlist(root, joined, outer, inner, jointype,
								   extra);
	if (is_acting())
	{
		ssdpar_price_loops(root, joined, outer, inner, jointype, extra);
		ssdpar_offer_covering_scans(root, joined, outer, inner, jointype,
									extra);
		ssdpar_offer_index_joins(root, joined, outer, inner, jointype, extra);
		ssdpar_keep_joins(root, joined);
	}
}

/*
 * Offers paths before the search, which builds joins of them, and examines its
 * choice afterwards.  Core's part is that of make_rel_from_joinlist().
 */
static RelOptInfo *
join_search(PlannerInfo *root, int levels, List *initial_rels)
{
	SsdparNotes before = *ssdpar_notes();
	bool		split;
	RelOptInfo *rel;

	Assert(ssdpar_core_costs_are_users(NULL));
	if (is_acting())
	{
		ssdpar_send_keys_to_shards(root);
		ssdpar_offer_star_scans(root);
	}
	split = is_acting() && ssdpar_offer_partition(root, initial_rels);
	if (previous_join_search)
		rel = previous_join_search(root, levels, initial_rels);
	else if (enable_geqo && levels >= geqo_threshold)
		rel = geqo(root, levels, initial_rels);
	else
		rel = standard_join_search(root, levels, initial_rels);
	if (is_acting())
		ssdpar_keep_inner_star_scans(root);
	if (split)
		ssdpar_require_split(root, rel);
	if (IS_DUMMY_REL(rel))
		ssdpar_note_empty(&before);
	return rel;
}

static void
explain_query(Query *query, int cursor_options, IntoClause *into,
			  ExplainState *es, const char *query_string,
			  ParamListInfo params, QueryEnvironment *query_env)
{
	if (ssdpar_enabled)
		ssdpar_explain_query(previous_explain_query, query, cursor_options,
							 into, es, query_string, params, query_env);
	else
		(previous_explain_query ? previous_explain_query :
		 ssdpar_explain_as_core) (query, cursor_options, into, es,
								  query_string, params, query_env);
}

/* EXPLAIN without ANALYZE starts a query and never runs it. */
static void
executor_start(QueryDesc *query, int eflags)
{
	ssdpar_explain_note_start(query);
	if (previous_executor_start)
		previous_executor_start(query, eflags);
	else
		standard_ExecutorStart(query, eflags);
	if (!ssdpar_enabled || (eflags & EXEC_FLAG_EXPLAIN_ONLY))
		return;
	ssdpar_plan_io_announce(query);
}

static void
run_query(SSDPAR_EXECUTOR_RUN_PARAMETERS)
{
	(previous_executor_run ? previous_executor_run : standard_ExecutorRun)
		(SSDPAR_EXECUTOR_RUN_ARGUMENTS);
}

/*
 * The setting may change during the run, but a run that was begun is always
 * ended.
 */
static void
executor_run(SSDPAR_EXECUTOR_RUN_PARAMETERS)
{
	/* a set-returning function is asked for one row again and again */
	uint64		rows = query->dest->mydest == DestSPI ? count : 0;
	bool		measured = ssdpar_enabled && count == 0 &&
		ScanDirectionIsForward(direction) && ssdpar_drift_wanted(query);
	SsdparDriftRun run;
	uint64		outer;

	/* most statements have nothing to end */
	if (!ssdpar_enabled || (!measured && rows == ssdpar_rows_asked()))
	{
		run_query(SSDPAR_EXECUTOR_RUN_ARGUMENTS);
		return;
	}
	outer = ssdpar_rows_asked_begin(rows);
	PG_TRY();
	{
		if (measured)
			ssdpar_drift_begin(&run, query);
		run_query(SSDPAR_EXECUTOR_RUN_ARGUMENTS);
	}
	PG_CATCH();
	{
		ssdpar_rows_asked_end(outer);
		if (measured)
			ssdpar_drift_failed();
		PG_RE_THROW();
	}
	PG_END_TRY();
	ssdpar_rows_asked_end(outer);
	if (measured)
		ssdpar_drift_end(&run);
}

/* Also if ssdpar.enabled was switched off after the query started. */
static void
executor_end(QueryDesc *query)
{
	ssdpar_explain_note_end(query);
	if (previous_executor_end)
		previous_executor_end(query);
	else
		standard_ExecutorEnd(query);
}

/* The owners of shared memory, each with the size of its part. */
static const struct
{
	Size		(*size) (void);
	void		(*init) (void *part);
}			shared_parts[] = {
	{ssdpar_counters_shmem_size, ssdpar_counters_shmem_init},
	{ssdpar_shared_progress_shmem_size, ssdpar_shared_progress_shmem_init},
	{ssdpar_device_load_shmem_size, ssdpar_device_load_shmem_init},
	{ssdpar_known_devices_shmem_size, ssdpar_known_devices_shmem_init},
	{ssdpar_profiles_shmem_size, ssdpar_profiles_shmem_init},
	{ssdpar_drift_shmem_size, ssdpar_drift_shmem_init},
	{ssdpar_yield_shmem_size, ssdpar_yield_shmem_init},
	{ssdpar_calibration_progress_shmem_size,
	ssdpar_calibration_progress_shmem_init},
	{ssdpar_daemon_shmem_size, ssdpar_daemon_shmem_init},
};

/* Parts begin at cache lines, so that no owner slows another down. */
static Size
shared_size(void)
{
	Size		size = 0;

	for (int i = 0; i < (int) lengthof(shared_parts); i++)
		size = add_size(size, CACHELINEALIGN(shared_parts[i].size()));
	return size;
}

static void
shmem_request(void)
{
	if (previous_shmem_request)
		previous_shmem_request();
	RequestAddinShmemSpace(shared_size());
}

/* The postmaster is alone, and its children inherit what init has set. */
static void
shmem_startup(void)
{
	char	   *part;
	bool		found;

	if (previous_shmem_startup)
		previous_shmem_startup();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	part = ShmemInitStruct("ssdpar", shared_size(), &found);
	LWLockRelease(AddinShmemInitLock);
	Assert(!found);
	for (int i = 0; i < (int) lengthof(shared_parts); i++)
	{
		shared_parts[i].init(part);
		part += CACHELINEALIGN(shared_parts[i].size());
	}
}

void
ssdpar_install_hooks(void)
{
	/* shared memory can be reserved only during server start */
	if (process_shared_preload_libraries_in_progress)
	{
		previous_shmem_request = shmem_request_hook;
		shmem_request_hook = shmem_request;
		previous_shmem_startup = shmem_startup_hook;
		shmem_startup_hook = shmem_startup;
	}
	previous_executor_start = ExecutorStart_hook;
	ExecutorStart_hook = executor_start;
	previous_executor_run = ExecutorRun_hook;
	ExecutorRun_hook = executor_run;
	previous_executor_end = ExecutorEnd_hook;
	ExecutorEnd_hook = executor_end;
	previous_planner = planner_hook;
	planner_hook = planner;
	previous_relation = SSDPAR_RELATION_HOOK;
	SSDPAR_RELATION_HOOK = relation_known;
	previous_set_rel_pathlist = set_rel_pathlist_hook;
	set_rel_pathlist_hook = set_rel_pathlist;
	previous_set_join_pathlist = set_join_pathlist_hook;
	set_join_pathlist_hook = set_join_pathlist;
	previous_join_search = join_search_hook;
	join_search_hook = join_search;
	previous_explain_query = ExplainOneQuery_hook;
	ExplainOneQuery_hook = explain_query;
}
