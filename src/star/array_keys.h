/*
 * array_keys.h
 *		Treats arrays of keys in a fact's filter as dimensions.
 */
#ifndef SSDPAR_ARRAY_KEYS_H
#define SSDPAR_ARRAY_KEYS_H

#include "nodes/pathnodes.h"

/*
 * Returns at most this many dimensions (SsdparDimension) that represent
 * conditions "column = ANY (array)" in fact's filter.  Adds a relation to the
 * query level for each of them; core does not join these relations.
 */
extern List *ssdpar_array_dimensions(PlannerInfo *root, RelOptInfo *fact,
									 int most);

#endif							/* SSDPAR_ARRAY_KEYS_H */
