/*
 * lookup_price.h
 *		An index that is looked up by outer rows, priced by how many they are.
 */
#ifndef SSDPAR_LOOKUP_PRICE_H
#define SSDPAR_LOOKUP_PRICE_H

#include "nodes/pathnodes.h"

/*
 * A parameterized scan of a table by one index, whose paths core has made: the
 * same scan, priced as one of so many runs.  NULL if core has priced it as of
 * no more runs, if all of these cannot take least_excess more than core thinks,
 * or if the cost model has not priced the table.
 */
extern Path *ssdpar_price_lookup(PlannerInfo *root, Path *scan, double runs,
								 Cost least_excess);

/* The same scan, and what else that index can be read by: a List of paths. */
extern List *ssdpar_price_lookups(PlannerInfo *root, Path *scan, double runs);

#endif							/* SSDPAR_LOOKUP_PRICE_H */
