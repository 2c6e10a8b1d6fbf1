/*
 * pair_clauses.h
 *		The conditions that a join of two base relations checks.
 */
#ifndef SSDPAR_PAIR_CLAUSES_H
#define SSDPAR_PAIR_CLAUSES_H

#include "nodes/pathnodes.h"

/* List of RestrictInfo, those that core itself goes by. */
extern List *ssdpar_pair_clauses(PlannerInfo *root, RelOptInfo *one,
								 RelOptInfo *other);

/* What core's estimators are to be told of a plain join of the two. */
extern SpecialJoinInfo ssdpar_inner_join(const RelOptInfo *one,
										 const RelOptInfo *other);

/* The product of what core takes for the selectivities of these. */
extern double ssdpar_clauses_selectivity(PlannerInfo *root, List *clauses,
										 SpecialJoinInfo *join);

#endif							/* SSDPAR_PAIR_CLAUSES_H */
