/*
 * group_price.h
 *		What grouping by hashing or by sorting takes, in this machine's time.
 */
#ifndef SSDPAR_GROUP_PRICE_H
#define SSDPAR_GROUP_PRICE_H

#include "nodes/pathnodes.h"

/*
 * Core has made all ways to group the rows of input, or to have each once:
 * give them, in workers or above them, their price.  For
 * create_upper_paths_hook at UPPERREL_GROUP_AGG and UPPERREL_DISTINCT, with the
 * extra that it has.
 */
extern void ssdpar_price_groups(PlannerInfo *root, const RelOptInfo *input,
								RelOptInfo *grouped, const void *extra);

#endif							/* SSDPAR_GROUP_PRICE_H */
