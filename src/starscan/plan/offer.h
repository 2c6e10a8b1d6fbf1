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

#endif							/* SSDPAR_PLAN_OFFER_H */
