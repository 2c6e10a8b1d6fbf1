/*
 * table_price.c
 *		Prices a page of one table under the model, in planner units.
 */
#include "postgres.h"

#include "cost/known_prices.h"
#include "cost/parallel.h"
#include "cost/residency.h"
#include "cost/table_price.h"

SsdparTablePrice
ssdpar_price_as_index(const SsdparTablePrice *table,
					  const IndexOptInfo *index, Oid tablespace)
{
	SsdparTablePrice own = *table;

	if (tablespace != table->tablespace)
		(void) ssdpar_model_get(tablespace, &own.model);
	own.resident = ssdpar_residency_of(index->indexoid, index->pages);
	return own;
}

Cost
ssdpar_seconds_cost(const SsdparTablePrice *table, double seconds)
{
	return ssdpar_model_units(table->model.machine, seconds);
}

Cost
ssdpar_page_cost(const SsdparTablePrice *table, SsdparReads reads,
				 int workers)
{
	double		processes = ssdpar_parallel_divisor(workers);

	return ssdpar_seconds_cost(table,
							   ssdpar_page_seconds(&table->model, &reads,
												   processes));
}

/*
 * Pages of a partition are visited between those of other partitions, so they
 * share the processor's caches.
 */
double
ssdpar_visit_seconds(const SsdparTablePrice *table)
{
	const RelOptInfo *rel = table->rel;
	double		pages = rel->pages;

	if (IS_OTHER_REL(rel))
		pages = Max(table->root->total_table_pages, pages);
	return ssdpar_model_visit(pages, table->resident);
}

Cost
ssdpar_any_page_cost(const SsdparTablePrice *table, double depth, int workers)
{
	/* one page ahead is hardly requested before it is needed */
	SsdparReads reads = ssdpar_model_random(1.0, depth, depth > 1.0,
											table->resident);
	double		visit = ssdpar_visit_seconds(table) /
		ssdpar_parallel_divisor(workers);

	return ssdpar_page_cost(table, reads, workers) +
		ssdpar_seconds_cost(table, visit);
}

Cost
ssdpar_page_again_cost(const SsdparTablePrice *table)
{
	return ssdpar_seconds_cost(table,
							   ssdpar_model_page_again(&table->model,
													   table->rel->pages));
}
