/*
 * offer.h
 *		Sends keys of dimensions along with the queries of foreign tables.
 */
#ifndef SSDPAR_SHARDS_OFFER_H
#define SSDPAR_SHARDS_OFFER_H

#include "nodes/pathnodes.h"

/*
 * Give the foreign tables of a query level conditions on the keys of its
 * dimensions, where that is predicted to save time.  Once for a query level:
 * when its base relations have their paths and none has been joined yet.
 */
extern void ssdpar_send_keys_to_shards(PlannerInfo *root);

#endif							/* SSDPAR_SHARDS_OFFER_H */
