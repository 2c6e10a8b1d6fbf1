/*
 * hooks.c
 *		Every server hook that ssdpar takes, on one screen.
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
#include "storage/ipc.h"

#include "compat.h"
#include "cost/company.h"
#include "cost/drift.h"
#include "cost/reprice.h"
#include "hooks.h"
#include "planner/explain_reason.h"
#include "planner/planning.h"
#include "planner/star_choose.h"
#include "planner/star_rescan.h"
#include "planner/subqueries.h"
#include "prefetch/follow.h"
#include "settings.h"
#include "stats/counters.h"
#include "stats/explain_prefetch.h"

static planner_hook_type previous_planner = NULL;
static SsdparRelationHook previous_relation = NULL;
static set_rel_pathlist_hook_type previous_set_rel_pathlist = NULL;
static join_search_hook_type previous_join_search = NULL;
static ExplainOneQuery_hook_type previous_explain_query = NULL;

static ExecutorStart_hook_type previous_executor_start = NULL;
static ExecutorRun_hook_type previous_executor_run = NULL;
static ExecutorEnd_hook_type previous_executor_end = NULL;
static shmem_request_hook_type previous_shmem_request = NULL;
static shmem_startup_hook_type previous_shmem_startup = NULL;

static PlannedStmt *
planner(Query *parse, const char *query_string, int cursor_options,
		ParamListInfo bound_params)
{
	return ssdpar_plan_statement(previous_planner, parse, query_string,
								 cursor_options, bound_params);
}

static void
relation_known(SSDPAR_RELATION_PARAMETERS)
{
	if (previous_relation)
		previous_relation(SSDPAR_RELATION_ARGUMENTS);
	if (ssdpar_enabled)
		ssdpar_watch_table(root, rel);
}

/* Others shall find core's paths with their prices, and the user's settings. */
static void
set_rel_pathlist(PlannerInfo *root, RelOptInfo *rel, Index rti,
				 RangeTblEntry *rte)
{
	ssdpar_reprice_scans(root, rel);
	if (previous_set_rel_pathlist)
		previous_set_rel_pathlist(root, rel, rti, rte);
	if (ssdpar_enabled)
		ssdpar_split_scan(root, rel);
}

static RelOptInfo *
search_join_order(PlannerInfo *root, int levels, List *initial_rels)
{
	if (previous_join_search)
		return previous_join_search(root, levels, initial_rels);
	if (enable_geqo && levels >= geqo_threshold)
		return geqo(root, levels, initial_rels);
	return standard_join_search(root, levels, initial_rels);
}

static RelOptInfo *
join_search(PlannerInfo *root, int levels, List *initial_rels)
{
	bool		split;
	RelOptInfo *rel;

	if (ssdpar_enabled)
		ssdpar_offer_star_scans(root);
	split = ssdpar_enabled && ssdpar_offer_partition(root, initial_rels);
	rel = search_join_order(root, levels, initial_rels);
	if (ssdpar_enabled)
		ssdpar_keep_inner_star_scans(root);
	if (split)
		ssdpar_require_split(root, rel);
	return rel;
}

static void
explain_query(Query *query, int cursor_options, IntoClause *into,
			  ExplainState *es, const char *query_string,
			  ParamListInfo params, QueryEnvironment *query_env)
{
	ssdpar_explain_query(previous_explain_query, query, cursor_options, into,
						 es, query_string, params, query_env);
}

static void
executor_start(QueryDesc *query, int eflags)
{
	if (previous_executor_start)
		previous_executor_start(query, eflags);
	else
		standard_ExecutorStart(query, eflags);
	if (!ssdpar_enabled || (eflags & EXEC_FLAG_EXPLAIN_ONLY))
		return;
	ssdpar_company_enter(query);
	ssdpar_follow_query(query);
}

static void
executor_run(SSDPAR_EXECUTOR_RUN_PARAMETERS)
{
	SsdparDriftRun run;

	PG_TRY();
	{
		ssdpar_drift_begin(&run, query,
						   ScanDirectionIsForward(direction) && count == 0);
		(previous_executor_run ? previous_executor_run : standard_ExecutorRun)
			(SSDPAR_EXECUTOR_RUN_ARGUMENTS);
	}
	PG_CATCH();
	{
		ssdpar_drift_failed();
		PG_RE_THROW();
	}
	PG_END_TRY();
	ssdpar_drift_end(&run);
}

static void
executor_end(QueryDesc *query)
{
	ssdpar_follow_end(query);
	ssdpar_explain_note_end(query);
	if (previous_executor_end)
		previous_executor_end(query);
	else
		standard_ExecutorEnd(query);
}

#ifdef SSDPAR_HAS_EXPLAIN_PER_NODE
static explain_per_node_hook_type previous_explain_node = NULL;

static void
explain_node(PlanState *node, List *ancestors, const char *relationship,
			 const char *plan_name, ExplainState *es)
{
	if (previous_explain_node)
		previous_explain_node(node, ancestors, relationship, plan_name, es);
	if (ssdpar_enabled)
		ssdpar_explain_followed(node, es);
}
#endif

static void
shmem_request(void)
{
	if (previous_shmem_request)
		previous_shmem_request();
	ssdpar_counters_request_shmem();
	ssdpar_company_request_shmem();
	ssdpar_drift_request_shmem();
}

static void
shmem_startup(void)
{
	if (previous_shmem_startup)
		previous_shmem_startup();
	ssdpar_counters_attach_shmem();
	ssdpar_company_attach_shmem();
	ssdpar_drift_attach_shmem();
}

/* Shared memory is to be had only while the server starts. */
static void
install_shmem_hooks(void)
{
	previous_shmem_request = shmem_request_hook;
	shmem_request_hook = shmem_request;
	previous_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = shmem_startup;
}

void
ssdpar_install_hooks(void)
{
	if (process_shared_preload_libraries_in_progress)
		install_shmem_hooks();
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
	previous_join_search = join_search_hook;
	join_search_hook = join_search;
	previous_explain_query = ExplainOneQuery_hook;
	ExplainOneQuery_hook = explain_query;
#ifdef SSDPAR_HAS_EXPLAIN_PER_NODE
	previous_explain_node = explain_per_node_hook;
	explain_per_node_hook = explain_node;
#endif
}
