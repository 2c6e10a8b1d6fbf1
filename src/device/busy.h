/*
 * busy.h
 *		Divides elapsed time by what was busy: this process or the device.
 *
 * Logic only; busy_clock.c provides the numbers.
 */
#ifndef SSDPAR_BUSY_H
#define SSDPAR_BUSY_H

#include <stdbool.h>

/* Seconds, of one or more processes.  Flat, so that it can be shared. */
typedef struct SsdparBusy
{
	double		processor;		/* computed while the device was idle */
	double		device;			/* waited while the device worked */
	double		both;			/* computed while the device worked */
	double		neither;		/* waited while the device was idle */
	double		waited;			/* if nothing is known of the device */
	bool		blind;			/* is waited used? */
} SsdparBusy;

/*
 * Adds an interval during which this process computed, and the device worked,
 * for these times; a negative device time is unknown.
 *
 * Only the sums are known.  We assume that a process which does not compute
 * while the device works is waiting for it, as scans do, so "both" is a lower
 * bound.
 */
extern void ssdpar_busy_add(SsdparBusy *busy, double elapsed, double computed,
							double device);

/* Adds the times of another process or interval. */
extern void ssdpar_busy_sum(SsdparBusy *total, const SsdparBusy *busy);

#endif							/* SSDPAR_BUSY_H */
