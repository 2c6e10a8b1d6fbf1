/*
 * ssdsim_protection.c
 *		Readers that yield to writers.
 *
 * Like src/prefetch/yield.c, except that it checks regularly even without
 * reads.  A stalled log is not modeled.
 */
#include "ssdsim_protection.h"

#define LOOK 1000000			/* ns */

static void
look(void *whom)
{
	SsdsimProtection *protection = whom;
	SsdsimMachine *machine = protection->machine;
	uint64_t	now = (uint64_t) machine->now / 1000;
	SsdparFlushes flushes = {
		.count = machine->flushes,
		.milliseconds = (uint64_t) machine->flush_time / 1000000,
	};
	bool		waits;

	protection->flushes = ssdpar_flush_step(protection->flushes, flushes, now);
	waits = machine->writers > 0 ||
		ssdpar_flush_waits(protection->flushes, now);
	protection->yield = ssdpar_yield_step(protection->yield, waits, false);
	protection->allowed = ssdpar_yield_is_free(protection->yield) ? 0 :
		(uint64_t) ssdpar_yield_allows(protection->yield, protection->least) *
		SSDSIM_BLOCK;
	ssdsim_machine_after(machine, LOOK, &protection->alarm);
}

void
ssdsim_protection_begin(SsdsimProtection *protection, SsdsimMachine *machine,
						double least)
{
	*protection = (SsdsimProtection)
	{
		.machine = machine, .least = least,
			.yield =
		{
			.calm = SSDPAR_YIELD_FREE
		},
			.alarm =
		{
			.call = look, .whom = protection
		}
	};
	ssdsim_machine_after(machine, LOOK, &protection->alarm);
}
