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

#endif							/* SSDPAR_LOOP_RUNS_H */
