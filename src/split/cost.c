/*
 * cost.c
 *		Predicted times of the ways to split a star query.
 *
 * Each of the N processes of an index join waits for one page at a time, so
 * the join keeps N requests outstanding (Chen et al. 2016, section 7.2).  The
 * cost model prices its reads and its CPU time like those of any other plan:
 * at that depth, minus cached pages, with CPU time on no more cores than there
 * are.  The time to start the processes is added.
 *
 * It is compared with the costs of the fact's paths, which the model has
 * priced before, and with an index join in one process that reads at depth
 * (src/index_join), which has not been planned yet.  Other parts of the plan
 * (reading dimensions, aggregating) cost the same in all cases and are not
 * included.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/spccache.h"

#include "base/settings.h"
#include "cost/large_table.h"
#include "cost/parallel.h"
#include "cost/residency.h"
#include "index_join/plan/offer.h"
#include "split/cost.h"
#include "split/workers.h"
#include "starscan/plan/add_path.h"

/*
 * Time to start a parallel worker and to receive its result.
 */
#define PROCESS_START_SECONDS 0.004

bool
ssdpar_predict_model(RelOptInfo *fact, SsdparModel *model)
{
	return ssdpar_is_large_table(fact->reltablespace, fact->pages) &&
		ssdpar_model_get(fact->reltablespace, model);
}

static Oid
table_oid(PlannerInfo *root, RelOptInfo *rel)
{
	return root->simple_rte_array[rel->relid]->relid;
}

/*
 * Reads and CPU time of an index join, in any number of processes.  A join
 * that waits for each page has depth 1, and nothing overlaps.
 */
typedef struct JoinDemand
{
	SsdparReads reads[2];		/* of the index, and of the fact */
	double		cpu_seconds;
} JoinDemand;

static JoinDemand
demand_of(PlannerInfo *root, RelOptInfo *fact, const SsdparModel *model,
		  const SsdparIndexJoin *join, double depth)
{
	bool		ahead = depth > 1.0;
	IndexOptInfo *index = join->index;
	Cost		descent;
	Cost		row;
	Cost		cpu;
	double		pages_again;
	JoinDemand	demand;

	/*
	 * CPU time: a descent of the index for each row of the dimension costs
	 * what btcostestimate() counts, a comparison for each bit of the number
	 * of tuples and 50 operators for each level.  Each row found costs as
	 * much as in an index scan and the joins above it.
	 */
	descent = cpu_operator_cost * (ceil(log2(Max(index->tuples, 2.0))) +
								   50.0 * (index->tree_height + 1));
	row = cpu_index_tuple_cost + cpu_operator_cost + cpu_tuple_cost +
		fact->baserestrictcost.per_tuple;
	cpu = join->lookups * descent +
		ssdpar_cost_with_joins(join->rows * row, join->rows);

	/*
	 * Each row found accesses its page, most of which have been read before.
	 */
	pages_again = Max(join->rows - join->fact_pages, 0.0) *
		ssdpar_model_page_again(model, fact->pages);
	demand.cpu_seconds = cpu * model->machine->seconds_per_cost_unit +
		pages_again;

	demand.reads[0] =
		ssdpar_model_random(join->index_pages, depth, ahead,
							ssdpar_residency_of(index->indexoid,
												index->pages));
	demand.reads[1] =
		ssdpar_model_random(join->fact_pages, depth, ahead,
							ssdpar_residency_of(table_oid(root, fact),
												fact->pages));
	return demand;
}

/* Without the time to start processes.  */
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
							  &model->load, &demand).total;
}

static double
index_join_seconds(PlannerInfo *root, RelOptInfo *fact,
				   const SsdparModel *model, const SsdparIndexJoin *join,
				   double processes)
{
	JoinDemand	demand = demand_of(root, fact, model, join, 1.0);

	return demand_seconds(model, &demand, processes);
}

/*
 * Tries numbers in steps of a third, because the time is flat around the
 * optimum.  The loop ends when starting processes alone takes longer than the
 * best time; once the device is saturated, it adds the shortest time of the
 * join.
 *
 * The join takes the least time with the maximum number of processes, except
 * for variations in a measured profile; so half of that time is a safe lower
 * bound.
 */
int
ssdpar_best_subqueries(PlannerInfo *root, RelOptInfo *fact,
					   const SsdparModel *model, const SsdparIndexJoin *join,
					   int max_subqueries, double enough, double *seconds)
{
	JoinDemand	demand = demand_of(root, fact, model, join, 1.0);
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

/*
 * Returns the lowest cost of the fact's paths, including the joins of their
 * rows.  Parameterized paths are skipped, because they are inner sides of
 * joins, priced for one row.
 */
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
		score = ssdpar_cost_with_joins(path->total_cost, path->rows);
		least = Min(least, score);
	}
	return least;
}

