/*
 * yield_rule.h
 *		How far read-ahead is reduced while a process waits for a write, and
 *		how it recovers.  Pure arithmetic: no page, no clock, no server.
 *
 * The waits of the other processes are examined, a millisecond or more apart.
 *
 *		a write waits		immediately reduce the limit to the requests that
 *							the device processes concurrently and answers in
 *							the time that a write may lose, and halve it again
 *							for every SSDPAR_YIELD_STALL looks during which the
 *							write-ahead log has not advanced
 *		none waits			keep the limit for SSDPAR_YIELD_HOLD looks, then
 *							double it at each look, and remove it after
 *							SSDPAR_YIELD_STEPS of these
 *
 * At least one page is always allowed, so whatever writers do, a reader
 * continues at least as fast as one without read-ahead.
 *
 * TCP, which sees neither the queue nor its other users, halves when a packet
 * is lost and adds one per round trip.  Here both are known.  Since the
 * profile gives the permitted queue, there is no need to approach it step by
 * step.  A writer that is delayed by the increase is seen at the next look, so
 * the limit is doubled, as TCP does in slow start.  A process that commits one
 * transaction after another is between two waits at many looks, so the limit
 * is held before it is doubled.
 */
#ifndef SSDPAR_YIELD_RULE_H
#define SSDPAR_YIELD_RULE_H

#include <stdbool.h>
#include <stdint.h>

#define SSDPAR_YIELD_HOLD 4
#define SSDPAR_YIELD_STEPS 8
#define SSDPAR_YIELD_STALL 4

/* Maximum number of halvings. */
#define SSDPAR_YIELD_HALVES 6

/*
 * Invariants: calm <= SSDPAR_YIELD_HOLD + SSDPAR_YIELD_STEPS; stalled is 0
 * unless calm is 0.
 */
typedef struct SsdparYield
{
	uint16_t	calm;			/* looks since a write waited, up to
								 * SSDPAR_YIELD_FREE */
	uint16_t	stalled;		/* looks since the log has advanced */
} SsdparYield;

#define SSDPAR_YIELD_FREE (SSDPAR_YIELD_HOLD + SSDPAR_YIELD_STEPS)

static inline bool
ssdpar_yield_is_free(SsdparYield yield)
{
	return yield.calm >= SSDPAR_YIELD_FREE;
}

/*
 * Evaluates a look: does a write wait, and is it for a log that does not
 * advance?
 */
extern SsdparYield ssdpar_yield_step(SsdparYield yield, bool waits,
									 bool stalls);

/*
 * Number that may be outstanding, where least is the number permitted while a
 * write waits and makes progress.  1 or more; UINT32_MAX: no limit.
 */
extern uint32_t ssdpar_yield_allows(SsdparYield yield, double least);

#endif							/* SSDPAR_YIELD_RULE_H */
