/*
 * loop_runs.h
 *		Nested loops that look an index up less often than core has counted on.
 */
#ifndef SSDPAR_LOOP_RUNS_H
#define SSDPAR_LOOP_RUNS_H

#include "rowcount/join_again.h"

/*
 * The inner side's parameterized paths with the prices that they have with this
 * outer side, as a List; NIL if core's are right, or no loop among the join's
 * paths is too cheap by so much that it matters.
 */
extern List *ssdpar_inner_paths_by_runs(const SsdparPair *pair);

/* The scan that is executed for each outer row which Memoize lets pass. */
extern Path *ssdpar_looked_up(const NestPath *loop);

/*
 * Does nothing but the number of its outer rows say how often the loop looks
 * its inner side up, and how many pages that reads?
 */
extern bool ssdpar_is_lookup_loop(const SsdparPair *pair,
								  const NestPath *loop);

/* By how much too cheap something of this cost has to be to matter. */
extern Cost ssdpar_least_excess(Cost cost);

#endif							/* SSDPAR_LOOP_RUNS_H */
