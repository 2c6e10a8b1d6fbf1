/*
 * measure.c
 *		Asks the data how many rows a query's tables and joins have.
 *
 * The sequence: which tables may be asked (access.c); a sample of each, the
 * small ones whole (table_sample.c); joins of samples (join_sets.c); what was
 * found goes to rowcount/.  Everything that this needs lives in one memory
 * context, and what an error leaves open the end of the transaction closes.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "rowcount/known_rows.h"
#include "sample/access.h"
#include "sample/filter_sample.h"
#include "sample/filters.h"
#include "sample/join_sets.h"
#include "sample/measure.h"
#include "sample/sampler.h"
#include "sample/table_sample.h"

/* Of the budget, for reading tables; the rest is for joins. */
#define SHARE_FOR_TABLES 0.5

/* Any number: the same statement is to get the same plan. */
#define SEED 42

/* Is the column needed above the scan, not for output alone? */
static bool
is_joined(const RelOptInfo *rel, int column)
{
	Relids		needed = rel->attr_needed[column - rel->min_attr];
	int			relid = 0;

	while ((relid = bms_next_member(needed, relid)) >= 0)
	{
		if (relid != (int) rel->relid)
			return true;
	}
	return false;
}

static void
choose_columns(SsdparSampleTable *table)
{
	RelOptInfo *rel = table->rel;

	table->columns = palloc_array(AttrNumber, rel->max_attr + 1);
	for (int column = 1; column <= rel->max_attr; column++)
	{
		if (is_joined(rel, column) || ssdpar_filter_column(rel, column))
			table->columns[table->ncolumns++] = column;
	}
}

/* The planner holds the lock, and keeps it. */
static void
open_table(SsdparSampler *sampler, RelOptInfo *rel)
{
	SsdparSampleTable *table = &sampler->tables[sampler->ntables];
	Oid			oid = sampler->root->simple_rte_array[rel->relid]->relid;

	table->number = sampler->ntables++;
	table->rel = rel;
	table->heap = table_open(oid, NoLock);
	table->slot = MakeSingleTupleTableSlot(RelationGetDescr(table->heap),
										   &TTSOpsBufferHeapTuple);
	choose_columns(table);
	ssdpar_sample_prepare_filter(sampler, table);
}

static void
open_tables(SsdparSampler *sampler, List *rels)
{
	ListCell   *lc;

	foreach(lc, rels)
	{
		RelOptInfo *rel = lfirst(lc);

		if (sampler->ntables < SSDPAR_SAMPLE_TABLES &&
			ssdpar_sample_allowed(sampler->root, rel))
			open_table(sampler, rel);
	}
}

/* A row with the columns of all tables side by side. */
static void
make_joined_slot(SsdparSampler *sampler)
{
	int			ncolumns = 0;
	TupleDesc	row;

	for (int i = 0; i < sampler->ntables; i++)
	{
		sampler->tables[i].first = ncolumns;
		ncolumns += sampler->tables[i].ncolumns;
	}
	row = CreateTemplateTupleDesc(ncolumns);
	for (int i = 0; i < sampler->ntables; i++)
	{
		SsdparSampleTable *table = &sampler->tables[i];

		for (int k = 0; k < table->ncolumns; k++)
			TupleDescCopyEntry(row, table->first + k + 1,
							   RelationGetDescr(table->heap),
							   table->columns[k]);
	}
	sampler->joined = MakeSingleTupleTableSlot(row, &TTSOpsVirtual);
}

/* The time that one table does not need is left to those after it. */
static void
sample_tables(SsdparSampler *sampler)
{
	double		until = sampler->budget.seconds * SHARE_FOR_TABLES;

	for (int i = 0; i < sampler->ntables; i++)
	{
		double		elapsed = ssdpar_sample_elapsed(&sampler->budget);
		double		fair = Max(until - elapsed, 0) / (sampler->ntables - i);

		if (ssdpar_sample_is_over(&sampler->budget))
			return;
		ssdpar_sample_table(sampler, &sampler->tables[i], elapsed + fair);
		ssdpar_sample_by_filter(sampler, &sampler->tables[i]);
	}
}

/* What is kept outlives the samples. */
static void
keep_set(SsdparSampler *sampler, const SsdparSampleJoined *set)
{
	SsdparKnownRows rows = {
		.relids = set->relids,
		.rows = set->rows,
		.found = set->found,
		.exact = set->exact,
	};
	Index		target = sampler->tables[set->target].rel->relid;
	SsdparKnownShare share = {
		.target = target,
		.dimensions = bms_del_member(bms_copy(set->relids), target),
		.share = Min(set->share, 1.0),
		.found = set->found,
	};
	MemoryContext before = MemoryContextSwitchTo(sampler->outer);

	ssdpar_know_rows(sampler->root, &rows);
	if (set->share >= 0 && !bms_is_empty(share.dimensions))
		ssdpar_know_share(sampler->root, &share);
	MemoryContextSwitchTo(before);
}

static void
keep_all(SsdparSampler *sampler, SsdparMeasured *measured)
{
	ListCell   *lc;

	foreach(lc, sampler->sets)
	{
		const SsdparSampleJoined *set = lfirst(lc);

		keep_set(sampler, set);
		if (bms_num_members(set->relids) == 1)
			measured->tables++;
		else
			measured->joins++;
	}
	measured->keys = sampler->keys;
	measured->pages = sampler->pages;
	measured->milliseconds = ssdpar_sample_elapsed(&sampler->budget) * 1000;
}

static void
close_tables(SsdparSampler *sampler)
{
	for (int i = 0; i < sampler->ntables; i++)
	{
		ExecDropSingleTupleTableSlot(sampler->tables[i].slot);
		table_close(sampler->tables[i].heap, NoLock);
	}
	if (sampler->joined != NULL)
		ExecDropSingleTupleTableSlot(sampler->joined);
	FreeExprContext(sampler->expressions, true);
}

static void
measure(SsdparSampler *sampler, List *rels, SsdparMeasured *measured)
{
	open_tables(sampler, rels);
	if (sampler->ntables > 0)
	{
		make_joined_slot(sampler);
		sample_tables(sampler);
		ssdpar_sample_sets(sampler);
		keep_all(sampler, measured);
	}
	close_tables(sampler);
}

bool
ssdpar_measure_rows(PlannerInfo *root, List *initial_rels,
					double budget_seconds, SsdparMeasured *measured)
{
	SsdparSampler *sampler;
	MemoryContext context;
	MemoryContext before;

	memset(measured, 0, sizeof(SsdparMeasured));
	if (!ssdpar_sample_possible(root))
		return false;
	context = AllocSetContextCreate(CurrentMemoryContext, "ssdpar row counts",
									ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	sampler = palloc0_object(SsdparSampler);
	sampler->root = root;
	sampler->snapshot = GetActiveSnapshot();
	sampler->context = context;
	sampler->outer = before;
	sampler->expressions = CreateStandaloneExprContext();
	pg_prng_seed(&sampler->random, SEED);
	ssdpar_sample_budget_begin(&sampler->budget, budget_seconds, context);
	measure(sampler, initial_rels, measured);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
	return measured->tables > 0;
}
