/*
 * cost.c
 *		Cost of a star scan.
 *
 * Its phases are sequential.  First the children are read completely and their
 * keys collected.  Then the indexes are searched, with prefetching of leaf
 * pages.  Then the table's pages are read, with prefetching, while its rows
 * are tested.  The first two phases are priced for one process, the third is
 * shared.  Pages of the table that are read while keys are computed are
 * subtracted (overlap.c).
 *
 * With a device profile the cost is a predicted time (cost/model.h), like that
 * of core's scans in this case.  Without a profile the server's page costs are
 * used, which do not know about depth.  They are good enough for ranking
 * candidates, but not for comparing them with core's paths.
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
 * Costs that core does not have, in units of cpu_tuple_cost, so that they
 * scale with the machine as core's costs do.  They were measured on cached
 * facts in one process, over a wide range of densities (./run bench regret),
 * KEY_TUPLES with SSB.
 *
 * KEY_TUPLES	coding a dimension's key and adding it to a set
 * SCAN_TUPLES	starting and ending one more scan than a dimension without
 *				partitions has.  A star scan of each of the fact's partitions
 *				reads each partition of the dimension
 * LEAF_TUPLES	finding a leaf page's rows, in addition to reading it
 * TID_TUPLES	setting a row's bit, in a set that may exceed the CPU cache
 * PAGE_TUPLES	announcing and pinning a page of a bitmap and selecting its
 *				rows, in addition to reading it
 * SPREAD_TUPLES the same, if there are too few pages for a buffer ring, so
 *				that they are placed anywhere in shared memory
 * ROW_TUPLES	passing a row of a page that is scanned as a whole, and
 * TEST_TUPLES	looking up one of its keys; in between the costs for few keys
 *				and for as many as fill the CPU cache
 */
#define KEY_TUPLES 2.5
#define SCAN_TUPLES 250.0
#define LEAF_TUPLES 30.0
#define TID_TUPLES 0.3
#define PAGE_TUPLES 12.0
#define SPREAD_TUPLES 40.0
#define ROW_TUPLES 0.1
#define TEST_TUPLES 0.15

/* Lower limit for a qual that core expects to drop everything. */
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

/* Pages in block order, with read-ahead unless that is disabled. */
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
 * Priced for one process.  Others may share the reads, but the server decides
 * when they start, so workers are not assumed.
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

/* Pages that a look waits for: three above the leaves, and one leaf. */
#define LOOK_PAGES 4.0

/* The cost at stake must be at least that of this many looks. */
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

/* Cost of testing and filtering the table's rows, over all processes. */
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

/* Cost of reading the table's pages and testing their rows, per process. */
typedef struct TablePrice
{
	Cost		startup;
	Cost		run;
	double		early_pages;	/* as in SsdparCandidate */
} TablePrice;

/*
 * Reads of a bitmap's pages.  As far as the bitmap's indexes restrict it by
 * the table's order, runs are as if pages were drawn from a smaller area, but
 * the gaps between the pages are still those of the whole table.
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
 * With a profile: the predicted time of reading the table's pages while
 * testing their rows.  The time until the first page arrives belongs to the
 * startup cost. "computed" is the computing done before, during which some
 * pages have arrived.
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
		reads = ssdpar_model_our_seqscan(model, rel->reltablespace,
										 candidate->pages,
										 candidate->workers > 0,
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

/* Without a profile: the server's page costs, for one page at a time. */
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

/* Cost of storing the keys that the children return. */
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

/*
 * Cost of finding one row's partner with an index of the dimension, or
 * infinity.
 */
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
 * A dimension that the scan could join itself (covering.c) is read once in
 * either case, and hashed or looked up.  Any other is read again above in
 * either case.  Rows that the scan returns must be looked up in the hash
 * table, too.  If the dimension drops no row and a column of it is needed, the
 * scan joins it at a lower cost.
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
