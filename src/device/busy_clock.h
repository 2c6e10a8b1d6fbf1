/*
 * busy_clock.h
 *		Reads how long this process and a device have worked so far.
 */
#ifndef SSDPAR_BUSY_CLOCK_H
#define SSDPAR_BUSY_CLOCK_H

#include "device/busy.h"

/* The clocks at one moment, in seconds. */
typedef struct SsdparBusyMoment
{
	double		time;
	double		computed;		/* by this process, including its queueing */
	double		device;			/* has worked; negative: unknown */
} SsdparBusyMoment;

/* Time that this process has queued for a processor; 0 if unknown. */
extern double ssdpar_queued_seconds(void);

/* Reads files of the kernel, so use it for phases, not for pages. */
extern void ssdpar_busy_look(Oid tablespace, SsdparBusyMoment *moment);

/* Adds the time between two moments. */
extern void ssdpar_busy_between(SsdparBusy *busy, const SsdparBusyMoment *from,
								const SsdparBusyMoment *to);

#endif							/* SSDPAR_BUSY_CLOCK_H */
