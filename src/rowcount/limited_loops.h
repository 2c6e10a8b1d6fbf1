/*
 * limited_loops.h
 *		Prices nested loops that a LIMIT ends early.
 */
#ifndef SSDPAR_LIMITED_LOOPS_H
#define SSDPAR_LIMITED_LOOPS_H

#include "rowcount/join_again.h"

/*
 * Prices the pair's loops that look up an index, and of which only a part is
 * expected to be read, so that this part has the right price.  Total costs do
 * not change.
 */
extern void ssdpar_price_limited_loops(const SsdparPair *pair);

#endif							/* SSDPAR_LIMITED_LOOPS_H */
