/*
 * loop_price.h
 *		Prices nested loops over an unparameterized inner side by the expected
 *		rather than by the estimated number of rows.
 */
#ifndef SSDPAR_LOOP_PRICE_H
#define SSDPAR_LOOP_PRICE_H

#include "nodes/pathnodes.h"

/* State kept while a statement is planned; private to loop_price.c. */
typedef struct SsdparLoopPrices
{
	bool		planned;		/* is there a statement? */
	struct kept_hash *joins;	/* NULL: none yet */
} SsdparLoopPrices;

/*
 * To be called when core has made the paths that join these two: reprices
 * nested loops among them, and rebuilds the paths that lost against them
 * before. Does nothing unless the cost model prices the statement.
 */
extern void ssdpar_price_loops(PlannerInfo *root, RelOptInfo *joinrel,
							   RelOptInfo *outerrel, RelOptInfo *innerrel,
							   JoinType jointype, JoinPathExtraData *extra);

/*
 * To be called when the pair is complete: keeps copies of its paths for the
 * next pair, because core's paths for that may be too cheap and displace them.
 */
extern void ssdpar_keep_joins(PlannerInfo *root, RelOptInfo *joinrel);

/*
 * To be called when planning of a statement, possibly nested, begins and ends,
 * even by an error.  begin() returns the outer state, which end() restores.
 */
extern SsdparLoopPrices ssdpar_loop_prices_begin(void);
extern void ssdpar_loop_prices_end(const SsdparLoopPrices *outer);

#endif							/* SSDPAR_LOOP_PRICE_H */
