/*
 * kept_share.h
 *		Fraction of a fact's rows that several dimensions together keep.
 */
#ifndef SSDPAR_PLAN_KEPT_SHARE_H
#define SSDPAR_PLAN_KEPT_SHARE_H

#include "starscan/plan/candidate.h"

/* Fills the measurements of the fact with these dimensions of the table. */
extern void ssdpar_load_measured_shares(SsdparStarTable *table,
										List *dimensions);

/*
 * Fraction that these dimensions together keep; estimates are those of all.
 * Sets *measured, unless NULL, to those that took part in a measurement used
 * for it.
 */
extern double ssdpar_kept_share(const SsdparStarTable *table,
								const SsdparEstimate *estimates,
								SsdparDimensionSet dimensions,
								SsdparDimensionSet *measured);

#endif							/* SSDPAR_PLAN_KEPT_SHARE_H */
