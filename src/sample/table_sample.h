/*
 * table_sample.h
 *		A sample of one table's rows, or all of them if it is small.
 */
#ifndef SSDPAR_TABLE_SAMPLE_H
#define SSDPAR_TABLE_SAMPLE_H

#include "sample/sampler.h"

/*
 * Read as many pages as this round is worth, those of earlier rounds included.
 * Sets what the table knows of its rows; measured, if that was possible.
 */
extern void ssdpar_sample_table(SsdparSampler *sampler,
								SsdparSampleTable *table);

#endif							/* SSDPAR_TABLE_SAMPLE_H */
