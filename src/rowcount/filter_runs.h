/*
 * filter_runs.h
 *		Prices join filters that run a subquery or another expensive function.
 */
#ifndef SSDPAR_FILTER_RUNS_H
#define SSDPAR_FILTER_RUNS_H

#include "rowcount/join_again.h"

/*
 * To be called when core has joined this pair: adds the missing cost to paths
 * whose filter, according to core, runs less often than rows pass it.
 */
extern void ssdpar_price_filter_runs(const SsdparPair *pair);

#endif							/* SSDPAR_FILTER_RUNS_H */
