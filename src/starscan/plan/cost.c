/*
 * cost.c
 *		What a star scan costs.
 *
 * Its phases, one after the other: the children are read to their ends and
 * their keys collected; the indexes are asked, leaf pages prefetched; the
 * table's pages are read, prefetched, and meanwhile its rows tested.  The
 * first two are priced as one process's, the rest is shared.  What is read of
 * the table while keys are computed is taken off (overlap.c).
 *
 * With a device profile it is predicted time (cost/model.h), as core's scans
 * are priced then.  Without one it is the server's page costs, which know
 * nothing of depth: good enough to put candidates in order, and no
 * measure against core's own paths.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/float.h"
#include "utils/spccache.h"

#include "base/settings.h"
#include "cost/parallel.h"
#include "cost/residency.h"
#include "cost/tablespace_model.h"
#include "star/covered_join.h"
#include "star/row_subquery.h"
#include "starscan/page_estimate.h"
#include "starscan/plan/add_path.h"
#include "starscan/plan/cost.h"
#include "starscan/plan/overlap.h"

/*
 * What core has no cost for, in units of cpu_tuple_cost, which is about 40 ns
 * on the reference machine, so that these follow the machine as core's costs
 * do.  Measured on the facts of ./run bench regret, cached, in one process (7
 * densities from 9,000 to 4.5 million rows of 8.9 million, three times each);
 * KEY_TUPLES with SSB at scale factor 5.
 *
 * KEY_TUPLES	coding a dimension's key and adding it to a set: 100 ns
 * SCAN_TUPLES	starting and ending one scan more than a dimension has that is
 *				no partitioned table: 10 us.  A star scan of each of the fact's
 *				partitions reads each of the dimension's
 * LEAF_TUPLES	finding a leaf page's rows, besides reading it: 1.2 us
 * TID_TUPLES	setting a row's bit: 5 ns, 15 where the set is larger than a
 *				processor's cache
 * PAGE_TUPLES	announcing, pinning and picking rows from a page of a bitmap,
 *				besides reading it: 0.3 to 0.5 us
 * SPREAD_TUPLES the same page, where there are too few for a ring: it comes to
 *				any place in shared memory: 1.3 to 2 us
 * ROW_TUPLES	coming past a row of a page that is scanned as a whole, and
 * TEST_TUPLES	looking up one of its keys: 5 to 7 ns together where the keys
 *				are few, 20 where they fill a processor's cache
 */
#define KEY_TUPLES 2.5
#define SCAN_TUPLES 250.0
#define LEAF_TUPLES 30.0
#define TID_TUPLES 0.3
#define PAGE_TUPLES 12.0
#define SPREAD_TUPLES 40.0
#define ROW_TUPLES 0.1
#define TEST_TUPLES 0.15

/* Of a filter that core takes to drop everything. */
#define LEAST_KEPT 1e-6

void
ssdpar_load_residency(SsdparStarTable *table)
{
	if (table->modelled)
		table->resident = ssdpar_residency_of(table->oid, table->rel->pages);
}

void
ssdpar_load_late_filter(SsdparStarTable *table)
{
	ListCell   *lc;

	table->late_filter = NIL;
	table->late_cost = 0;
	foreach(lc, table->fact->baserestrictinfo)
	{
		QualCost	cost;

		if (!ssdpar_runs_subquery(lfirst(lc)))
			continue;
		cost_qual_eval_node(&cost, lfirst(lc), table->root);
		table->late_filter = lappend(table->late_filter, lfirst(lc));
		table->late_cost += cost.per_tuple;
	}
	table->late_kept = table->late_filter == NIL ? 1.0 :
		clauselist_selectivity(table->root, table->late_filter,
							   table->fact->relid, JOIN_INNER, NULL);
	table->late_kept = Max(table->late_kept, LEAST_KEPT);
}

void
ssdpar_load_prices(SsdparStarTable *table)
{
	RelOptInfo *rel = table->rel;

	table->modelled = ssdpar_model_get(rel->reltablespace, &table->model);
	if (table->modelled)
		ssdpar_load_residency(table);
	else
		get_tablespace_page_costs(rel->reltablespace, &table->random_page,
								  &table->sequential_page);
}

/* Pages in block order, read ahead unless that is switched off. */
static SsdparReads
ordered_reads(const SsdparStarTable *table, double pages, double area,
			  SsdparResidency resident)
{
	bool		ahead = ssdpar_prefetch != SSDPAR_PREFETCH_OFF;
	double		depth = ahead ? ssdpar_model_depth(&table->model) : 1.0;

	return ssdpar_model_block_order(pages, area, ahead, depth, ahead,
									resident);
}

