/*
 * table_price.c
 *		What a page of one table costs under the model, in planner units.
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

Cost
ssdpar_page_again_cost(const SsdparTablePrice *table)
{
	return ssdpar_seconds_cost(table,
							   ssdpar_model_page_again(&table->model,
													   table->rel->pages));
}
