/*
 * hash_joins.h
 *		Hash joins of large tables, priced apart from the other ways to join.
 */
#ifndef SSDPAR_HASH_JOINS_H
#define SSDPAR_HASH_JOINS_H

#include "rowcount/join_again.h"

/* A pair's hash joins at their prices, in none of the join's lists. */
typedef struct SsdparHashJoins
{
	bool		apart;			/* false: they are left as core has them */
	List	   *paths;
	List	   *partial;
} SsdparHashJoins;

/*
 * Core has joined the two.  Where waiting for memory makes their hash joins
 * dearer by so much that it matters, take them out and have core make the rest
 * anew; from then on it makes none of this pair.  They are to be added when the
 * others have their prices.
 */
extern SsdparHashJoins ssdpar_take_hash_joins(SsdparPair *pair);

#endif							/* SSDPAR_HASH_JOINS_H */