/*
 * As one process does it.  Others may share the reads, but when they come is
 * up to the server: workers are not counted on.
 */
Cost
ssdpar_key_index_cost(const SsdparStarTable *table,
					  const SsdparEstimate *estimate)
{
	const SsdparModel *model = &table->model;
	IndexOptInfo *index = estimate->index;
	Cost		computing = (estimate->leaves * LEAF_TUPLES +
							 estimate->tids * TID_TUPLES) * cpu_tuple_cost;
	SsdparReads reads;
	SsdparPrice price;

	if (!table->modelled)
		return estimate->leaves * table->random_page + computing;
	reads = ordered_reads(table, estimate->leaves, index->pages,
						  ssdpar_residency_of(index->indexoid, index->pages));
	price = ssdpar_model_price_one(model, &reads, computing *
								   model->machine->seconds_per_cost_unit,
								   1.0);
	return ssdpar_model_units(model->machine, price.total);
}

/* Pages that a look waits for: three above the leaves, and these at once. */
#define LOOK_PAGES 4.0

/* Looks that what is at stake has to take, at least. */
#define LOOKS_AT_STAKE 10.0

bool
ssdpar_is_worth_a_look(const SsdparStarTable *table, double pages)
{
	const SsdparModel *model = &table->model;
	SsdparResidency none = {0.0, 0.0};
	SsdparReads look = ssdpar_model_random(LOOK_PAGES, 1.0, false, none);
	SsdparReads reads;

	if (!table->modelled)
		return false;
	reads = ordered_reads(table, pages, table->rel->pages, table->resident);
	return ssdpar_model_io_seconds(model->profile, &model->load, &reads, 1.0) >
		ssdpar_model_io_seconds(model->profile, &model->load, &look, 1.0) *
		LOOKS_AT_STAKE;
}

/* Testing and filtering the table's rows, of all processes together. */
static Cost
table_cpu_cost(const SsdparStarTable *table, const SsdparCandidate *candidate)
{
	double		tuples = candidate->tests * TEST_TUPLES +
		candidate->rows_filtered;

	if (candidate->access == SSDPAR_STAR_BITMAP)
	{
		tuples += candidate->pages * PAGE_TUPLES;
		if (!ssdpar_star_uses_ring(candidate->pages))
			tuples += candidate->pages * SPREAD_TUPLES;
	}
	else
		tuples += candidate->rows_read * ROW_TUPLES;
	return tuples * cpu_tuple_cost + candidate->rows_filtered *
		(table->rel->baserestrictcost.per_tuple - table->late_cost) +
		candidate->rows_late * table->late_cost;
}

/* Of reading the table's pages and testing their rows, of one process. */
typedef struct TablePrice
{
	Cost		startup;
	Cost		run;
	double		early_pages;	/* as in SsdparCandidate */
} TablePrice;

/*
 * In runs as if the pages were drawn from the area that the bitmap's indexes
 * leave, as far as they do so by the table's order; but to pass over what is
 * between them is to pass over the table.
 */
static SsdparReads
bitmap_reads(const SsdparStarTable *table, const SsdparCandidate *candidate)
{
	double		pages = table->rel->pages;
	double		area = Min(ssdpar_area_of_runs(candidate->area,
											   candidate->pages,
											   candidate->longest_run), pages);
	SsdparReads reads;

	area = candidate->ordered * area + (1.0 - candidate->ordered) * pages;
	reads = ordered_reads(table, candidate->pages, area, table->resident);
	reads.area_pages = pages;
	return reads;
}

/*
 * With a profile: the predicted time of reading the table's pages and testing
 * their rows meanwhile.  What passes until the first page is there belongs to
 * the start.  So much has been computed before, while some of them came.
 */
static TablePrice
price_table_by_model(const SsdparStarTable *table,
					 const SsdparCandidate *candidate, Cost computed)
{
	const SsdparModel *model = &table->model;
	RelOptInfo *rel = table->rel;
	double		cpu_seconds = table_cpu_cost(table, candidate) *
		model->machine->seconds_per_cost_unit;
	SsdparReads reads;
	SsdparPrice price;
	TablePrice	found = {0};

	if (candidate->access == SSDPAR_STAR_BITMAP)
		reads = bitmap_reads(table, candidate);
	else
		reads = ssdpar_model_seqscan(model, rel->reltablespace,
									 candidate->pages, candidate->workers > 0,
									 table->resident);
	found.early_pages = ssdpar_early_pages(table, candidate, &reads,
										   cpu_seconds);
	reads = ssdpar_reads_after_keys(table, found.early_pages, computed, reads);
	price = ssdpar_model_price_one(model, &reads, cpu_seconds,
								   candidate->processes);
	found.startup = ssdpar_model_units(model->machine, price.startup);
	found.run = ssdpar_model_units(model->machine,
								   price.total - price.startup);
	return found;
}

