/*
 * yield_rule.c
 *		How far read-ahead is reduced while a process waits for a write, and
 *		how it recovers.
 */
#include "prefetch/yield_rule.h"

#include <assert.h>

SsdparYield
ssdpar_yield_step(SsdparYield yield, bool waits, bool stalls)
{
	const uint16_t most = SSDPAR_YIELD_HALVES * SSDPAR_YIELD_STALL;
	SsdparYield next = {0};

	if (waits && stalls)
		next.stalled = yield.stalled < most ? yield.stalled + 1 : most;
	else if (!waits)
		next.calm = ssdpar_yield_is_free(yield) ? SSDPAR_YIELD_FREE
			: yield.calm + 1;
	assert(next.calm <= SSDPAR_YIELD_FREE);
	assert(next.stalled == 0 || next.calm == 0);
	return next;
}

uint32_t
ssdpar_yield_allows(SsdparYield yield, double least)
{
	int			doubles = yield.calm - SSDPAR_YIELD_HOLD;
	int			halves = yield.stalled / SSDPAR_YIELD_STALL;
	double		allowed = least / (1 << halves);

	if (ssdpar_yield_is_free(yield))
		return UINT32_MAX;
	if (allowed < 1)
		allowed = 1;
	if (doubles > 0)
		allowed *= 1 << doubles;
	return allowed < UINT32_MAX ? (uint32_t) allowed : UINT32_MAX;
}
