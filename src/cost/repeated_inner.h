/*
 * repeated_inner.h
 *		Parallel joins whose inner side each process makes for itself.
 */
#ifndef SSDPAR_REPEATED_INNER_H
#define SSDPAR_REPEATED_INNER_H

#include "nodes/pathnodes.h"

/*
 * Core has joined the two, and nothing refers to the join's partial paths yet:
 * add to the price of those of this pair what their inner sides take longer
 * because all processes make them at once.  To be called once for each call of
 * set_join_pathlist_hook.
 */
extern void ssdpar_price_repeated_inner(RelOptInfo *joinrel,
										const RelOptInfo *outer,
										const RelOptInfo *inner,
										JoinType jointype);

#endif							/* SSDPAR_REPEATED_INNER_H */
