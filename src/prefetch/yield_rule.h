/*
 * yield_rule.h
 *		How far reads ahead fall back while a process waits for a write, and
 *		how they recover.  Pure arithmetic: no page, no clock, no server.
 *
 * What the other processes wait for is looked at, a millisecond or more apart.
 *
 *		a write waits		at once no more outstanding than the device works on
 *							and answers in the time that a write may lose; and
 *							half of that again for every SSDPAR_YIELD_STALL
 *							looks for which the write-ahead log has not moved
 *		none waits			as before for SSDPAR_YIELD_HOLD looks, then twice
 *							as much with each, and after SSDPAR_YIELD_STEPS of
 *							these any number
 *
 * A page at least is always allowed, so whatever writers do a reader goes on,
 * as fast as one that reads nothing ahead.
 *
 * TCP, which sees neither the queue nor who else is in it, halves when a packet
 * is lost and adds one for each round trip.  Here both are known: the profile
 * says what the queue may be, so there is nothing to feel the way down for; and
 * a writer who is hurt by the way up is seen at the next look, so it doubles,
 * as TCP does at its start.  A process that commits one transaction after
 * another is between two waits in many looks: so it holds before it doubles.
 */
#ifndef SSDPAR_YIELD_RULE_H
#define SSDPAR_YIELD_RULE_H

#include <stdbool.h>
#include <stdint.h>

#define SSDPAR_YIELD_HOLD 4
#define SSDPAR_YIELD_STEPS 8
#define SSDPAR_YIELD_STALL 4

/* Half of it at most so often. */
#define SSDPAR_YIELD_HALVES 6

/*
 * Invariants: calm <= SSDPAR_YIELD_HOLD + SSDPAR_YIELD_STEPS; stalled is 0
 * unless calm is.
 */
typedef struct SsdparYield
{
	uint16_t	calm;			/* looks since a write waited, up to FREE */
	uint16_t	stalled;		/* looks for which the log has not moved */
} SsdparYield;

#define SSDPAR_YIELD_FREE (SSDPAR_YIELD_HOLD + SSDPAR_YIELD_STEPS)

static inline bool
ssdpar_yield_is_free(SsdparYield yield)
{
	return yield.calm >= SSDPAR_YIELD_FREE;
}

/* A look: does a write wait, and for the log, which has not moved? */
extern SsdparYield ssdpar_yield_step(SsdparYield yield, bool waits,
									 bool stalls);

/*
 * What may be outstanding, where least may beside a write that gets on.
 * 1 or more; UINT32_MAX: any number.
 */
extern uint32_t ssdpar_yield_allows(SsdparYield yield, double least);

#endif							/* SSDPAR_YIELD_RULE_H */
