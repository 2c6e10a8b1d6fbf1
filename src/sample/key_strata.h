/*
 * key_strata.h
 *		Which rows of a set have their keys looked up in an index.
 */
#ifndef SSDPAR_SAMPLE_KEY_STRATA_H
#define SSDPAR_SAMPLE_KEY_STRATA_H

#include "sample/common_values.h"
#include "sample/index_sample.h"

/* Without common values all rows are the rest. */
typedef struct SsdparKeyStrata
{
	const SsdparKeyOrder *order;
	int			most_rows;		/* whose keys are looked up */
	double		most_pairs;		/* of these with common values */
	SsdparSampleJoiner by_index;
	SsdparCommonValues common;
	double		all;			/* rows that the set's rows stand for */
	double		rest;			/* those of them with other values */
	bool		certain;		/* no row with a common value is missing */
	double		uncounted;		/* pairs of common values left out */
} SsdparKeyStrata;

/* The key of a joined row; false: it is NULL. */
static inline bool
ssdpar_key_of_row(const SsdparKeyOrder *order, const SsdparSampleKey *key,
				  SsdparSampleRow *const *members, SsdparKeyValue *value)
{
	const SsdparSampleRow *row = members[key->outer];

	if (row == NULL || row->nulls[key->outer_column])
		return false;
	value->value = row->values[key->outer_column];
	value->integer = order->type == SSDPAR_NOT_INTEGER ? 0 :
		ssdpar_integer_value(ssdpar_integer_type(key->outer_type),
							 value->value);
	return true;
}

/*
 * Finds the common values, and where the set is a sample of a table gives it
 * all rows of the table that have them.
 */
extern void ssdpar_key_strata_divide(SsdparSampler *sampler,
									 const SsdparSampleJoin *join,
									 SsdparKeyStrata *strata,
									 SsdparIndexSample *sample);

/* Sets the sample's rows. */
extern void ssdpar_key_strata_choose(SsdparSampler *sampler,
									 SsdparKeyStrata *strata,
									 SsdparIndexSample *sample);

/*
 * Sets the weights, when the keys have been looked up.  False: too little is
 * known.
 */
extern bool ssdpar_key_strata_weigh(const SsdparKeyStrata *strata,
									SsdparIndexSample *sample);

#endif							/* SSDPAR_SAMPLE_KEY_STRATA_H */
