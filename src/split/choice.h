/*
 * choice.h
 *		Splits a star query into subqueries.
 */
#ifndef SSDPAR_SPLIT_CHOICE_H
#define SSDPAR_SPLIT_CHOICE_H

#include "nodes/pathnodes.h"

/*
 * Called when the scans of a base relation have been planned.  Prevents a star
 * from being split if it must not be, and splits a fact that is not joined
 * with anything.
 */
extern void ssdpar_split_scan(PlannerInfo *root, RelOptInfo *rel);

/*
 * Called before the search for a join order of initial_rels.  Adds the
 * partition of one of the star's tables as a partial path and returns true, if
 * there is one.  In this case the caller must call ssdpar_require_split for
 * the relation that the search returns.
 */
extern bool ssdpar_offer_partition(PlannerInfo *root, List *initial_rels);

/*
 * If the user requests subqueries, makes the split plans of a relation win
 * over all others.
 */
extern void ssdpar_require_split(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_SPLIT_CHOICE_H */
