/*
 * offer.h
 *		Offers star scans to the planner.
 */
#ifndef SSDPAR_PLAN_OFFER_H
#define SSDPAR_PLAN_OFFER_H

#include "nodes/pathnodes.h"

/*
 * Called before the first join search of a query level: adds star scans to the
 * paths of its facts.  Later searches of the same level are ignored.
 */
extern void ssdpar_offer_star_scans(PlannerInfo *root);

/*
 * For set_rel_pathlist_hook: the same for rel if it is all that a query level
 * reads, so that no join search follows, using the keys in its quals.
 */
extern void ssdpar_offer_lone_star_scan(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_PLAN_OFFER_H */
