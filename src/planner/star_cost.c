/*
 * star_cost.c
 *		What a star scan costs.
 *
 * Its parts: the children, read to their ends; by index, the leaf pages and
 * TIDs of the keys; the pages of the table; the tests of the rows on them.
 *
 * Without a device profile all of it is priced by the server's page costs,
 * which know nothing of depth.  That is good enough to put ways of a star scan
 * in order, and no measure against core's own paths.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/spccache.h"

#include "planner/star_cost.h"

/* Looking a key up in a key set, in units of cpu_operator_cost. */
#define KEY_TEST_OPERATORS 1.0

/* Adding a TID to a set, in units of cpu_index_tuple_cost. */
#define TID_TUPLES 0.2

double
ssdpar_star_rows(RelOptInfo *rel, const SsdparStarPlan *plan)
{
	double		rows = rel->rows;

	for (int i = 0; i < plan->nreducers; i++)
	{
		if (plan->reducers[i].target == SSDPAR_TARGET_FACT)
			rows *= plan->reducers[i].selectivity;
	}
	return clamp_row_est(rows);
}

static IndexOptInfo *
index_by_oid(RelOptInfo *rel, Oid oid)
{
	ListCell   *lc;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);

		if (index->indexoid == oid)
			return index;
	}
	elog(ERROR, "index %u is not among those of its table", oid);
}

/* What the indexes find. */
typedef struct IndexWork
{
	double		leaves;
	double		tids;
	double		selectivity;	/* of all together */
} IndexWork;

static IndexWork
count_index_work(RelOptInfo *rel, const SsdparStarPlan *plan)
{
	IndexWork	work = {0, 0, 1.0};

	for (int i = 0; i < plan->nreducers; i++)
	{
		const SsdparReducer *reducer = &plan->reducers[i];
		IndexOptInfo *index;

		if (!OidIsValid(reducer->index))
			continue;
		index = index_by_oid(rel, reducer->index);
		work.leaves += Min(index->pages,
						   reducer->keys +
						   index->pages * reducer->selectivity);
		work.tids += index->tuples * reducer->selectivity;
		work.selectivity *= reducer->selectivity;
	}
	return work;
}

/* Pages that hold one of so many rows, spread evenly. */
static double
pages_with_rows(RelOptInfo *rel, double rows)
{
	double		pages = Max(rel->pages, 1);

	return ceil(pages * (1.0 - pow(1.0 - 1.0 / pages, rows)));
}

static double
children_cost(const SsdparStarParts *parts)
{
	double		cost = 0;
	ListCell   *lc;

	foreach(lc, parts->children)
	{
		Path	   *child = lfirst(lc);

		cost += child->total_cost + child->rows * cpu_operator_cost;
	}
	return cost;
}

/* CPU cost of looking at so many rows: own quals, then key by key. */
static double
rows_cost(RelOptInfo *rel, const SsdparStarPlan *plan, double rows)
{
	double		cost = rows * (cpu_tuple_cost +
							   rel->baserestrictcost.per_tuple);

	rows *= rel->tuples > 0 ? Min(rel->rows / rel->tuples, 1.0) : 1.0;
	for (int i = 0; i < plan->nreducers; i++)
	{
		const SsdparReducer *reducer = &plan->reducers[i];

		if (reducer->target != SSDPAR_TARGET_FACT)
			continue;
		cost += rows * KEY_TEST_OPERATORS * cpu_operator_cost;
		if (!OidIsValid(reducer->index))
			rows *= reducer->selectivity;
	}
	return cost;
}

bool
ssdpar_star_cost(PlannerInfo *root, RelOptInfo *rel,
				 const SsdparStarParts *parts, int workers,
				 SsdparStarCost *cost)
{
	const SsdparStarPlan *plan = &parts->plan;
	double		processes = workers + 1;
	double		random_page;
	double		sequential_page;
	double		rows = rel->tuples;

	get_tablespace_page_costs(rel->reltablespace, &random_page,
							  &sequential_page);
	cost->startup = children_cost(parts) + rel->baserestrictcost.startup;
	cost->pages = rel->pages;
	if (plan->access == SSDPAR_STAR_BITMAP)
	{
		IndexWork	work = count_index_work(rel, plan);

		rows *= work.selectivity;
		cost->pages = pages_with_rows(rel, rows);
		cost->startup += work.leaves * random_page +
			work.tids * TID_TUPLES * cpu_index_tuple_cost;
		cost->total = cost->pages * random_page;
	}
	else
		cost->total = cost->pages * sequential_page;
	cost->total += cost->startup + rows_cost(rel, plan, rows) / processes;
	cost->rows = clamp_row_est(ssdpar_star_rows(rel, plan) / processes);
	return false;
}
