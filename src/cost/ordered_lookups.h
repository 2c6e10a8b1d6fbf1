/*
 * ordered_lookups.h
 *		Lookups of an index by values that come in its order.
 */
#ifndef SSDPAR_ORDERED_LOOKUPS_H
#define SSDPAR_ORDERED_LOOKUPS_H

#include "cost/page_cost_override.h"
#include "cost/table_price.h"

/*
 * An SsdparPricer's: a page of the table, at most random_page, the price of one
 * waited for.
 */
extern Cost ssdpar_lookup_page_cost(const void *priced,
									const SsdparEstimatedScan *scan,
									Cost random_page);

/*
 * What one of many runs' leaves take less than they do in the estimate.  index:
 * its prices, on its tablespace; of SSDPAR_MANY_LEAVES at least.
 */
extern Cost ssdpar_lookup_leaves_saved(const SsdparTablePrice *index,
									   const SsdparEstimatedScan *scan);

#endif							/* SSDPAR_ORDERED_LOOKUPS_H */
