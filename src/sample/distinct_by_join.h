/*
 * distinct_by_join.h
 *		What looking up a sample of keys says of how many there are.
 */
#ifndef SSDPAR_DISTINCT_BY_JOIN_H
#define SSDPAR_DISTINCT_BY_JOIN_H

#include "sample/index_sample.h"

/*
 * A sample of a join has looked up keys of the set in an index of the table
 * that is added: if the keys are different ones, how many there are in the
 * column is noted in the sampler's distinct, a SsdparDistinctColumn.
 */
extern void ssdpar_distinct_by_join(SsdparSampler *sampler,
									const SsdparSampleJoined *set,
									const SsdparSampleJoin *join,
									const SsdparIndexSample *sample);

/*
 * Does no key come twice in the whole of a set of one table?  So says a unique
 * index, or the set if it is whole.
 */
extern bool ssdpar_has_unique_keys(const SsdparSampler *sampler,
								   const SsdparSampleJoined *set,
								   const SsdparIndexSample *sample);

#endif							/* SSDPAR_DISTINCT_BY_JOIN_H */
