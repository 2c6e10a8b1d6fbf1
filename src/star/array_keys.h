/*
 * array_keys.h
 *		Arrays of keys in a fact's own filter, as dimensions.
 */
#ifndef SSDPAR_ARRAY_KEYS_H
#define SSDPAR_ARRAY_KEYS_H

#include "nodes/pathnodes.h"

/*
 * Of conditions "column = ANY (array)" in fact's filter the dimensions
 * (SsdparDimension) that stand for them, no more than so many: relations of
 * keys, added to the query level for this, which no join knows of.
 */
extern List *ssdpar_array_dimensions(PlannerInfo *root, RelOptInfo *fact,
									 int most);

#endif							/* SSDPAR_ARRAY_KEYS_H */
