/*
 * ssdsim_protection.h
 *		Readers that yield to writers, like sessions under
 *		ssdpar.write_protection: the same rules (src/prefetch/yield_rule.h,
 *		flush_rule.h) on virtual time.
 */
#ifndef SSDSIM_PROTECTION_H
#define SSDSIM_PROTECTION_H

#include "prefetch/flush_rule.h"
#include "prefetch/yield_rule.h"

#include "ssdsim_machine.h"

typedef struct SsdsimProtection
{
	SsdsimMachine *machine;
	double		least;			/* pages outstanding while others write */
	SsdparYield yield;
	SsdparFlushWait flushes;
	uint64_t	allowed;		/* bytes, as a session tells the daemon; 0:
								 * any number */
	SsdsimCall	alarm;
} SsdsimProtection;

/* Starts to check every millisecond. */
extern void ssdsim_protection_begin(SsdsimProtection *protection,
									SsdsimMachine *machine, double least);

#endif							/* SSDSIM_PROTECTION_H */
