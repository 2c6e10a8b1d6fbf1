/*
 * cost.h
 *		What a star scan costs.
 */
#ifndef SSDPAR_PLAN_COST_H
#define SSDPAR_PLAN_COST_H

#include "starscan/plan/candidate.h"

/* Fill what scans of table are priced with; root, rel and oid are set. */
extern void ssdpar_load_prices(SsdparStarTable *table);

/* Fill what the table's late filter is; root and fact are set. */
extern void ssdpar_load_late_filter(SsdparStarTable *table);

/* Only what is the table's own: others of its tablespace have the same. */
extern void ssdpar_load_residency(SsdparStarTable *table);

/* Planner units of reading an estimate's index, whatever the workers. */
extern Cost ssdpar_key_index_cost(const SsdparStarTable *table,
								  const SsdparEstimate *estimate);

/*
 * Do so many pages of the table take so long that a look at an index, which
 * waits for some pages of it, is little beside that?
 */
extern bool ssdpar_is_worth_a_look(const SsdparStarTable *table, double pages);

/* Planner units of reading the table itself; the workload is counted. */
extern Cost ssdpar_table_cost(const SsdparStarTable *table,
							  const SsdparCandidate *candidate);

/* Planner units of reading the children and keeping their keys, the same. */
extern Cost ssdpar_keys_cost(const SsdparCandidate *candidate);

/* Fill candidate's costs and score; its workload is counted. */
extern void ssdpar_price_candidate(const SsdparStarTable *table,
								   SsdparCandidate *candidate);

/*
 * What the joins above take longer for dimensions that candidate leaves out.
 * Its estimates are of all the table's dimensions.
 */
extern Cost ssdpar_left_out_cost(const SsdparStarTable *table,
								 const SsdparCandidate *candidate);

#endif							/* SSDPAR_PLAN_COST_H */
