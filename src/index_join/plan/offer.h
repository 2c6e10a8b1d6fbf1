/*
 * offer.h
 *		Offers core index joins.
 */
#ifndef SSDPAR_JOIN_OFFER_H
#define SSDPAR_JOIN_OFFER_H

#include "nodes/pathnodes.h"

/* Called for each pair of relations whose join core has made paths of. */
extern void ssdpar_offer_index_joins(PlannerInfo *root, RelOptInfo *joinrel,
									 RelOptInfo *outer, RelOptInfo *inner,
									 JoinType type, JoinPathExtraData *extra);

#endif							/* SSDPAR_JOIN_OFFER_H */
