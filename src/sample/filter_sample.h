/*
 * filter_sample.h
 *		The rows of a table that a constant selects, by an index.
 */
#ifndef SSDPAR_FILTER_SAMPLE_H
#define SSDPAR_FILTER_SAMPLE_H

#include "sample/sampler.h"

/* Is this column of rel compared for equality with a constant? */
extern bool ssdpar_filter_column(const RelOptInfo *rel, AttrNumber column);

/*
 * Replaces a table's sample of which few rows pass by rows that an index names,
 * where a filter is column = constant and there is such an index.
 */
extern void ssdpar_sample_by_filter(SsdparSampler *sampler,
									SsdparSampleTable *table);

#endif							/* SSDPAR_FILTER_SAMPLE_H */
