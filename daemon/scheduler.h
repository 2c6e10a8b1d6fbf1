/*
 * scheduler.h
 *		Chooses the next request for each device, among all sessions.
 *
 * Pure logic: no ring, no socket, no clock (the caller passes times, in
 * microseconds of any clock that does not go back).  request.h defines words
 * and types, docs/internals/prefetch.md explains the rules,
 * test/unit/test_scheduler_*.c tests them.
 */
#ifndef SSDPARD_SCHEDULER_H
#define SSDPARD_SCHEDULER_H

#include "request.h"

typedef struct SsdpardScheduler SsdpardScheduler;

/*
 * Returns NULL if there is no memory for max_ranges.  CPU_WAIT may be NULL;
 * then no latency is attributed to a busy machine.
 */
extern SsdpardScheduler *ssdpard_scheduler_create(const SsdpardRules *rules,
												  SsdpardFinished finished,
												  SsdpardCpuWait cpu_wait);

/*
 * Requires that no device request is outstanding and that there are no
 * clients.
 */
extern void ssdpard_scheduler_free(SsdpardScheduler *scheduler);

/* Changes depth and deadlines. */
extern void ssdpard_scheduler_set_rules(SsdpardScheduler *scheduler,
										const SsdpardRules *rules);

/*
 * Adds a client with at most DEPTH outstanding requests per device; 0 means no
 * limit for this client.  OWNER is passed to SsdpardFinished.  Returns NULL if
 * there is no memory.
 */
extern SsdpardClient *ssdpard_scheduler_add_client(SsdpardScheduler *scheduler,
												   uint32_t depth,
												   void *owner);

/*
 * Sets where the client writes how many bytes it may have outstanding on a
 * device, but always one request; 0 there means no limit.  Read for each
 * request that is chosen.
 */
extern void ssdpard_client_heed(SsdpardClient *client,
								const uint64_t *allowed);

/*
 * Drops the ranges that the client has queued, but not the outstanding ones.
 */
extern void ssdpard_scheduler_drop_client(SsdpardScheduler *scheduler,
										  SsdpardClient *client);

/* Number of ranges queued or outstanding. */
extern uint32_t ssdpard_client_ranges(const SsdpardClient *client);

/* Allowed only when ssdpard_client_ranges is 0. */
extern void ssdpard_client_free(SsdpardClient *client);

/*
 * The index of the queue of the device NUMBER (st_dev), created if missing.
 */
extern int	ssdpard_scheduler_device(SsdpardScheduler *scheduler,
									 uint64_t number);
extern int	ssdpard_scheduler_devices(const SsdpardScheduler *scheduler);

/*
 * Sets the saturation depth from the device's profile; the latest one applies.
 */
extern void ssdpard_scheduler_set_profile(SsdpardScheduler *scheduler,
										  int device, uint32_t depth);

/*
 * Returns false if there is no room; the caller counts the range as dropped.
 */
extern bool ssdpard_scheduler_add(SsdpardScheduler *scheduler,
								  SsdpardClient *client,
								  const SsdpardRangeSpec *spec, uint64_t now);

/* Drops the ranges that the client has queued for this stream. */
extern void ssdpard_scheduler_cancel(SsdpardScheduler *scheduler,
									 SsdpardClient *client, uint32_t stream);

/*
 * Returns the next request for this device, or false if there is none or as
 * many as allowed are outstanding.  Each request must be passed to
 * ssdpard_scheduler_done, with the LATENCY of the read in us.
 */
extern bool ssdpard_scheduler_next(SsdpardScheduler *scheduler, int device,
								   uint64_t now,
								   SsdpardDeviceRequest *request);
extern void ssdpard_scheduler_done(SsdpardScheduler *scheduler,
								   const SsdpardDeviceRequest *request,
								   SsdpardResult result, uint32_t latency);

/* The owner of the request's client. */
extern void *ssdpard_request_owner(const SsdpardDeviceRequest *request);

/*
 * Totals: ranges queued or outstanding, outstanding device requests, and the
 * depth currently allowed.
 */
extern uint32_t ssdpard_scheduler_ranges(const SsdpardScheduler *scheduler);
extern uint32_t
			ssdpard_scheduler_outstanding(const SsdpardScheduler *scheduler);
extern uint32_t ssdpard_scheduler_depth(const SsdpardScheduler *scheduler);

#endif							/* SSDPARD_SCHEDULER_H */
