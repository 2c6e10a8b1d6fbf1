/*
 * predict.c
 *		Predicted times of the ways to split a star query.
 *
 * An index join waits for one page at a time in each of its N processes, so it
 * keeps N requests outstanding (Chen et al. 2016, section 7.2).  What it reads
 * and computes is priced by the cost model as any other plan: at that depth,
 * less what is in memory, with CPU time on no more cores than there are.  Added
 * is the time to start the processes.
 *
 * It competes with what core's paths of the fact cost, which the model has
 * priced before; with no more than these, for what else a plan does (reading
 * dimensions, aggregating) is the same for all.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/spccache.h"

#include "cost/residency.h"
#include "planner/predict.h"
#include "planner/star_enter.h"
#include "planner/workers.h"
#include "settings.h"

/*
 * Starting a parallel worker and taking its result: 12 ms for one and 60 ms
 * for 15 on the reference machine (count(*) of ten rows, ssdpar.subqueries at
 * 2 and 16).
 */
#define PROCESS_START_SECONDS 0.004

bool
ssdpar_predict_model(RelOptInfo *fact, SsdparModel *model)
{
	return fact->pages * (BLCKSZ / 1024.0) >= ssdpar_cost_model_min_size &&
		ssdpar_model_get(fact->reltablespace, model);
}

static Oid
table_oid(PlannerInfo *root, RelOptInfo *rel)
{
	return root->simple_rte_array[rel->relid]->relid;
}

/*
 * Planner units: descending the index for each row of the dimension, as
 * btcostestimate() counts it, and for each row found what an index scan and a
 * join take.
 */
static Cost
index_join_cpu_cost(RelOptInfo *fact, const SsdparIndexJoin *join)
{
	IndexOptInfo *index = join->index;
	Cost		descent = cpu_operator_cost *
		(ceil(log2(Max(index->tuples, 2.0))) + 50.0 * (index->tree_height + 1));
	Cost		row = cpu_index_tuple_cost + cpu_operator_cost +
		cpu_tuple_cost + fact->baserestrictcost.per_tuple;

	return join->lookups * descent + ssdpar_star_score(join->rows * row,
													   join->rows);
}

/* Each row found asks for its page, most of which have been read before. */
static double
pages_again_seconds(RelOptInfo *fact, const SsdparModel *model,
					const SsdparIndexJoin *join)
{
	return Max(join->rows - join->fact_pages, 0.0) *
		ssdpar_model_page_again(model, fact->pages);
}

/* What an index join reads and computes, in however many processes. */
typedef struct JoinDemand
{
	SsdparReads reads[2];		/* of the index, and of the fact */
	double		cpu_seconds;
} JoinDemand;

static JoinDemand
demand_of(PlannerInfo *root, RelOptInfo *fact, const SsdparModel *model,
		  const SsdparIndexJoin *join)
{
	IndexOptInfo *index = join->index;
	JoinDemand	demand = {
		.reads = {
			ssdpar_model_random(join->index_pages, 1.0, false,
								ssdpar_residency_of(index->indexoid,
													index->pages)),
			ssdpar_model_random(join->fact_pages, 1.0, false,
								ssdpar_residency_of(table_oid(root, fact),
													fact->pages)),
		},
		.cpu_seconds = index_join_cpu_cost(fact, join) *
			model->machine->seconds_per_cost_unit +
			pages_again_seconds(fact, model, join),
	};

	return demand;
}

/* Without the start of processes. */
static double
demand_seconds(const SsdparModel *model, const JoinDemand *join,
			   double processes)
{
	SsdparDemand demand = {
		.reads = join->reads,
		.nreads = lengthof(join->reads),
		.cpu_seconds = join->cpu_seconds,
		.processes = processes,
	};

	return ssdpar_model_price(model->profile, model->machine,
							  &model->company, &demand).total;
}

static double
index_join_seconds(PlannerInfo *root, RelOptInfo *fact,
				   const SsdparModel *model, const SsdparIndexJoin *join,
				   double processes)
{
	JoinDemand	demand = demand_of(root, fact, model, join);

	return demand_seconds(model, &demand, processes);
}

/*
 * By steps of a third, as the time is flat around the best.  The loop ends
 * where starting processes alone takes longer than the best, or, once the
 * device is saturated, with what the join takes in the most processes.
 *
 * With as many processes as there can be the join itself takes the least time,
 * but for what a measured profile wavers by until then: never half of it.
 */
