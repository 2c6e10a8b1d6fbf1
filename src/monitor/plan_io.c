/*
 * plan_io.c
 *		What a query that starts is going to read: announced to the sessions
 *		that plan meanwhile (device/device_load.c).
 *
 * It is what the query would have outstanding while it waits for the device,
 * less the share of its tables that is in memory.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/parallel.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/extensible.h"
#include "parser/parsetree.h"
#include "utils/spccache.h"
#include "utils/syscache.h"

#include "base/plan_walker.h"
#include "base/settings.h"
#include "cost/large_table.h"
#include "cost/residency.h"
#include "cost/tablespace_model.h"
#include "device/device_load.h"
#include "monitor/plan_io.h"
#include "starscan/exec/node.h"
#include "starscan/star_plan.h"

/* In planner units: two dozen random pages under core's default costs. */
#define SHORT_COST 200.0

/* The plan being visited, and the results so far. */
typedef struct Look
{
	PlannedStmt *statement;
	int			processes;
	Oid			tablespace;
	double		outstanding;
} Look;

bool
ssdpar_plan_is_short(const PlannedStmt *statement)
{
	return statement->planTree->total_cost < SHORT_COST;
}

bool
ssdpar_plan_large_table(PlannedStmt *statement, Index relid, Oid *table,
						Oid *tablespace, BlockNumber *npages)
{
	RangeTblEntry *rte = rt_fetch(relid, statement->rtable);
	HeapTuple	tuple;
	Form_pg_class form;

	if (rte->rtekind != RTE_RELATION)
		return false;

	/*
	 * Read pg_class instead of opening the relation, which is cheaper and
	 * saves a system call for the size of each table's file.
	 */
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_class) GETSTRUCT(tuple);
	*table = rte->relid;
	*npages = Max(form->relpages, 0);
	*tablespace = OidIsValid(form->reltablespace) ?
		form->reltablespace : MyDatabaseTableSpace;
	ReleaseSysCache(tuple);
	return ssdpar_is_large_table(*tablespace, *npages);
}

/*
 * Requests that one process keeps outstanding in this scan, as it was priced
 * (scan_price.c, starscan/plan/cost.c).  This ignores pages in memory; the
 * caller subtracts their share.
 */
static double
scan_depth(const Plan *plan, const SsdparModel *model, Oid tablespace,
		   BlockNumber npages)
{
	const CustomScan *custom;
	SsdparResidency cold = {0.0, 0.0};

	switch (nodeTag(plan))
	{
		case T_SeqScan:
			return ssdpar_model_seqscan(model, tablespace, npages, cold).depth;
		case T_BitmapHeapScan:
			return Max(get_tablespace_io_concurrency(tablespace), 1);
		case T_CustomScan:
			/* we know nothing of another extension's scans */
			custom = (const CustomScan *) plan;
			if (custom->methods->CreateCustomScanState !=
				ssdpar_create_star_state)
				return 1.0;
			if (ssdpar_star_access_of(custom->custom_private) ==
				SSDPAR_STAR_SEQUENTIAL)
				return ssdpar_model_our_seqscan(model, tablespace, npages,
												plan->parallel_aware,
												cold).depth;
			break;
		default:
			return 1.0;
	}
	return ssdpar_prefetch != SSDPAR_PREFETCH_OFF ?
		ssdpar_model_depth(model) : 1.0;
}

/*
 * The scan with the most requests counts, because the scans of a plan do not
 * all wait at the same time.
 */
static void
look_at_scan(Look *look, const Plan *plan)
{
	SsdparModel model;
	SsdparResidency resident;
	Oid			table;
	Oid			tablespace;
	BlockNumber npages;
	double		outstanding;

	if (!ssdpar_plan_large_table(look->statement,
								 ((const Scan *) plan)->scanrelid, &table,
								 &tablespace, &npages) ||
		!ssdpar_model_get(tablespace, &model))
		return;
	resident = ssdpar_residency_of(table, npages);
	outstanding = ssdpar_model_outstanding(model.profile, &model.load,
										   look->processes,
										   scan_depth(plan, &model,
													  tablespace, npages)) *
		(1.0 - resident.buffers - resident.page_cache);
	if (outstanding > look->outstanding)
	{
		look->outstanding = outstanding;
		look->tablespace = tablespace;
	}
}

bool
ssdpar_plan_reads_table(const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_SeqScan:
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapHeapScan:
			return true;
		case T_CustomScan:
			return ((const Scan *) plan)->scanrelid > 0;
		default:
			return false;
	}
}

static bool
look_at_node(PlanState *node, SsdparPlanWalk *walk)
{
	Look	   *look = walk->context;
	int			processes = look->processes;

	if (IsA(node->plan, Gather))
		look->processes += castNode(Gather, node->plan)->num_workers;
	else if (IsA(node->plan, GatherMerge))
		look->processes += castNode(GatherMerge, node->plan)->num_workers;
	if (ssdpar_plan_reads_table(node->plan))
		look_at_scan(look, node->plan);
	ssdpar_plan_walk_below(node, walk);
	look->processes = processes;
	return false;
}

void
ssdpar_plan_io_announce(QueryDesc *query)
{
	Look		look = {query->plannedstmt, 1, InvalidOid, 0.0};

	if (!ssdpar_cost_model || IsParallelWorker() ||
		ssdpar_plan_is_short(query->plannedstmt) ||
		!ssdpar_device_load_available())
		return;
	ssdpar_plan_walk(query, look_at_node, &look);
	ssdpar_device_load_announce(look.tablespace, look.outstanding,
								query->estate->es_query_cxt);
}
