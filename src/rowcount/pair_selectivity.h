/*
 * pair_selectivity.h
 *		Makes core use a known row count for the join of two base relations.
 */
#ifndef SSDPAR_PAIR_SELECTIVITY_H
#define SSDPAR_PAIR_SELECTIVITY_H

#include "nodes/pathnodes.h"

/*
 * Makes core assume that the two, joined as in the query and after their
 * filters, have this number of rows, and adjusts larger joins accordingly.
 * Does nothing for outer joins, where the clauses do not determine the number.
 */
extern void ssdpar_put_pair_selectivity(PlannerInfo *root, RelOptInfo *one,
										RelOptInfo *other, double rows);

#endif							/* SSDPAR_PAIR_SELECTIVITY_H */
