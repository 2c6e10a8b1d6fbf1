/*
 * join_sets.h
 *		Which joins are measured, in which order, from which samples.
 */
#ifndef SSDPAR_SAMPLE_JOIN_SETS_H
#define SSDPAR_SAMPLE_JOIN_SETS_H

#include "sample/sampler.h"

/*
 * Fills the sampler's sets: one table each, if measured, and joins of them
 * until there is none left or the time is up.
 */
extern void ssdpar_sample_sets(SsdparSampler *sampler);

/* Tables of the query level that any clause might join with this one. */
extern int	ssdpar_sample_neighbours(SsdparSampler *sampler,
									 const SsdparSampleTable *table);

#endif							/* SSDPAR_SAMPLE_JOIN_SETS_H */
