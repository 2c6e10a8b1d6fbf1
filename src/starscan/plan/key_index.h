/*
 * key_index.h
 *		Finds the indexes that lead from a reducer's keys to rows of the
 *		fact.
 */
#ifndef SSDPAR_KEY_INDEX_H
#define SSDPAR_KEY_INDEX_H

#include "nodes/pathnodes.h"

#include "starscan/star_plan.h"

/*
 * Returns the smallest index of rel for access by the keys of this reducer of
 * rel itself, and sets *column to the reducer's column on which it is; NULL if
 * there is none.
 */
extern IndexOptInfo *ssdpar_find_key_index(RelOptInfo *rel,
										   const SsdparReducer *reducer,
										   int *column);

/*
 * The same for another partition of the same fact: on this column of it, with
 * the same properties as alike.
 */
extern IndexOptInfo *ssdpar_find_alike_index(RelOptInfo *rel,
											 AttrNumber column,
											 const IndexOptInfo *alike);

#endif							/* SSDPAR_KEY_INDEX_H */
