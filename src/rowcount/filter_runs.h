/*
 * filter_runs.h
 *		Join filters that run a subquery or another dear function.
 */
#ifndef SSDPAR_FILTER_RUNS_H
#define SSDPAR_FILTER_RUNS_H

#include "rowcount/join_again.h"

/*
 * Core has joined the two: of this pair's paths those whose filter it takes to
 * run less often than rows pass it get the price of the rest.
 */
extern void ssdpar_price_filter_runs(const SsdparPair *pair);

#endif							/* SSDPAR_FILTER_RUNS_H */
