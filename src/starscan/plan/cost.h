/*
 * cost.h
 *		Cost of a star scan.
 */
#ifndef SSDPAR_PLAN_COST_H
#define SSDPAR_PLAN_COST_H

#include "starscan/plan/candidate.h"

/* Fills the prices for scans of table; root, rel and oid are set. */
extern void ssdpar_load_prices(SsdparStarTable *table);

/* Fills the fields of the table's late qual; root and fact are set. */
extern void ssdpar_load_late_filter(SsdparStarTable *table);

/* Fills only what differs from other tables of the same tablespace. */
extern void ssdpar_load_residency(SsdparStarTable *table);

/* Cost of reading an estimate's index, independent of workers. */
extern Cost ssdpar_key_index_cost(const SsdparStarTable *table,
								  const SsdparEstimate *estimate);

/*
 * Do that many pages of the table take so long that the cost of looking at an
 * index, which waits for some of its pages, is small in comparison?
 */
extern bool ssdpar_is_worth_a_look(const SsdparStarTable *table, double pages);

/* Cost of reading the table itself; the workload is computed. */
extern Cost ssdpar_table_cost(const SsdparStarTable *table,
							  const SsdparCandidate *candidate);

/* Cost of reading the children and storing their keys; likewise. */
extern Cost ssdpar_keys_cost(const SsdparCandidate *candidate);

/* Fills candidate's costs and score; its workload is computed. */
extern void ssdpar_price_candidate(const SsdparStarTable *table,
								   SsdparCandidate *candidate);

/*
 * Additional cost of the joins above for dimensions that candidate leaves out.
 * Its estimates are those of all the table's dimensions.
 */
extern Cost ssdpar_left_out_cost(const SsdparStarTable *table,
								 const SsdparCandidate *candidate);

#endif							/* SSDPAR_PLAN_COST_H */
