/*
 * join_pairs.h
 *		Rows of a sample with rows of a table that have their keys in its index.
 */
#ifndef SSDPAR_JOIN_PAIRS_H
#define SSDPAR_JOIN_PAIRS_H

#include "sample/index_sample.h"
#include "sample/joined.h"

typedef struct SsdparPair
{
	int			row;			/* in the index sample */
	ItemPointerData tid;
	SsdparSampleRow *fetched;	/* NULL: it does not pass, or is gone */
} SsdparPair;

/* So many of a row's pairs, chosen at random, into room for them. */
extern void ssdpar_choose_pairs(SsdparSampler *sampler,
								SsdparIndexSample *sample, int row, int n,
								SsdparPair *pairs);

/* False if the time is up. */
extern bool ssdpar_fetch_pairs(SsdparSampler *sampler, SsdparSampleTable *table,
							   SsdparPair *pairs, int npairs);

/* Was it fetched, and are its two rows joined? */
extern bool ssdpar_is_pair_joined(SsdparJoinedBuilder *builder,
								  const SsdparSampleJoin *join,
								  SsdparSampleRow *const *members,
								  const SsdparPair *pair);

#endif							/* SSDPAR_JOIN_PAIRS_H */
