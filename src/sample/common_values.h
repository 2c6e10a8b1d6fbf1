/*
 * common_values.h
 *		A column's most common values, by its statistics.
 */
#ifndef SSDPAR_SAMPLE_COMMON_VALUES_H
#define SSDPAR_SAMPLE_COMMON_VALUES_H

#include "sample/key_order.h"
#include "sample/sampler.h"

typedef struct SsdparCommonValue
{
	SsdparKeyValue key;
	double		rows;			/* of the table, by the statistics */
	bool		chosen;			/* for the caller */
} SsdparCommonValue;

/* Invariant: values ascends in the order that they were asked for in. */
typedef struct SsdparCommonValues
{
	SsdparKeyOrder order;
	int			nvalues;
	SsdparCommonValue *values;
} SsdparCommonValues;

/*
 * At most so many, of a measured table that the user may read (access.h), in
 * the order of an index on the column; none without statistics.  They live in
 * the current memory context.
 */
extern void ssdpar_common_values(const SsdparSampleTable *table,
								 AttrNumber column,
								 const SsdparKeyOrder *order, int most,
								 SsdparCommonValues *common);

/* NULL: the value is none of them. */
static inline SsdparCommonValue *
ssdpar_find_common_value(const SsdparCommonValues *common,
						 const SsdparKeyValue *key)
{
	int			low = 0;
	int			high = common->nvalues;

	while (low < high)
	{
		int			middle = (low + high) / 2;
		int			comparison =
			ssdpar_compare_key_values(&common->order, key,
									  &common->values[middle].key);

		if (comparison == 0)
			return &common->values[middle];
		if (comparison < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

#endif							/* SSDPAR_SAMPLE_COMMON_VALUES_H */
