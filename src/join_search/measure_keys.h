/*
 * measure_keys.h
 *		Measures the distinct values of what a query level joins by.
 */
#ifndef SSDPAR_MEASURE_KEYS_H
#define SSDPAR_MEASURE_KEYS_H

#include "nodes/pathnodes.h"

/*
 * The joins of these relations have been searched, and measuring is worth so
 * many seconds to the level.  Returns how many of them are left for row counts.
 */
extern double ssdpar_measure_keys(PlannerInfo *root, List *rels,
								  double budget_seconds);

#endif							/* SSDPAR_MEASURE_KEYS_H */
