/*
 * loop_price.h
 *		Nested loops over an inner side without parameters, priced by what
 *		rows are to be expected rather than by what is estimated.
 */
#ifndef SSDPAR_LOOP_PRICE_H
#define SSDPAR_LOOP_PRICE_H

#include "nodes/pathnodes.h"

/* What is kept while a statement is planned; the owner's. */
typedef struct SsdparLoopPrices
{
	bool		planned;		/* is there a statement? */
	struct kept_hash *joins;	/* NULL: none yet */
} SsdparLoopPrices;

/*
 * Core has made the paths that join these two: price the nested loops among
 * them, and make anew what lost against them before they were priced.  Only of
 * statements that the cost model prices.
 */
extern void ssdpar_price_loops(PlannerInfo *root, RelOptInfo *joinrel,
							   RelOptInfo *outerrel, RelOptInfo *innerrel,
							   JoinType jointype, JoinPathExtraData *extra);

/*
 * All paths of the pair are there: keep copies for the pair that comes next, as
 * what core makes of that may cost more than it thinks and free them.
 */
extern void ssdpar_keep_joins(PlannerInfo *root, RelOptInfo *joinrel);

/*
 * Planning a statement begins: no join of it has been made.  Returns what is
 * kept of the outer one's, to be given back at the end, also after an error.
 */
extern SsdparLoopPrices ssdpar_loop_prices_begin(void);
extern void ssdpar_loop_prices_end(const SsdparLoopPrices *outer);

#endif							/* SSDPAR_LOOP_PRICE_H */
