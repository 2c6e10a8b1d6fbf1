/*
 * offer.h
 *		Adds index joins to core's join paths.
 */
#ifndef SSDPAR_JOIN_OFFER_H
#define SSDPAR_JOIN_OFFER_H

#include "nodes/pathnodes.h"

/* Does this query level consider index joins of its plain tables? */
extern bool ssdpar_index_joins_allowed(const PlannerInfo *root);

/*
 * To be called for each pair of relations after core has added its join paths.
 */
extern void ssdpar_offer_index_joins(PlannerInfo *root, RelOptInfo *joinrel,
									 RelOptInfo *outer, RelOptInfo *inner,
									 JoinType type, JoinPathExtraData *extra);

#endif							/* SSDPAR_JOIN_OFFER_H */
