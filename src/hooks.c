/*
 * hooks.c
 *		Every server hook that ssdpar takes, on one screen.
 *
 * Each function here calls the previous holder of its hook exactly once and
 * hands the work to the module that owns it.  With ssdpar.enabled off it does
 * nothing else.  A statement that is planned twice, with row counts measured in
 * between, comes to all hooks of planning twice.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "optimizer/geqo.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "storage/ipc.h"

#include "base/advice.h"
#include "base/notes.h"
#include "base/planner_compat.h"
#include "base/rows_asked.h"
#include "base/settings.h"
#include "cost/group_price.h"
#include "cost/page_cost_override.h"
#include "cost/reprice.h"
#include "device/calibration_progress.h"
#include "device/device_load.h"
#include "device/known_devices.h"
#include "device/processor_load.h"
#include "device/profile_file.h"
#include "device/profile_drift.h"
#include "hooks.h"
#include "index_join/plan/offer.h"
#include "join_search/base_rows.h"
#include "join_search/column_stats.h"
#include "join_search/having_rows.h"
#include "join_search/join_rows.h"
#include "join_search/measure_groups.h"
#include "join_search/measure_level.h"
#include "join_search/passes.h"
#include "monitor/measure_drift.h"
#include "monitor/plan_io.h"
#include "prefetch/counters.h"
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
static create_upper_paths_hook_type previous_create_upper_paths = NULL;
static get_relation_stats_hook_type previous_relation_stats = NULL;
static ExplainOneQuery_hook_type previous_explain_query = NULL;

static ExecutorStart_hook_type previous_executor_start = NULL;
static ExecutorRun_hook_type previous_executor_run = NULL;
static ExecutorEnd_hook_type previous_executor_end = NULL;
static shmem_request_hook_type previous_shmem_request = NULL;
static shmem_startup_hook_type previous_shmem_startup = NULL;

static PlannedStmt *
planner(SSDPAR_PLANNER_PARAMETERS)
{
	/* a statement planned within ours must not see ours' page costs */
	if (ssdpar_enabled || ssdpar_core_costs_in_use())
		return ssdpar_plan_statement(previous_planner,
									 SSDPAR_PLANNER_ARGUMENTS(parse));
	return (previous_planner ? previous_planner : standard_planner)
		(SSDPAR_PLANNER_ARGUMENTS(parse));
}

/*
 * Hooks act only once it is known that the statement may gain something.  State
 * of a statement must be ended by the planner hook.  A function that is called
 * while planning can enable ssdpar in the middle of a statement that began
 * without it, and some callers plan without the planner hook.
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

/* Others shall find core's paths with their prices, and the user's settings. */
static void
set_rel_pathlist(PlannerInfo *root, RelOptInfo *rel, Index rti,
				 RangeTblEntry *rte)
{
	if (is_acting())
		ssdpar_put_base_rows(root, rel);
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

/*
 * Whoever has the hook sees each pair of relations as often as without ours.
 * Where paths are made anew with measured rows, all this has been done within.
 */
static void
set_join_pathlist(PlannerInfo *root, RelOptInfo *joined, RelOptInfo *outer,
				  RelOptInfo *inner, JoinType jointype,
				  JoinPathExtraData *extra)
{
	if (ssdpar_pair_is_made_again())
		return;
	if (is_acting() &&
		ssdpar_put_join_rows(root, joined, outer, inner, jointype, extra))
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
 * Paths are offered before the search, which builds joins of them, and what it
 * has chosen is looked at after.  Core's part is make_rel_from_joinlist()'s.
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
	if (is_acting())
		ssdpar_measure_level(root, rel, initial_rels);
	return rel;
}

static void
create_upper_paths(PlannerInfo *root, UpperRelationKind stage,
				   RelOptInfo *input, RelOptInfo *output, void *extra)
{
	if (is_acting() && stage == UPPERREL_GROUP_AGG)
		ssdpar_put_having_rows(root, input, output);
	if (previous_create_upper_paths)
		previous_create_upper_paths(root, stage, input, output, extra);
	if (is_acting() &&
		(stage == UPPERREL_GROUP_AGG || stage == UPPERREL_DISTINCT))
		ssdpar_price_groups(root, input, output, extra);
	if (is_acting() && stage == UPPERREL_FINAL)
		ssdpar_measure_groups(root, output);
}

/*
 * What another extension says of a column goes before what was measured.  Asked
 * for each comparison with each partition's column.
 */
static bool
relation_stats(PlannerInfo *root, RangeTblEntry *rte, AttrNumber column,
			   VariableStatData *stats)
{
	if (previous_relation_stats &&
		previous_relation_stats(root, rte, column, stats))
		return true;
	return ssdpar_is_second_pass() && is_acting() &&
		ssdpar_supply_distinct(root, rte, column, stats);
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

/* The setting may change within: a run that was begun is ended all the same. */
static void
executor_run(SSDPAR_EXECUTOR_RUN_PARAMETERS)
{
	/* a function that returns a set is asked for one row again and again */
	uint64		rows = query->dest->mydest == DestSPI ? count : 0;
	bool		measured = ssdpar_enabled && count == 0 &&
		ScanDirectionIsForward(direction) && ssdpar_drift_wanted(query);
	SsdparDriftRun run;
	uint64		outer;

	/* most statements have nothing to be ended */
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

static void
shmem_request(void)
{
	if (previous_shmem_request)
		previous_shmem_request();
	ssdpar_counters_request_shmem();
	ssdpar_shared_progress_request_shmem();
	ssdpar_device_load_request_shmem();
	ssdpar_processor_load_request_shmem();
	ssdpar_known_devices_request_shmem();
	ssdpar_profiles_request_shmem();
	ssdpar_drift_request_shmem();
	ssdpar_yield_request_shmem();
	ssdpar_calibration_progress_request_shmem();
}

static void
shmem_startup(void)
{
	if (previous_shmem_startup)
		previous_shmem_startup();
	ssdpar_counters_attach_shmem();
	ssdpar_shared_progress_attach_shmem();
	ssdpar_device_load_attach_shmem();
	ssdpar_processor_load_attach_shmem();
	ssdpar_known_devices_attach_shmem();
	ssdpar_profiles_attach_shmem();
	ssdpar_drift_attach_shmem();
	ssdpar_yield_attach_shmem();
	ssdpar_calibration_progress_attach_shmem();
}

void
ssdpar_install_hooks(void)
{
	/* shared memory is to be had only while the server starts */
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
	previous_create_upper_paths = create_upper_paths_hook;
	create_upper_paths_hook = create_upper_paths;
	previous_relation_stats = get_relation_stats_hook;
	get_relation_stats_hook = relation_stats;
	previous_explain_query = ExplainOneQuery_hook;
	ExplainOneQuery_hook = explain_query;
}
