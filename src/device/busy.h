/*
 * busy.h
 *		How a stretch of time was spent: by who was busy in it, this process or
 *		the device.
 *
 * Logic alone; where the numbers come from is busy_clock.c's.
 */
#ifndef SSDPAR_BUSY_H
#define SSDPAR_BUSY_H

#include <stdbool.h>

/* Seconds, of one or more processes.  Flat, so that it can be shared. */
typedef struct SsdparBusy
{
	double		processor;		/* computed, while the device had nothing to
								 * do */
	double		device;			/* waited, while the device worked */
	double		both;			/* computed, while the device worked */
	double		neither;		/* waited, and the device had nothing to do */
	double		waited;			/* where nothing is known of the device */
	bool		blind;			/* that was so */
} SsdparBusy;

/*
 * Add a stretch of time, in which this process has computed, and the device
 * worked, for so long; device below 0: not known.
 *
 * Only the sums are known.  Who does not compute while the device works is
 * taken to wait for it, as scans do: so both is the least that it can have
 * been.
 */
extern void ssdpar_busy_add(SsdparBusy *busy, double elapsed, double computed,
							double device);

/* Add what another process, or another time, came to. */
extern void ssdpar_busy_sum(SsdparBusy *total, const SsdparBusy *busy);

#endif							/* SSDPAR_BUSY_H */
