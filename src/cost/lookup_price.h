/*
 * lookup_price.h
 *		An index that is looked up by outer rows, priced by how many they are.
 */
#ifndef SSDPAR_LOOKUP_PRICE_H
#define SSDPAR_LOOKUP_PRICE_H

#include "nodes/pathnodes.h"

/*
 * A parameterized scan of a table by one index, whose paths core has made: the
 * same scan, priced as one of so many runs, and what else that index can be
 * read by, as a List of paths.  NIL if core has priced it as of no more runs,
 * or the cost model has not priced the table.
 */
extern List *ssdpar_price_lookups(PlannerInfo *root, Path *scan, double runs);

#endif							/* SSDPAR_LOOKUP_PRICE_H */
