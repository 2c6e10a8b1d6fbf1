/*
 * company.c
 *		What all sessions keep outstanding on each tablespace's device.
 *
 * Each session has a place in shared memory that it alone writes: one
 * tablespace, and the requests that its running queries are going to keep
 * outstanding there, by their plans.  So others know of a query from its
 * start.  It is what the query would have outstanding while it waits for the
 * device, less the share of its tables that is in memory: a cursor that nobody
 * fetches from counts as if it ran.
 *
 * What to make of the sum is the model's business.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/parallel.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "port/atomics.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/spccache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "cost/company.h"
#include "cost/context.h"
#include "cost/residency.h"
#include "settings.h"
#include "starscan/star_plan.h"

/* Parts of a request are counted: half of a table may be in memory. */
#define FRACTIONS 256.0

typedef struct Place
{
	pg_atomic_uint64 word;		/* tablespace << 32 | requests * FRACTIONS */
} Place;

typedef struct SharedCompany
{
	int			nplaces;
	pg_atomic_uint64 changes;	/* of any place, counted after it is made */
	Place		places[FLEXIBLE_ARRAY_MEMBER];	/* by PGPROC */
} SharedCompany;

/* What one query has entered. */
typedef struct Entered
{
	Oid			tablespace;
	uint32		fractions;
	MemoryContextCallback callback;
} Entered;

/* The plan that is looked at, and what was found so far. */
typedef struct Look
{
	PlannedStmt *statement;
	int			processes;
	Oid			tablespace;
	double		outstanding;
} Look;

static SharedCompany *shared = NULL;
static int	queries_inside = 0;

static Size
shared_size(void)
{
	return add_size(offsetof(SharedCompany, places),
					mul_size(MaxBackends, sizeof(Place)));
}

void
ssdpar_company_request_shmem(void)
{
	RequestAddinShmemSpace(shared_size());
}

void
ssdpar_company_attach_shmem(void)
{
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared = ShmemInitStruct("ssdpar company", shared_size(), &found);
	if (!found)
	{
		shared->nplaces = MaxBackends;
		pg_atomic_init_u64(&shared->changes, 0);
		for (int i = 0; i < shared->nplaces; i++)
			pg_atomic_init_u64(&shared->places[i].word, 0);
	}
	LWLockRelease(AddinShmemInitLock);
}

/* NULL for processes that are no sessions. */
static Place *
own_place(void)
{
	int			number;

	if (shared == NULL || MyProc == NULL)
		return NULL;
	number = MyProc - ProcGlobal->allProcs;
	return number < shared->nplaces ? &shared->places[number] : NULL;
}

/*
 * A session's queries on a second tablespace while one on the first is running
 * are left out.
 */
static bool
change_place(Oid tablespace, int64 fractions)
{
	Place	   *place = own_place();
	uint64		word;

	if (place == NULL)
		return false;
	word = queries_inside > 0 ? pg_atomic_read_u64(&place->word) : 0;
	if ((uint32) word > 0 && (Oid) (word >> 32) != tablespace)
		return false;
	fractions = Max(0, (int64) (uint32) word + fractions);
	pg_atomic_write_u64(&place->word, (uint64) tablespace << 32 |
						(uint32) Min(fractions, PG_INT32_MAX));
	pg_atomic_fetch_add_u64(&shared->changes, 1);
	return true;
}

static void
leave(void *arg)
{
	Entered    *entered = arg;

	change_place(entered->tablespace, -(int64) entered->fractions);
	queries_inside--;
}

static double
sum_others(Oid tablespace)
{
	Place	   *own = own_place();
	double		fractions = 0.0;

	for (int i = 0; i < shared->nplaces; i++)
	{
		uint64		word = pg_atomic_read_u64(&shared->places[i].word);

		if (&shared->places[i] != own && (Oid) (word >> 32) == tablespace)
			fractions += (uint32) word;
	}
	return fractions / FRACTIONS;
}

/* Planning asks dozens of times, and mostly nothing has changed meanwhile. */
double
ssdpar_company_others(Oid tablespace)
{
	static Oid	known_tablespace = InvalidOid;
	static uint64 known_changes = 0;
	static double known = 0.0;
	uint64		changes;

	if (!OidIsValid(tablespace))
		tablespace = MyDatabaseTableSpace;
	if (shared == NULL)
		return 0.0;
	changes = pg_atomic_read_u64(&shared->changes);
	if (tablespace != known_tablespace || changes != known_changes)
	{
		pg_read_barrier();
		known = sum_others(tablespace);
		known_tablespace = tablespace;
		known_changes = changes;
	}
	return known;
}

