/*
 * key_range.h
 *		How much of a target is kept by a dimension whose domain is wider.
 */
#ifndef SSDPAR_KEY_RANGE_H
#define SSDPAR_KEY_RANGE_H

#include "nodes/pathnodes.h"

/*
 * Share of target's rows that has one of so many values of key, of the column
 * pair that operator compares, by the range of target's values and the
 * statistics of both.  0 where these say nothing, or key's values lie in that
 * range anyway.
 */
extern double ssdpar_share_in_key_range(PlannerInfo *root, Var *target,
										Var *key, Oid operator, double keys);

#endif							/* SSDPAR_KEY_RANGE_H */
