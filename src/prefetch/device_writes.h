/*
 * device_writes.h
 *		Does anybody wait for the data directory's device to write, whoever
 *		wants it?
 */
#ifndef SSDPAR_DEVICE_WRITES_H
#define SSDPAR_DEVICE_WRITES_H

#include "prefetch/flush_rule.h"

/*
 * Flushes of the device so far, for flush_rule.h.  False if it has no cache to
 * flush, or does not count them.
 */
extern bool ssdpar_device_flushes(SsdparFlushes *flushes);

/* Has it writes outstanding?  False if that is not known. */
extern bool ssdpar_device_writes(void);

#endif							/* SSDPAR_DEVICE_WRITES_H */
