/*
 * part_price.h
 *		How a partition of a fact is scanned, and what that costs.
 */
#ifndef SSDPAR_PLAN_PART_PRICE_H
#define SSDPAR_PLAN_PART_PRICE_H

#include "starscan/plan/candidate.h"
#include "starscan/plan/leaves.h"

/* What was chosen for all partitions, by the largest that can be scanned. */
typedef struct SsdparPartChoice
{
	SsdparStarTable largest;
	int			bounded[SSDPAR_MAX_REDUCERS];	/* leaves with ranges of the
												 * dimension's column */
	const SsdparCandidate *best;
	const SsdparCandidate *bitmap;	/* NULL: none by bitmap */
	bool		sequential;		/* may partitions be read so? */
	List	   *priced;			/* PricedPart: one of each kind */
} SsdparPartChoice;

/* One partition's.  The estimates are those of the first of its kind. */
typedef struct SsdparPartScan
{
	SsdparCandidate candidate;
	double		pages;			/* read, or 0 of a partition without keys:
								 * what is expected */
} SsdparPartScan;

/* False: there is no star scan of the leaf. */
extern bool ssdpar_price_part(SsdparPartChoice *choice, SsdparLeaf *leaf,
							  SsdparPartScan *scan);

#endif							/* SSDPAR_PLAN_PART_PRICE_H */
