/*
 * scheduler_policy.h
 *		Which flow of a device is next, and how deep the device's queue is.
 */
#ifndef SSDPARD_SCHEDULER_POLICY_H
#define SSDPARD_SCHEDULER_POLICY_H

#include "scheduler_queues.h"

/* Depth of a device without a profile. */
#define SSDPARD_DEFAULT_DEPTH 32

/*
 * The flow to read from, which is charged with the LENGTH of its next device
 * request; NULL if nothing is queued, or as much as allowed is outstanding.
 */
extern SsdpardFlow *ssdpard_policy_next(const SsdpardRules *rules,
										SsdpardDevice *device, uint64_t now,
										uint32_t *length);

/*
 * A device read of CLASS took LATENCY us: adapts the depth if that completes
 * a window.  CPU_WAIT may be NULL.
 */
extern void ssdpard_policy_measure(SsdpardDevice *device, SsdpardClass class,
								   uint32_t latency, SsdpardCpuWait cpu_wait);

/* Sets the device's limit by rules and profile. */
extern void ssdpard_policy_limit(const SsdpardRules *rules,
								 SsdpardDevice *device);

#endif							/* SSDPARD_SCHEDULER_POLICY_H */
