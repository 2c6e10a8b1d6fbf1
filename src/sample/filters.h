/*
 * filters.h
 *		Conditions of a query, evaluated on sampled rows.
 */
#ifndef SSDPAR_SAMPLE_FILTERS_H
#define SSDPAR_SAMPLE_FILTERS_H

#include "sample/sampler.h"

/* Sets the table's filter, and core's selectivity of what that leaves out. */
extern void ssdpar_sample_prepare_filter(SsdparSampler *sampler,
										 SsdparSampleTable *table);

/* Does the row in the table's slot pass? */
extern bool ssdpar_sample_passes(SsdparSampler *sampler,
								 SsdparSampleTable *table);

/* Clauses of a join, to be asked of joined rows; all can be evaluated. */
extern ExprState *ssdpar_sample_prepare_join(SsdparSampler *sampler,
											 List *clauses);
extern bool ssdpar_sample_joins(SsdparSampler *sampler, ExprState *clauses,
								SsdparSampleRow **members);

#endif							/* SSDPAR_SAMPLE_FILTERS_H */
