/*
 * unique_key.h
 *		Whether no two rows of a relation share a key.
 */
#ifndef SSDPAR_UNIQUE_KEY_H
#define SSDPAR_UNIQUE_KEY_H

#include "nodes/pathnodes.h"

/* The unique index that says so, of one column; NULL if there is none. */
extern IndexOptInfo *ssdpar_unique_key_index(PlannerInfo *root,
											 RelOptInfo *rel, const Var *key,
											 Oid operator);

/*
 * Do such an index, of some or all of these columns (Var), or statistics of one
 * of them say so?
 */
extern bool ssdpar_is_unique_by(PlannerInfo *root, RelOptInfo *rel,
								List *keys);

#endif							/* SSDPAR_UNIQUE_KEY_H */
