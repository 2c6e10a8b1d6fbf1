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
 * What core has no cost for, in units of cpu_tuple_cost, which is about 40 ns
 * on the reference machine, so that these follow the machine as core's costs
 * do.  Measured on the facts of ./run bench regret, cached, in one process (7
 * densities from 9,000 to 4.5 million rows of 8.9 million, three times each);
 * KEY_TUPLES with SSB at scale factor 5.
 *
 * KEY_TUPLES	coding a dimension's key and adding it to a set: 100 ns
 * SCAN_TUPLES	starting and ending one scan more than a dimension has that is no
 *				partitioned table: 10 us.  A star scan of each of the fact's
 *				partitions reads each of the dimension's
 * LEAF_TUPLES	finding a leaf page's rows, besides reading it: 1.2 us
 * TID_TUPLES	setting a row's bit: 5 ns, 15 where the set is larger than a
 *				processor's cache
 * PAGE_TUPLES	announcing, pinning and picking rows from a page of a bitmap,
 *				besides reading it: 0.3 to 0.5 us
 * SPREAD_TUPLES the same page, where there are too few for a ring: it comes to
 *				any place in shared memory: 1.3 to 2 us
 * ROW_TUPLES	coming past a row of a page that is scanned as a whole, and
 * TEST_TUPLES	looking up one of its keys: 5 to 7 ns together where the keys are
 *				few, 20 where they fill a processor's cache
 */
#define KEY_TUPLES 2.5
#define SCAN_TUPLES 250.0
#define LEAF_TUPLES 30.0
#define TID_TUPLES 0.3
#define PAGE_TUPLES 12.0
#define SPREAD_TUPLES 40.0
#define ROW_TUPLES 0.1
#define TEST_TUPLES 0.15

/* Computing, in planner units, of all processes together. */

static Cost
keys_cost(const SsdparStarWork *work)
{
	return (work->key_rows * KEY_TUPLES + work->more_scans * SCAN_TUPLES) *
		cpu_tuple_cost;
}

static Cost
rows_found_cost(const SsdparStarBranch *branch)
{
	return (branch->leaves * LEAF_TUPLES + branch->tids * TID_TUPLES) *
		cpu_tuple_cost;
}

static Cost
table_cost(const SsdparStarPricing *pricing, SsdparStarAccess access,
		   const SsdparStarWork *work)
{
	double		tuples = work->tests * TEST_TUPLES + work->rows_filtered;

	if (access == SSDPAR_STAR_BITMAP)
	{
		tuples += work->pages * PAGE_TUPLES;
		if (!ssdpar_star_uses_ring(work->pages))
			tuples += work->pages * SPREAD_TUPLES;
	}
	else
		tuples += work->rows_read * ROW_TUPLES;
	return tuples * cpu_tuple_cost +
		work->rows_filtered * pricing->rel->baserestrictcost.per_tuple;
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
								  rows_found_cost(branch) *
								  pricing->model.machine->seconds_per_cost_unit,
								  1.0).total;
}

static SsdparPrice
table_price(const SsdparStarPricing *pricing, SsdparStarAccess access,
			const SsdparStarWork *work)
{
	const SsdparModel *model = &pricing->model;
	RelOptInfo *rel = pricing->rel;
	SsdparReads reads;

	if (access == SSDPAR_STAR_BITMAP)
		reads = ordered_reads(pricing, work->pages, rel->pages,
							  pricing->resident);
	else
		reads = ssdpar_model_seqscan(model, rel->reltablespace,
									 work->pages, pricing->workers > 0,
									 pricing->resident);
	return ssdpar_model_price_one(model, &reads,
								  table_cost(pricing, access, work) *
								  model->machine->seconds_per_cost_unit,
								  pricing->processes);
}

static void
price_by_model(const SsdparStarPricing *pricing, SsdparStarAccess access,
			   const SsdparStarWork *work, SsdparStarCost *cost)
{
	const SsdparMachine *machine = pricing->model.machine;
	SsdparPrice price = table_price(pricing, access, work);

	cost->startup += keys_cost(work) +
		ssdpar_model_units(machine, price.startup);
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
	cost->startup += keys_cost(work);
	cost->total = cost->startup +
		work->pages * (access == SSDPAR_STAR_BITMAP ?
					   pricing->random_page : pricing->sequential_page) +
		table_cost(pricing, access, work) / pricing->processes;
}

void
ssdpar_star_pricing_workers(SsdparStarPricing *pricing, int workers)
{
	pricing->workers = workers;
	pricing->processes = ssdpar_parallel_divisor(workers);
}

void
ssdpar_star_pricing(PlannerInfo *root, RelOptInfo *rel,
					SsdparStarPricing *pricing)
{
	memset(pricing, 0, sizeof(*pricing));
	pricing->rel = rel;
	ssdpar_star_pricing_workers(pricing, 0);
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
		rows_found_cost(branch);
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
