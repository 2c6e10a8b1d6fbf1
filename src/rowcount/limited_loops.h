/*
 * limited_loops.h
 *		Nested loops that a LIMIT ends before their last row.
 */
#ifndef SSDPAR_LIMITED_LOOPS_H
#define SSDPAR_LIMITED_LOOPS_H

#include "rowcount/join_again.h"

/*
 * Give those loops of the pair that look an index up, and of which a part is
 * expected to be asked for, the price of that part.  What all of it costs stays
 * as it is.
 */
extern void ssdpar_price_limited_loops(const SsdparPair *pair);

#endif							/* SSDPAR_LIMITED_LOOPS_H */
