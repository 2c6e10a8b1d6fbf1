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

#endif							/* SSDPAR_PAIR_CLAUSES_H */
