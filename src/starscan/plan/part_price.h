/*
 * part_price.h
 *		Determines how a partition of a fact is scanned and what that costs.
 */
#ifndef SSDPAR_PLAN_PART_PRICE_H
#define SSDPAR_PLAN_PART_PRICE_H

#include "starscan/plan/candidate.h"
#include "starscan/plan/leaves.h"

/* The choice for all partitions, made for the largest that can be scanned. */
typedef struct SsdparPartChoice
{
	SsdparStarTable largest;
	int			bounded[SSDPAR_MAX_REDUCERS];	/* number of leaves with
												 * ranges of the dimension's
												 * column */
	const SsdparCandidate *best;
	const SsdparCandidate *bitmap;	/* NULL: no bitmap candidate */
	bool		sequential;		/* may partitions be read sequentially? */
	List	   *priced;			/* PricedParts: one of each kind */
} SsdparPartChoice;

/*
 * The scan of one partition.  The estimates are those of the first of its
 * kind.
 */
typedef struct SsdparPartScan
{
	SsdparCandidate candidate;
	double		pages;			/* expected pages read, considering that the
								 * partition may have no keys */
} SsdparPartScan;

/* Returns false if there is no star scan of the leaf. */
extern bool ssdpar_price_part(SsdparPartChoice *choice, SsdparLeaf *leaf,
							  SsdparPartScan *scan);

#endif							/* SSDPAR_PLAN_PART_PRICE_H */
