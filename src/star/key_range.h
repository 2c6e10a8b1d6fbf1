/*
 * key_range.h
 *		Estimates how many rows of a target a dimension keeps if its keys
 *		cover a wider range than the target's.
 */
#ifndef SSDPAR_KEY_RANGE_H
#define SSDPAR_KEY_RANGE_H

#include "nodes/pathnodes.h"

/*
 * Returns the share of target's rows whose value is one of keys values of key,
 * which operator compares, from the range of target's values and the
 * statistics of both columns.  Returns 0 if there are no such statistics or if
 * key's values are not wider than that range.
 */
extern double ssdpar_share_in_key_range(PlannerInfo *root, Var *target,
										Var *key, Oid operator, double keys);

#endif							/* SSDPAR_KEY_RANGE_H */
