/*
 * loop_runs.h
 *		Prices nested loops that look up an index less often than core assumes.
 */
#ifndef SSDPAR_LOOP_RUNS_H
#define SSDPAR_LOOP_RUNS_H

#include "rowcount/join_again.h"

/*
 * The inner side's parameterized paths, priced for this outer side.  NIL if
 * core's prices are right, or if they are not wrong enough to matter to any
 * loop among the join's paths.
 */
extern List *ssdpar_inner_paths_by_runs(const SsdparPair *pair);

/*
 * The scan that is executed for each outer row, or each that Memoize has not
 * cached.
 */
extern Path *ssdpar_looked_up(const NestPath *loop);

/*
 * Is the number of outer rows all that determines how often the loop looks up
 * its inner side, and how many pages that reads?
 */
extern bool ssdpar_is_lookup_loop(const SsdparPair *pair,
								  const NestPath *loop);

/* By how much a price of this size has to be wrong to matter. */
extern Cost ssdpar_least_excess(Cost cost);

#endif							/* SSDPAR_LOOP_RUNS_H */
