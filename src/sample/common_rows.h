/*
 * common_rows.h
 *		The rows of one table that have the most common values of another's
 *		column.
 */
#ifndef SSDPAR_SAMPLE_COMMON_ROWS_H
#define SSDPAR_SAMPLE_COMMON_ROWS_H

#include "sample/common_values.h"
#include "sample/join_clauses.h"

/*
 * Those of table that pass its filter, where key compares its column with the
 * one of target that has these values; by_index is gone if the table is not in
 * hand.  NULL: not all of them can be had.
 */
extern SsdparSampleJoined *
			ssdpar_rows_of_common_values(SsdparSampler *sampler,
										 const SsdparSampleTable *target,
										 const SsdparSampleKey *key,
										 const SsdparCommonValues *common,
										 SsdparSampleTable *table,
										 SsdparSampleJoiner by_index);

#endif							/* SSDPAR_SAMPLE_COMMON_ROWS_H */
