/*
 * pair_clauses.h
 *		Collects the conditions that a join of two base relations checks.
 */
#ifndef SSDPAR_PAIR_CLAUSES_H
#define SSDPAR_PAIR_CLAUSES_H

#include "nodes/pathnodes.h"

/* The RestrictInfos that core uses itself. */
extern List *ssdpar_pair_clauses(PlannerInfo *root, RelOptInfo *one,
								 RelOptInfo *other);

/* An inner join of the two, in the form that core's estimators need. */
extern SpecialJoinInfo ssdpar_inner_join(const RelOptInfo *one,
										 const RelOptInfo *other);

/* The product of core's selectivities of these clauses. */
extern double ssdpar_clauses_selectivity(PlannerInfo *root, List *clauses,
										 SpecialJoinInfo *join);

#endif							/* SSDPAR_PAIR_CLAUSES_H */
