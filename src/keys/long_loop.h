/*
 * long_loop.h
 *		Makes loops over millions of keys cancelable, as core's loops over
 *		hash tables are.
 */
#ifndef SSDPAR_LONG_LOOP_H
#define SSDPAR_LONG_LOOP_H

#include "miscadmin.h"

/*
 * Called in each iteration with its number.  Canceling leaves the current
 * result incomplete.
 */
static inline void
ssdpar_heed_interrupts(uint64 round)
{
	if (round % 65536 == 0)
		CHECK_FOR_INTERRUPTS();
}

#endif							/* SSDPAR_LONG_LOOP_H */