int
ssdpar_best_subqueries(PlannerInfo *root, RelOptInfo *fact,
					   const SsdparModel *model, const SsdparIndexJoin *join,
					   int max_subqueries, double enough, double *seconds)
{
	JoinDemand	demand = demand_of(root, fact, model, join);
	int			saturated =
		ssdpar_profile_saturation_depth(model->profile);
	double		shortest;
	double		least;
	int			best = 1;

	*seconds = demand_seconds(model, &demand, 1);
	if (*seconds <= 2 * PROCESS_START_SECONDS || max_subqueries < 2)
		return 1;
	shortest = demand_seconds(model, &demand, max_subqueries);
	least = 2 * PROCESS_START_SECONDS + shortest / 2.0;
	if (least >= enough)
	{
		*seconds = least;
		return max_subqueries;
	}
	for (int n = 2; n <= max_subqueries; n += Max(n / 3, 1))
	{
		double		start = n * PROCESS_START_SECONDS;
		double		split;

		if (start + (n < saturated ? 0.0 : shortest) >= *seconds)
			break;
		split = start + demand_seconds(model, &demand, n);
		if (split < *seconds)
		{
			best = n;
			*seconds = split;
		}
	}
	return best;
}

/* Of a list of paths of the fact, with what is joined to their rows. */
static Cost
cheapest_cost(List *paths, Cost least)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);
		Cost		score;

		if (path->param_info != NULL)
			continue;
		score = ssdpar_star_score(path->total_cost, path->rows);
		least = Min(least, score);
	}
	return least;
}

double
ssdpar_unsplit_seconds(RelOptInfo *fact, const SsdparModel *model,
					   const SsdparIndexJoin *join)
{
	Cost		least = ssdpar_star_score(join->unsplit_cost, join->rows);
	Cost		parallel;

	least = cheapest_cost(fact->pathlist, least);
	parallel = parallel_setup_cost +
		cheapest_cost(fact->partial_pathlist, least);
	return Min(least, parallel) * model->machine->seconds_per_cost_unit;
}

/* Without the start of processes. */
static double
split_scan_seconds(PlannerInfo *root, RelOptInfo *fact,
				   const SsdparModel *model, int subqueries)
{
	SsdparReads reads =
		ssdpar_model_seqscan(model, fact->reltablespace, fact->pages, true,
							 ssdpar_residency_of(table_oid(root, fact),
												 fact->pages));
	Cost		cpu = fact->tuples *
		(cpu_tuple_cost + fact->baserestrictcost.per_tuple);

	return ssdpar_model_price_one(model, &reads, cpu *
								  model->machine->seconds_per_cost_unit,
								  subqueries).total;
}

static bool
wins_by_page_costs(RelOptInfo *fact, const SsdparIndexJoin *join)
{
	double		random_cost;
	double		sequential_cost;

	get_tablespace_page_costs(fact->reltablespace, &random_cost,
							  &sequential_cost);
	return (join->index_pages + join->fact_pages) * random_cost <
		fact->pages * sequential_cost;
}

bool
ssdpar_index_join_wins(PlannerInfo *root, RelOptInfo *fact,
					   const SsdparIndexJoin *join, int subqueries)
{
	SsdparModel model;
	double		joined;

	if (!ssdpar_model_load(fact->reltablespace, &model))
		return wins_by_page_costs(fact, join);
	joined = ssdpar_star_score(0.0, fact->rows) / subqueries *
		model.machine->seconds_per_cost_unit;
	return index_join_seconds(root, fact, &model, join, subqueries) <
		split_scan_seconds(root, fact, &model, subqueries) + joined;
}

/* Core's own estimate of starting them is parallel_setup_cost. */
static Cost
start_cost(const SsdparModel *model, int subqueries)
{
	return Max(0.0, ssdpar_model_units(model->machine, subqueries *
									   PROCESS_START_SECONDS) -
			   parallel_setup_cost);
}

/*
 * Core divides the join's time by the number of processes, past the device's
 * saturation and the number of cores too.
 */
Cost
ssdpar_uncounted_cost(PlannerInfo *root, RelOptInfo *fact,
					  const SsdparModel *model, const SsdparIndexJoin *join,
					  int subqueries)
{
	double		divisor =
		ssdpar_parallel_divisor(ssdpar_workers_for(subqueries));
	double		real = index_join_seconds(root, fact, model, join,
										  subqueries);
	double		alone = index_join_seconds(root, fact, model, join, 1.0);

	return start_cost(model, subqueries) +
		ssdpar_model_units(model->machine, Max(0.0, real - alone / divisor));
}

Cost
ssdpar_split_scan_cost(PlannerInfo *root, RelOptInfo *fact,
					   const SsdparModel *model, int subqueries)
{
	return start_cost(model, subqueries) +
		ssdpar_model_units(model->machine,
						   split_scan_seconds(root, fact, model, subqueries));
}
