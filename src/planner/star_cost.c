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

/* Planner units of looking at the rows of the table, all processes. */
static Cost
rows_cost(const SsdparStarPricing *pricing, const SsdparStarWork *work)
{
	return work->rows_read *
		(cpu_tuple_cost + pricing->rel->baserestrictcost.per_tuple);
}

/*
 * With a profile, in seconds.
 */

/* Pages in block order, read ahead unless that is switched off. */
static SsdparReads
ordered_reads(const SsdparStarPricing *pricing, double pages, double area,
			  SsdparResidency resident)
{
	bool		ahead = ssdpar_prefetch != SSDPAR_PREFETCH_OFF;
	double		depth = ahead ? ssdpar_model_depth(&pricing->model) : 1.0;

	return ssdpar_model_block_order(pages, area, ahead, depth, ahead,
									resident);
}

static double
index_seconds(const SsdparStarPricing *pricing,
			  const SsdparStarBranch *branch)
{
	IndexOptInfo *index = branch->index;
	SsdparReads reads =
		ordered_reads(pricing, branch->leaves, index->pages,
					  ssdpar_residency_of(index->indexoid, index->pages));

	return ssdpar_model_price_one(&pricing->model, &reads,
								  branch->tids * SECONDS_PER_TID, 1.0).total;
}

static SsdparPrice
table_price(const SsdparStarPricing *pricing, SsdparStarAccess access,
			const SsdparStarWork *work)
{
	const SsdparModel *model = &pricing->model;
	RelOptInfo *rel = pricing->rel;
	SsdparReads reads;
	double		cpu_seconds = work->tests * SECONDS_PER_TEST +
		rows_cost(pricing, work) * model->machine->seconds_per_cost_unit;

	if (access == SSDPAR_STAR_BITMAP)
	{
		reads = ordered_reads(pricing, work->pages, rel->pages,
							  pricing->resident);
		cpu_seconds += work->pages * SECONDS_PER_PAGE;
	}
	else
		reads = ssdpar_model_seqscan(model, rel->reltablespace,
									 work->pages, pricing->workers > 0,
									 pricing->resident);
	return ssdpar_model_price_one(model, &reads, cpu_seconds,
								  pricing->processes);
}

static void
price_by_model(const SsdparStarPricing *pricing, SsdparStarAccess access,
			   const SsdparStarWork *work, SsdparStarCost *cost)
{
	const SsdparMachine *machine = pricing->model.machine;
	SsdparPrice price = table_price(pricing, access, work);
	double		before = price.startup + work->key_rows * SECONDS_PER_KEY;

	cost->startup += ssdpar_model_units(machine, before);
	cost->total = cost->startup +
		ssdpar_model_units(machine, price.total - price.startup);
}

/*
 * Without one, in page costs.
 */

static void
price_by_page_costs(const SsdparStarPricing *pricing,
					SsdparStarAccess access, const SsdparStarWork *work,
					SsdparStarCost *cost)
{
	cost->startup += work->key_rows * SECONDS_PER_KEY /
		TYPICAL_SECONDS_PER_UNIT;
	cost->total = cost->startup +
		work->pages * (access == SSDPAR_STAR_BITMAP ?
					   pricing->random_page : pricing->sequential_page) +
		(rows_cost(pricing, work) +
		 work->tests * SECONDS_PER_TEST / TYPICAL_SECONDS_PER_UNIT) /
		pricing->processes;
}

void
ssdpar_star_pricing(PlannerInfo *root, RelOptInfo *rel, int workers,
					SsdparStarPricing *pricing)
{
	memset(pricing, 0, sizeof(*pricing));
	pricing->rel = rel;
	pricing->workers = workers;
	pricing->processes = ssdpar_parallel_divisor(workers);
	pricing->modelled = ssdpar_model_get(rel->reltablespace, &pricing->model);
	if (pricing->modelled)
		pricing->resident =
			ssdpar_residency_of(root->simple_rte_array[rel->relid]->relid,
								rel->pages);
	else
		get_tablespace_page_costs(rel->reltablespace, &pricing->random_page,
								  &pricing->sequential_page);
}

Cost
ssdpar_star_index_cost(const SsdparStarPricing *pricing,
					   const SsdparStarBranch *branch)
{
	if (pricing->modelled)
		return ssdpar_model_units(pricing->model.machine,
								  index_seconds(pricing, branch));
	return branch->leaves * pricing->random_page +
		branch->tids * SECONDS_PER_TID / TYPICAL_SECONDS_PER_UNIT;
}

void
ssdpar_star_cost(const SsdparStarPricing *pricing, const SsdparStarWay *way,
				 SsdparStarCost *cost)
{
	RelOptInfo *rel = pricing->rel;
	SsdparStarWork work;

	ssdpar_star_work(rel, way, &work);
	cost->startup = work.children_cost + work.index_cost +
		rel->baserestrictcost.startup + rel->reltarget->cost.startup;
	if (pricing->modelled)
		price_by_model(pricing, way->access, &work, cost);
	else
		price_by_page_costs(pricing, way->access, &work, cost);
	cost->total += rel->reltarget->cost.per_tuple * work.rows /
		pricing->processes;
	cost->rows = clamp_row_est(work.rows / pricing->processes);
	cost->pages = work.pages;
}
