/*
 * star_cost.c
 *		What a star scan costs.
 *
 * Its phases, one after the other: the children are read to their ends and
 * their keys collected; the indexes are asked, leaf pages prefetched; the
 * table's pages are read, prefetched, and meanwhile its rows tested.  The
 * first two are one process's, the rest is shared.
 *
 * With a device profile it is predicted time (cost/model.h), as core's scans
 * are priced then.  Without one it is the server's page costs, which know
 * nothing of depth: good enough to put ways of a star scan in order, and no
 * measure against core's own paths.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/spccache.h"

#include "cost/context.h"
#include "cost/residency.h"
#include "planner/star_cost.h"
#include "planner/star_work.h"
#include "planner/workers.h"
#include "settings.h"

/*
 * CPU time of what core has no cost for, on the reference machine: SSB at
 * scale factor 1 in the page cache, one process, EXPLAIN ANALYZE's times of
 * Q2.2, Q3.1 and Q4.1 once each while others used the machine, so to be
 * measured again.
 *
 * SECONDS_PER_KEY		coding a dimension's key and adding it to a set (80,000
 *						took less than 15 ms more than the scan)
 * SECONDS_PER_TID		taking a row address from a leaf page and setting its
 *						bit (2.4 million: 73 ms)
 * SECONDS_PER_PAGE		announcing, pinning and picking rows from a page of a
 *						bitmap, besides its page cost (70,231: 200 ms)
 * SECONDS_PER_TEST		taking a key column out of a row and looking it up
 */
#define SECONDS_PER_KEY 100e-9
#define SECONDS_PER_TID 30e-9
#define SECONDS_PER_PAGE 2.5e-6
#define SECONDS_PER_TEST 25e-9

/* A unit of planner cost without a profile, to turn the above into units. */
#define TYPICAL_SECONDS_PER_UNIT 5e-6

/* What all of it is priced with. */
typedef struct Pricing
{
	PlannerInfo *root;
	RelOptInfo *rel;
	const SsdparStarPlan *plan;
	const SsdparStarWork *work;
	const SsdparModel *model;
	Oid			table;
	int			workers;
	double		processes;
} Pricing;

/* Planner units of looking at the rows of the table, all processes. */
static Cost
rows_cost(const Pricing *pricing)
{
	return pricing->work->rows_read *
		(cpu_tuple_cost + pricing->rel->baserestrictcost.per_tuple);
}

/*
 * With a profile, in seconds.
 */

/* Pages in block order, read ahead unless that is switched off. */
static SsdparReads
ordered_reads(const Pricing *pricing, double pages, double area,
			  SsdparResidency resident)
{
	bool		ahead = ssdpar_prefetch != SSDPAR_PREFETCH_OFF;
	double		depth = ahead ? ssdpar_model_depth(pricing->model) : 1.0;

	return ssdpar_model_block_order(pages, area, ahead, depth, ahead,
									resident);
}

static double
index_seconds(const Pricing *pricing)
{
	double		seconds = 0;

	for (int i = 0; i < pricing->work->nindexes; i++)
	{
		const SsdparIndexWork *one = &pricing->work->indexes[i];
		IndexOptInfo *index = one->index;
		SsdparReads reads =
			ordered_reads(pricing, one->leaves, index->pages,
						  ssdpar_residency_of(index->indexoid, index->pages));

		seconds += ssdpar_model_price_one(pricing->model, &reads,
										  one->tids * SECONDS_PER_TID,
										  1.0).total;
	}
	return seconds;
}

static SsdparPrice
table_price(const Pricing *pricing)
{
	const SsdparStarWork *work = pricing->work;
	RelOptInfo *rel = pricing->rel;
	SsdparResidency resident = ssdpar_residency_of(pricing->table, rel->pages);
	SsdparReads reads;
	double		cpu_seconds = work->tests * SECONDS_PER_TEST +
		rows_cost(pricing) * pricing->model->machine->seconds_per_cost_unit;

	if (pricing->plan->access == SSDPAR_STAR_BITMAP)
	{
		reads = ordered_reads(pricing, work->pages, rel->pages, resident);
		cpu_seconds += work->pages * SECONDS_PER_PAGE;
	}
	else
		reads = ssdpar_model_seqscan(pricing->model, rel->reltablespace,
									 work->pages, pricing->workers > 0,
									 resident);
	return ssdpar_model_price_one(pricing->model, &reads, cpu_seconds,
								  pricing->processes);
}

static void
price_by_model(const Pricing *pricing, SsdparStarCost *cost)
{
	const SsdparMachine *machine = pricing->model->machine;
	SsdparPrice price = table_price(pricing);
	double		before = index_seconds(pricing) + price.startup +
		pricing->work->key_rows * SECONDS_PER_KEY;

	cost->startup += ssdpar_model_units(machine, before);
	cost->total = cost->startup +
		ssdpar_model_units(machine, price.total - price.startup);
}

/*
 * Without one, in page costs.
 */

static void
price_by_page_costs(const Pricing *pricing, SsdparStarCost *cost)
{
	const SsdparStarWork *work = pricing->work;
	double		random_page;
	double		sequential_page;
	double		seconds = work->key_rows * SECONDS_PER_KEY;

	get_tablespace_page_costs(pricing->rel->reltablespace, &random_page,
							  &sequential_page);
	for (int i = 0; i < work->nindexes; i++)
	{
		cost->startup += work->indexes[i].leaves * random_page;
		seconds += work->indexes[i].tids * SECONDS_PER_TID;
	}
	cost->startup += seconds / TYPICAL_SECONDS_PER_UNIT;
	cost->total = cost->startup +
		work->pages * (pricing->plan->access == SSDPAR_STAR_BITMAP ?
					   random_page : sequential_page) +
		(rows_cost(pricing) + work->tests * SECONDS_PER_TEST /
		 TYPICAL_SECONDS_PER_UNIT) / pricing->processes;
}

bool
ssdpar_star_cost(PlannerInfo *root, RelOptInfo *rel,
				 const SsdparStarParts *parts, int workers,
				 SsdparStarCost *cost)
{
	SsdparModel model;
	SsdparStarWork work;
	Pricing		pricing = {
		.root = root,
		.rel = rel,
		.plan = &parts->plan,
		.work = &work,
		.model = &model,
		.table = root->simple_rte_array[rel->relid]->relid,
		.workers = workers,
		.processes = ssdpar_parallel_divisor(workers),
	};
	bool		modelled = ssdpar_model_get(rel->reltablespace, &model);

	ssdpar_star_work(rel, pricing.table, parts, &work);
	cost->startup = work.children_cost + rel->baserestrictcost.startup +
		rel->reltarget->cost.startup;
	if (modelled)
		price_by_model(&pricing, cost);
	else
		price_by_page_costs(&pricing, cost);
	cost->total += rel->reltarget->cost.per_tuple * work.rows /
		pricing.processes;
	cost->rows = clamp_row_est(work.rows / pricing.processes);
	cost->pages = work.pages;
	return modelled;
}