bool
ssdpar_company_large_table(PlannedStmt *statement, Index relid, Oid *table,
						   Oid *tablespace, BlockNumber *npages)
{
	RangeTblEntry *rte = rt_fetch(relid, statement->rtable);
	HeapTuple	tuple;
	Form_pg_class form;

	if (rte->rtekind != RTE_RELATION)
		return false;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_class) GETSTRUCT(tuple);
	*table = rte->relid;
	*npages = Max(form->relpages, 0);
	*tablespace = OidIsValid(form->reltablespace) ?
		form->reltablespace : MyDatabaseTableSpace;
	ReleaseSysCache(tuple);
	return *npages * (BLCKSZ / 1024.0) >= ssdpar_cost_model_min_size;
}

/* As star_cost.c prices it. */
static double
star_depth(const CustomScan *scan, const SsdparModel *model, Oid tablespace,
		   BlockNumber npages)
{
	SsdparStarAccess access =
		ssdpar_star_plan_from_list(scan->custom_private)->access;
	SsdparResidency cold = {0.0, 0.0};

	if (access == SSDPAR_STAR_SEQUENTIAL)
		return ssdpar_model_seqscan(model, tablespace, npages,
									scan->scan.plan.parallel_aware,
									cold).depth;
	return ssdpar_prefetch != SSDPAR_PREFETCH_OFF ?
		ssdpar_model_depth(model) : 1.0;
}

/* Requests that one process keeps outstanding in this scan. */
static double
scan_depth(const Plan *plan, const SsdparModel *model, Oid tablespace,
		   BlockNumber npages)
{
	SsdparResidency cold = {0.0, 0.0};

	switch (nodeTag(plan))
	{
		case T_SeqScan:
			return ssdpar_model_seqscan(model, tablespace, npages,
										plan->parallel_aware, cold).depth;
		case T_BitmapHeapScan:
			return Max(get_tablespace_io_concurrency(tablespace), 1);
		case T_CustomScan:
			if (((const CustomScan *) plan)->methods->CreateCustomScanState ==
				ssdpar_create_star_state)
				return star_depth((const CustomScan *) plan, model,
								  tablespace, npages);
			return 1.0;
		default:
			return 1.0;
	}
}

/* The scan with the most counts: a plan's scans do not all wait at once. */
static void
look_at_scan(Look *look, const Plan *plan)
{
	SsdparModel model;
	SsdparResidency resident;
	Oid			table;
	Oid			tablespace;
	BlockNumber npages;
	double		outstanding;

	if (!ssdpar_company_large_table(look->statement,
									((const Scan *) plan)->scanrelid, &table,
									&tablespace, &npages) ||
		!ssdpar_model_get(tablespace, &model))
		return;
	resident = ssdpar_residency_of(table, npages);
	outstanding = ssdpar_model_outstanding(model.profile, &model.company,
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
ssdpar_company_is_scan(const Plan *plan)
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
look_at_node(PlanState *node, void *context)
{
	Look	   *look = context;
	int			processes = look->processes;

	if (IsA(node->plan, Gather))
		look->processes += castNode(Gather, node->plan)->num_workers;
	else if (IsA(node->plan, GatherMerge))
		look->processes += castNode(GatherMerge, node->plan)->num_workers;
	if (ssdpar_company_is_scan(node->plan))
		look_at_scan(look, node->plan);
	planstate_tree_walker(node, look_at_node, look);
	look->processes = processes;
	return false;
}

void
ssdpar_company_enter(QueryDesc *query)
{
	Look		look = {query->plannedstmt, 1, InvalidOid, 0.0};
	Entered    *entered;

	if (!ssdpar_cost_model || IsParallelWorker() || own_place() == NULL ||
		query->planstate == NULL)
		return;
	look_at_node(query->planstate, &look);
	if (look.outstanding * FRACTIONS < 1.0)
		return;
	entered = MemoryContextAllocZero(query->estate->es_query_cxt,
									 sizeof(Entered));
	entered->tablespace = look.tablespace;
	entered->fractions = (uint32) (look.outstanding * FRACTIONS);
	if (!change_place(entered->tablespace, entered->fractions))
		return;
	queries_inside++;
	entered->callback.func = leave;
	entered->callback.arg = entered;
	MemoryContextRegisterResetCallback(query->estate->es_query_cxt,
									   &entered->callback);
}
