/*
 * busy_clock.h
 *		Looks at what this process and a device have done so far.
 */
#ifndef SSDPAR_BUSY_CLOCK_H
#define SSDPAR_BUSY_CLOCK_H

#include "device/busy.h"

/* A moment, by the clocks of all who may be busy: seconds. */
typedef struct SsdparBusyMoment
{
	double		time;
	double		computed;		/* by this process, with its queueing */
	double		device;			/* worked; below 0: not known */
} SsdparBusyMoment;

/*
 * Time that this process stood in the queue for a processor; 0 where the kernel
 * does not say.
 */
extern double ssdpar_queued_seconds(void);

/* Costs some ten microseconds: for phases, not for pages. */
extern void ssdpar_busy_look(Oid tablespace, SsdparBusyMoment *moment);

/* Add what was done between two moments. */
extern void ssdpar_busy_between(SsdparBusy *busy, const SsdparBusyMoment *from,
								const SsdparBusyMoment *to);

#endif							/* SSDPAR_BUSY_CLOCK_H */
