/*
 * lookup_price.h
 *		Prices index lookups by outer rows for the actual number of these.
 */
#ifndef SSDPAR_LOOKUP_PRICE_H
#define SSDPAR_LOOKUP_PRICE_H

#include "nodes/pathnodes.h"

/*
 * Reprices a parameterized scan of a table by one index, whose paths core has
 * made, as one of this number of runs.  NULL if core assumed no more runs, if
 * all of the runs cannot exceed core's price by least_excess, or if the cost
 * model has not priced the table.
 */
extern Path *ssdpar_price_lookup(PlannerInfo *root, Path *scan, double runs,
								 Cost least_excess);

/* The same scan, and other ways to read that index: a List of paths. */
extern List *ssdpar_price_lookups(PlannerInfo *root, Path *scan, double runs);

#endif							/* SSDPAR_LOOKUP_PRICE_H */