/* Without one, in the server's page costs, which are waited for one by one. */
static TablePrice
price_table_by_page_costs(const SsdparStarTable *table,
						  const SsdparCandidate *candidate)
{
	double		page = candidate->access == SSDPAR_STAR_BITMAP ?
		table->random_page : table->sequential_page;
	TablePrice	found = {0};

	found.run = candidate->pages * page +
		table_cpu_cost(table, candidate) / candidate->processes;
	return found;
}

static TablePrice
price_table(const SsdparStarTable *table, const SsdparCandidate *candidate,
			Cost computed)
{
	return table->modelled ?
		price_table_by_model(table, candidate, computed) :
		price_table_by_page_costs(table, candidate);
}

Cost
ssdpar_table_cost(const SsdparStarTable *table,
				  const SsdparCandidate *candidate)
{
	TablePrice	price = price_table(table, candidate, 0);

	return price.startup + price.run;
}

/* Keeping the keys, once the children have given them. */
static Cost
keeping_cost(const SsdparCandidate *candidate)
{
	return (candidate->key_rows * KEY_TUPLES +
			candidate->more_scans * SCAN_TUPLES) * cpu_tuple_cost;
}

Cost
ssdpar_keys_cost(const SsdparCandidate *candidate)
{
	return candidate->children_cost + keeping_cost(candidate);
}

/* One row's partner through an index of the dimension's; or infinite. */
static Cost
lookup_cost(const SsdparStarTable *table, const SsdparDimension *dimension)
{
	Cost		cheapest = get_float8_infinity();
	ListCell   *lc;

	foreach(lc, dimension->rel->pathlist)
	{
		const Path *path = lfirst(lc);

		if (path->param_info != NULL &&
			bms_is_subset(path->param_info->ppi_req_outer,
						  table->fact->relids))
			cheapest = Min(cheapest, path->total_cost);
	}
	return cheapest;
}

/*
 * One that the scan could join itself (covering.c) is read once with it as
 * without it, and hashed or looked up; any other is read again above in either
 * case.  Rows that the scan hands up have to be looked up in the hash table,
 * too: one that drops no row, and of which a column is wanted, is joined by the
 * scan for less.
 */
Cost
ssdpar_left_out_cost(const SsdparStarTable *table,
					 const SsdparCandidate *candidate)
{
	Cost		cost = 0;

	for (int i = 0; i < table->ndimensions; i++)
	{
		const SsdparEstimate *estimate = &candidate->estimates[i];
		const SsdparDimension *dimension = estimate->dimension;
		Cost		hashed;

		if ((candidate->dimensions & SSDPAR_DIMENSION_BIT(i)) != 0 ||
			dimension->in_filter ||
			!ssdpar_dimension_may_be_covered(table->root, dimension))
			continue;
		hashed = ssdpar_cost_with_joins(estimate->children_cost +
										estimate->key_rows *
										(cpu_operator_cost + cpu_tuple_cost),
										candidate->rows_each);
		cost += Min(hashed, candidate->rows_each *
					lookup_cost(table, dimension));
	}
	return cost;
}

void
ssdpar_price_candidate(const SsdparStarTable *table,
					   SsdparCandidate *candidate)
{
	RelOptInfo *rel = table->rel;
	TablePrice	price = price_table(table, candidate, candidate->children_cpu +
									keeping_cost(candidate));

	candidate->startup = ssdpar_keys_cost(candidate) + candidate->index_cost +
		rel->baserestrictcost.startup + rel->reltarget->cost.startup;
	candidate->startup += price.startup;
	candidate->total = candidate->startup + price.run;
	candidate->early_pages = price.early_pages;
	candidate->total += rel->reltarget->cost.per_tuple * candidate->rows /
		candidate->processes;
	candidate->rows_each = clamp_row_est(candidate->rows /
										 candidate->processes);
	candidate->score = ssdpar_cost_with_joins(candidate->total,
											  candidate->rows_each);
}
