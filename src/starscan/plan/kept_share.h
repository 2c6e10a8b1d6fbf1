/*
 * kept_share.h
 *		The share of a fact's rows that several dimensions keep together.
 */
#ifndef SSDPAR_PLAN_KEPT_SHARE_H
#define SSDPAR_PLAN_KEPT_SHARE_H

#include "starscan/plan/candidate.h"

/* Fill what was measured of the fact with these dimensions of the table. */
extern void ssdpar_load_measured_shares(SsdparStarTable *table,
										List *dimensions);

/*
 * The share that these of the dimensions keep together; estimates are of all.
 * Those that took part in a measurement that it rests on in *measured, unless
 * that is NULL.
 */
extern double ssdpar_kept_share(const SsdparStarTable *table,
								const SsdparEstimate *estimates,
								SsdparDimensionSet dimensions,
								SsdparDimensionSet *measured);

#endif							/* SSDPAR_PLAN_KEPT_SHARE_H */
