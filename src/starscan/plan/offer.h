/*
 * offer.h
 *		Offering star scans to the planner.
 */
#ifndef SSDPAR_PLAN_OFFER_H
#define SSDPAR_PLAN_OFFER_H

#include "nodes/pathnodes.h"

/*
 * Before a search for a join order of a query level: add star scans to the
 * paths of its facts.  When it is called again, those of before are taken
 * back; no path of a base relation may have been added or freed by others
 * meanwhile, and no join relation be left.  If there is one, nothing is done.
 */
extern void ssdpar_offer_star_scans(PlannerInfo *root);

#endif							/* SSDPAR_PLAN_OFFER_H */
