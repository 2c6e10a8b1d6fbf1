/*
 * join_sample.h
 *		A sample of a join, made of the sample of a smaller one.
 */
#ifndef SSDPAR_JOIN_SAMPLE_H
#define SSDPAR_JOIN_SAMPLE_H

#include "sample/join_clauses.h"

/* With a table of which every row is in hand.  NULL: no time. */
extern SsdparSampleJoined *ssdpar_join_in_hand(SsdparSampler *sampler,
											   const SsdparSampleJoined *set,
											   const SsdparSampleJoin *join);

/* With a table that has an index.  NULL: none that can be read, or no time. */
extern SsdparSampleJoined *ssdpar_join_by_index(SsdparSampler *sampler,
												const SsdparSampleJoined *set,
												const SsdparSampleJoin *join);

#endif							/* SSDPAR_JOIN_SAMPLE_H */
