/*
 * ordered_lookups.h
 *		Prices index lookups by values that arrive in the order of the index.
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
 * Reduction of the estimated cost of leaves, for one of many runs.  index has
 * the index's prices, on its tablespace; it must have SSDPAR_MANY_LEAVES.
 */
extern Cost ssdpar_lookup_leaves_saved(const SsdparTablePrice *index,
									   const SsdparEstimatedScan *scan);

#endif							/* SSDPAR_ORDERED_LOOKUPS_H */