/*
 * Predicts an index join in one process: at depth or, if that is off, as core
 * does it.
 */
static double
unsplit_join_seconds(PlannerInfo *root, RelOptInfo *fact,
					 const SsdparModel *model, const SsdparIndexJoin *join)
{
	bool		ahead = ssdpar_index_joins_allowed(root) &&
		ssdpar_prefetch != SSDPAR_PREFETCH_OFF;
	double		depth = ahead ? ssdpar_model_depth(model) : 1.0;
	JoinDemand	demand = demand_of(root, fact, model, join, depth);

	return demand_seconds(model, &demand, 1.0);
}

double
ssdpar_unsplit_seconds(PlannerInfo *root, RelOptInfo *fact,
					   const SsdparModel *model, const SsdparIndexJoin *join)
{
	Cost		least = ssdpar_cost_with_joins(join->unsplit_cost, join->rows);
	Cost		parallel;

	least = cheapest_cost(fact->pathlist, least);
	parallel = parallel_setup_cost +
		cheapest_cost(fact->partial_pathlist, least);
	return Min(Min(least, parallel) * model->machine->seconds_per_cost_unit,
			   unsplit_join_seconds(root, fact, model, join));
}

/*
 * Returns how much more a table costs a process that scans it alone, compared
 * with core's processes that share its scan; nothing if they do not.  If the
 * join can look up rows, it need not read all of them.
 */
static Cost
unshared_cost(RelOptInfo *rel, const SsdparIndexJoin *join)
{
	Cost		alone = cheapest_cost(rel->pathlist, disable_cost);
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		const Path *path = lfirst(lc);

		if (path->param_info != NULL)
			alone = Min(alone, path->total_cost * join->rows);
	}
	return alone - cheapest_cost(rel->partial_pathlist, alone);
}

double
ssdpar_unshared_seconds(PlannerInfo *root, const RelOptInfo *fact,
						const SsdparModel *model, const SsdparIndexJoin *join)
{
	Cost		cost = 0;

	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];

		if (rel != NULL && rel->reloptkind == RELOPT_BASEREL && rel != fact &&
			rel != join->dimension && !IS_DUMMY_REL(rel))
			cost += unshared_cost(rel, join);
	}
	return cost * model->machine->seconds_per_cost_unit;
}

/* Without the time to start processes.  */
static double
split_scan_seconds(PlannerInfo *root, RelOptInfo *fact,
				   const SsdparModel *model, int subqueries)
{
	SsdparReads reads =
		ssdpar_model_our_seqscan(model, fact->reltablespace, fact->pages, true,
								 ssdpar_residency_of(table_oid(root, fact),
													 fact->pages));
	Cost		cpu = fact->tuples *
		(cpu_tuple_cost + fact->baserestrictcost.per_tuple);

	return ssdpar_model_price_one(model, &reads, cpu *
								  model->machine->seconds_per_cost_unit,
								  subqueries).total;
}

/*
 * With a profile, compares times, including the cost of the joins above a
 * fully read fact.  Without a profile, compares the server's page costs, which
 * is correct if reads dominate: many random reads against one long scan.
 */
bool
ssdpar_index_join_wins(PlannerInfo *root, RelOptInfo *fact,
					   const SsdparIndexJoin *join, int subqueries)
{
	SsdparModel model;
	double		joined;

	if (!ssdpar_model_load(fact->reltablespace, &model))
	{
		double		random_page;
		double		sequential_page;

		get_tablespace_page_costs(fact->reltablespace, &random_page,
								  &sequential_page);
		return (join->index_pages + join->fact_pages) * random_page <
			fact->pages * sequential_page;
	}
	joined = ssdpar_cost_with_joins(0.0, fact->rows) / subqueries *
		model.machine->seconds_per_cost_unit;
	return index_join_seconds(root, fact, &model, join, subqueries) <
		split_scan_seconds(root, fact, &model, subqueries) + joined;
}

/* parallel_setup_cost is core's own estimate of starting processes.  */
static Cost
start_cost(const SsdparModel *model, int subqueries)
{
	return Max(0.0, ssdpar_model_units(model->machine, subqueries *
									   PROCESS_START_SECONDS) -
			   parallel_setup_cost);
}

/*
 * Core divides the join's time by the number of processes even beyond the
 * device's saturation and the number of cores.
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
