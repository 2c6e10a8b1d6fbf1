/*
 * offer.h
 *		Offering star scans to the planner.
 */
#ifndef SSDPAR_PLAN_OFFER_H
#define SSDPAR_PLAN_OFFER_H

#include "nodes/pathnodes.h"

/*
 * Before the first search for a join order of a query level: add star scans
 * to the paths of its facts.  Later searches of the same level are ignored.
 */
extern void ssdpar_offer_star_scans(PlannerInfo *root);

/*
 * In set_rel_pathlist_hook: the same of rel where it is all that a query level
 * reads, so that no search follows, by the keys in its own filter.
 */
extern void ssdpar_offer_lone_star_scan(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_PLAN_OFFER_H */
