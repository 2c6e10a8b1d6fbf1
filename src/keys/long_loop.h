/*
 * long_loop.h
 *		Loops over millions of keys can be cancelled, as core's of a hash table
 *		are.
 */
#ifndef SSDPAR_LONG_LOOP_H
#define SSDPAR_LONG_LOOP_H

#include "miscadmin.h"

/* In each round, with its number.  What is built then stays unfinished. */
static inline void
ssdpar_heed_interrupts(uint64 round)
{
	if (round % 65536 == 0)
		CHECK_FOR_INTERRUPTS();
}

#endif							/* SSDPAR_LONG_LOOP_H */
