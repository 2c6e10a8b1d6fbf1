/*
 * pairs.h
 *		Fetches the rows of a table that an index has named as partners.
 */
#ifndef SSDPAR_SAMPLE_PAIRS_H
#define SSDPAR_SAMPLE_PAIRS_H

#include "storage/itemptr.h"

#include "sample/sampler.h"

/* A row that was looked up and one that the index has for its key. */
typedef struct SsdparSamplePair
{
	int			row;			/* in the index sample */
	ItemPointerData tid;
	SsdparSampleRow *fetched;	/* NULL: it does not pass, or is gone */
} SsdparSamplePair;

/* Sets what was fetched of all pairs; false if the time is up. */
extern bool ssdpar_sample_fetch_pairs(SsdparSampler *sampler,
									  SsdparSampleTable *table,
									  SsdparSamplePair *pairs, int npairs);

#endif							/* SSDPAR_SAMPLE_PAIRS_H */
