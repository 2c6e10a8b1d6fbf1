/*
 * choice.h
 *		Splitting a star query into subqueries.
 */
#ifndef SSDPAR_SPLIT_CHOICE_H
#define SSDPAR_SPLIT_CHOICE_H

#include "nodes/pathnodes.h"

/*
 * When the scans of a base relation have been planned: keep a star from being
 * split if it must not be, and split a fact that is joined with nothing.
 */
extern void ssdpar_split_scan(PlannerInfo *root, RelOptInfo *rel);

/*
 * Before the search for a join order of initial_rels: offer the partition of
 * one of the star's tables as a partial path.  True when there is one; the
 * caller then owes a call of ssdpar_require_split for the relation that the
 * search returns.
 */
extern bool ssdpar_offer_partition(PlannerInfo *root, List *initial_rels);

/*
 * Where the user asks for subqueries, let the split plans of a relation win
 * over all others.
 */
extern void ssdpar_require_split(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_SPLIT_CHOICE_H */
