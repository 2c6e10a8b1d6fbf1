/*
 * offer.h
 *		Offers core index joins.
 */
#ifndef SSDPAR_JOIN_OFFER_H
#define SSDPAR_JOIN_OFFER_H

#include "nodes/pathnodes.h"

/* Are index joins of this query level's plain tables considered at all? */
extern bool ssdpar_index_joins_allowed(const PlannerInfo *root);

/* Called for each pair of relations whose join core has made paths of. */
extern void ssdpar_offer_index_joins(PlannerInfo *root, RelOptInfo *joinrel,
									 RelOptInfo *outer, RelOptInfo *inner,
									 JoinType type, JoinPathExtraData *extra);

#endif							/* SSDPAR_JOIN_OFFER_H */
