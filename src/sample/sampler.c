/*
 * sampler.c
 *		The beginning and the end of asking the data.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "executor/executor.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "sample/sampler.h"
#include "sample/work_price.h"

/* Any number: the same statement is to get the same plan. */
#define SEED 42

/*
 * A function's statement is planned under the snapshot that the function was
 * called with, and executed under one that sees what the function has done
 * before: the table that it has just filled.  What both share of it lives as
 * long as the active one.
 */
static Snapshot
snapshot_of_now(void)
{
	Snapshot	snapshot = palloc_object(SnapshotData);

	*snapshot = *GetActiveSnapshot();
	snapshot->curcid = GetCurrentCommandId(false);
	return snapshot;
}

SsdparSampler *
ssdpar_sampler_begin(PlannerInfo *root, double seconds)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "ssdpar row counts",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SsdparSampler *sampler = palloc0_object(SsdparSampler);

	sampler->root = root;
	sampler->snapshot = snapshot_of_now();
	sampler->context = context;
	sampler->outer = before;
	sampler->expressions = CreateStandaloneExprContext();
	pg_prng_seed(&sampler->random, SEED);
	ssdpar_sample_budget_begin(&sampler->budget, seconds, context);
	return sampler;
}

/* The planner holds the lock, and keeps it. */
SsdparSampleTable *
ssdpar_sampler_add_table(SsdparSampler *sampler, RelOptInfo *rel)
{
	SsdparSampleTable *table = &sampler->tables[sampler->ntables];
	Oid			oid = sampler->root->simple_rte_array[rel->relid]->relid;

	Assert(sampler->ntables < SSDPAR_SAMPLE_TABLES);
	table->number = sampler->ntables++;
	table->rel = rel;
	table->heap = table_open(oid, NoLock);
	table->slot = MakeSingleTupleTableSlot(RelationGetDescr(table->heap),
										   &TTSOpsBufferHeapTuple);
	table->page_seconds = ssdpar_work_page_seconds(table->heap);
	return table;
}

void
ssdpar_sampler_end(SsdparSampler *sampler)
{
	MemoryContext context = sampler->context;

	for (int i = 0; i < sampler->ntables; i++)
	{
		ExecDropSingleTupleTableSlot(sampler->tables[i].slot);
		table_close(sampler->tables[i].heap, NoLock);
	}
	if (sampler->joined != NULL)
		ExecDropSingleTupleTableSlot(sampler->joined);
	FreeExprContext(sampler->expressions, true);
	MemoryContextSwitchTo(sampler->outer);
	MemoryContextDelete(context);
}
