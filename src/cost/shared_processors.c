/*
 * shared_processors.c
 *		What a parallel plan of core's takes longer beside other sessions.
 *
 * A table gets no more workers than the processors that other sessions leave
 * (model.c), and its scans are priced on these.  What
 * core computes above them, joins and aggregates, it divides by the number of
 * processes, whoever else computes: with that alone every session of sixteen
 * would start its workers for a gain that there is none of.  So that computing
 * is priced by as many times as there are fewer processors for it than if the
 * session were alone.  Alone it keeps core's price.
 *
 * An aggregate that workers begin is made after all hooks that could price it,
 * and compared at once; hence it is added to the paths that it is made of.
 * Where core then puts it above Gather, this is too much by it; that plan has
 * the leader aggregate alone and wins where there are many groups, of which
 * each is a row to hand over.
 *
 * What a nested loop computes cannot be told from what its inner side reads, in
 * which processes do help each other; it keeps core's price.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/prep.h"

#include "cost/known_prices.h"
#include "cost/large_table.h"
#include "cost/shared_processors.h"

static double
processes_of(int workers)
{
	return workers +
		(workers == 0 || parallel_leader_participation ? 1.0 : 0.0);
}

int
ssdpar_limit_workers(RelOptInfo *rel)
{
	const SsdparTablespacePrices *prices;
	double		processors;
	double		cores;
	int			workers;

	if (rel->rel_parallel_workers >= 0 ||
		!ssdpar_is_large_table(rel->reltablespace, rel->pages))
		return -1;
	prices = ssdpar_tablespace_prices(rel->reltablespace);
	if (prices == NULL)
		return -1;
	processors = ssdpar_model_processors(prices->model.machine,
										 &prices->model.load);
	cores = prices->model.machine->cores;
	if (processors >= cores)
		return -1;
	workers = compute_parallel_worker(rel, rel->pages, -1,
									  max_parallel_workers_per_gather);
	if (processes_of(workers) <= processors)
		return -1;
	rel->rel_parallel_workers =
		Max(1, workers - (int) ceil(processes_of(workers) - processors));
	return rel->rel_parallel_workers;
}

double
ssdpar_shared_slowdown(const SsdparModel *model, int workers)
{
	double		processes = processes_of(workers);
	double		alone = Min(processes, model->machine->cores);
	double		left = Min(processes,
						   ssdpar_model_processors(model->machine,
												   &model->load));

	return alone / left - 1.0;
}

Cost
ssdpar_shared_join_cost(const SsdparModel *model, const Path *path)
{
	const JoinPath *join = (const JoinPath *) path;

	if (!IsA(path, HashPath) && !IsA(path, MergePath))
		return 0.0;
	return ssdpar_shared_slowdown(model, path->parallel_workers) *
		Max(path->total_cost - join->outerjoinpath->total_cost -
			join->innerjoinpath->total_cost, 0.0);
}

/* Can workers begin the aggregation of this query level? */
static bool
is_shared_aggregation(const PlannerInfo *root)
{
	return (root->parse->hasAggs || root->parse->groupClause != NIL) &&
		root->parse->groupingSets == NIL &&
		!root->hasNonPartialAggs && !root->hasNonSerialAggs;
}

Cost
ssdpar_shared_grouping_cost(PlannerInfo *root, const SsdparModel *model,
							const RelOptInfo *rel, const Path *path)
{
	double		longer = ssdpar_shared_slowdown(model, path->parallel_workers);
	AggClauseCosts costs = {0};

	if (longer <= 0.0 || !is_shared_aggregation(root) ||
		!bms_is_subset(root->all_baserels, rel->relids))
		return 0.0;
	get_agg_clause_costs(root, AGGSPLIT_INITIAL_SERIAL, &costs);
	return longer * path->rows *
		(costs.transCost.per_tuple +
		 list_length(root->parse->groupClause) * cpu_operator_cost);
}

void
ssdpar_price_shared_grouping(PlannerInfo *root, const SsdparModel *model,
							 RelOptInfo *rel)
{
	List	   *paths = rel->partial_pathlist;
	ListCell   *lc;

	/* alone not even the order of equal paths changes */
	if (ssdpar_model_processors(model->machine, &model->load) >=
		model->machine->cores)
		return;

	/* the list is in the order of costs */
	rel->partial_pathlist = NIL;
	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		path->total_cost += ssdpar_shared_grouping_cost(root, model, rel,
														path);
		add_partial_path(rel, path);
	}
}
