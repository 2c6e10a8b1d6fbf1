/*
 * scheduler_policy.h
 *		Chooses the next flow of a device and adapts the device's queue
 *		depth.
 */
#ifndef SSDPARD_SCHEDULER_POLICY_H
#define SSDPARD_SCHEDULER_POLICY_H

#include "scheduler_queues.h"

/* Depth of a device without a profile. */
#define SSDPARD_DEFAULT_DEPTH 32

/*
 * Returns the flow to read from, after charging it with the LENGTH of its next
 * device request.  Returns NULL if nothing is queued, or if as much as allowed
 * is outstanding.
 */
extern SsdpardFlow *ssdpard_policy_next(const SsdpardRules *rules,
										SsdpardDevice *device, uint64_t now,
										uint32_t *length);

/*
 * Records that a device read of CLASS took LATENCY us.  If that completes a
 * window, adapts the depth.  CPU_WAIT may be NULL.
 */
extern void ssdpard_policy_measure(SsdpardDevice *device, SsdpardClass class,
								   uint32_t latency, SsdpardCpuWait cpu_wait);

/* Sets the device's limit from rules and profile. */
extern void ssdpard_policy_limit(const SsdpardRules *rules,
								 SsdpardDevice *device);

#endif							/* SSDPARD_SCHEDULER_POLICY_H */
