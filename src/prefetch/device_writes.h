/*
 * device_writes.h
 *		Does any program wait for the data directory's device to write?
 */
#ifndef SSDPAR_DEVICE_WRITES_H
#define SSDPAR_DEVICE_WRITES_H

#include "prefetch/flush_rule.h"

/*
 * The number of flushes of the device so far, for flush_rule.h.  False if it
 * has no cache to flush or does not count them.
 */
extern bool ssdpar_device_flushes(SsdparFlushes *flushes);

/* Does the device have outstanding writes?  False if unknown. */
extern bool ssdpar_device_writes(void);

#endif							/* SSDPAR_DEVICE_WRITES_H */
