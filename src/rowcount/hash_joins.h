/*
 * hash_joins.h
 *		Hash joins of large tables, priced apart from the other ways to join.
 */
#ifndef SSDPAR_HASH_JOINS_H
#define SSDPAR_HASH_JOINS_H

#include "rowcount/join_again.h"

/*
 * Core has joined the two.  Where waiting for memory makes their hash joins
 * dearer by so much that it matters, these at their prices, which are apart
 * from then on.  What lost against them is to be made again, and they are to be
 * added when the others have their prices.
 */
extern SsdparJoins ssdpar_take_hash_joins(SsdparPair *pair);

#endif							/* SSDPAR_HASH_JOINS_H */
