/*
 * merge_joins.h
 *		Merge joins of large tables, with their sorts at this machine's price.
 */
#ifndef SSDPAR_MERGE_JOINS_H
#define SSDPAR_MERGE_JOINS_H

#include "rowcount/join_again.h"

/*
 * Core has joined the two, and their hash joins are in its lists or apart.
 * Where it matters what sorting them takes, their merge joins by that, which
 * are apart from then on and are to be added when the others have their prices.
 */
extern SsdparJoins ssdpar_take_merge_joins(SsdparPair *pair,
										   const SsdparJoins *hashed);

#endif							/* SSDPAR_MERGE_JOINS_H */
