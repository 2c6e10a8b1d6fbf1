/*
 * parallel_joins.h
 *		What parallel joins take longer than core has them.
 */
#ifndef SSDPAR_PARALLEL_JOINS_H
#define SSDPAR_PARALLEL_JOINS_H

#include "nodes/pathnodes.h"

/*
 * Core has joined the two, and nothing refers to the join's partial paths yet:
 * add to the price of those of this pair what they take longer because all
 * processes make their inner sides at once, and because others compute as well.
 * To be called once for each call of set_join_pathlist_hook.
 */
extern void ssdpar_price_parallel_joins(PlannerInfo *root,
										RelOptInfo *joinrel,
										const RelOptInfo *outer,
										const RelOptInfo *inner,
										JoinType jointype);

#endif							/* SSDPAR_PARALLEL_JOINS_H */
