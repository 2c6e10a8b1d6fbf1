/*
 * offer.h
 *		Sends keys of dimensions along with the queries of foreign tables.
 */
#ifndef SSDPAR_SHARDS_OFFER_H
#define SSDPAR_SHARDS_OFFER_H

#include "nodes/pathnodes.h"

/*
 * Adds conditions on the keys of dimensions to the foreign tables of a query
 * level if that is predicted to save time.  To be called once per query level,
 * when its base relations have their paths and none has been joined yet.
 */
extern void ssdpar_send_keys_to_shards(PlannerInfo *root);

#endif							/* SSDPAR_SHARDS_OFFER_H */
