/*
 * pair_selectivity.h
 *		Makes core join two base relations with a known row count.
 */
#ifndef SSDPAR_PAIR_SELECTIVITY_H
#define SSDPAR_PAIR_SELECTIVITY_H

#include "nodes/pathnodes.h"

/*
 * Core is to take rows for what the two join to, by the query's own join type
 * and after their filters, and in larger joins accordingly.  Nothing changes
 * where clauses between the two do not determine that number: outer joins.
 */
extern void ssdpar_put_pair_selectivity(PlannerInfo *root, RelOptInfo *one,
										RelOptInfo *other, double rows);

#endif							/* SSDPAR_PAIR_SELECTIVITY_H */
