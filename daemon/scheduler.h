/*
 * scheduler.h
 *		Which request of which session goes to the device next.
 *
 * Pure logic: no ring, no socket, no clock (times are handed in, in
 * microseconds of any clock that does not go back).  request.h has the words
 * and types, docs/internals/daemon.md the rules, test/unit/test_scheduler_*.c
 * the tests.
 */
#ifndef SSDPARD_SCHEDULER_H
#define SSDPARD_SCHEDULER_H

#include "request.h"

typedef struct SsdpardScheduler SsdpardScheduler;

/*
 * NULL if there is no memory for max_ranges.  CPU_WAIT may be NULL: then no
 * latency is put down to a busy machine.
 */
extern SsdpardScheduler *ssdpard_scheduler_create(const SsdpardRules *rules,
												  SsdpardFinished finished,
												  SsdpardCpuWait cpu_wait);

/* No device request may be outstanding and no client left. */
extern void ssdpard_scheduler_free(SsdpardScheduler *scheduler);

/* Takes over depth and deadlines. */
extern void ssdpard_scheduler_set_rules(SsdpardScheduler *scheduler,
										const SsdpardRules *rules);

/*
 * A client with at most DEPTH requests outstanding on one device, 0: no limit
 * of its own.  OWNER is handed to SsdpardFinished.  NULL if there is no
 * memory.
 */
extern SsdpardClient *ssdpard_scheduler_add_client(SsdpardScheduler *scheduler,
												   uint32_t depth,
												   void *owner);

/*
 * Where the client says how many bytes it may have outstanding on a device, one
 * request always; 0 there: any number.  Read whenever a request is chosen.
 */
extern void ssdpard_client_heed(SsdpardClient *client,
								const uint64_t *allowed);

/* Drops what the client has queued; what is outstanding stays. */
extern void ssdpard_scheduler_drop_client(SsdpardScheduler *scheduler,
										  SsdpardClient *client);

/* Ranges queued or outstanding. */
extern uint32_t ssdpard_client_ranges(const SsdpardClient *client);

/* Only when ssdpard_client_ranges is 0. */
extern void ssdpard_client_free(SsdpardClient *client);

/* The queue of the device with this number (st_dev), made when missing. */
extern int	ssdpard_scheduler_device(SsdpardScheduler *scheduler,
									 uint64_t number);
extern int	ssdpard_scheduler_devices(const SsdpardScheduler *scheduler);

/* Saturation depth by its profile; the latest one counts. */
extern void ssdpard_scheduler_set_profile(SsdpardScheduler *scheduler,
										  int device, uint32_t depth);

/* False if there is no room: the caller counts the range as dropped. */
extern bool ssdpard_scheduler_add(SsdpardScheduler *scheduler,
								  SsdpardClient *client,
								  const SsdpardRangeSpec *spec, uint64_t now);

/* Drops what the client has queued for this stream. */
extern void ssdpard_scheduler_cancel(SsdpardScheduler *scheduler,
									 SsdpardClient *client, uint32_t stream);

/*
 * The request to give to this device next; false if there is none, or as many
 * as allowed are outstanding.  Each one is given back to
 * ssdpard_scheduler_done, with the LATENCY of the read in us.
 */
extern bool ssdpard_scheduler_next(SsdpardScheduler *scheduler, int device,
								   uint64_t now,
								   SsdpardDeviceRequest *request);
extern void ssdpard_scheduler_done(SsdpardScheduler *scheduler,
								   const SsdpardDeviceRequest *request,
								   SsdpardResult result, uint32_t latency);

/* The owner of the client whose request it is. */
extern void *ssdpard_request_owner(const SsdpardDeviceRequest *request);

/*
 * In sum: ranges queued or outstanding, device requests outstanding, and the
 * depth allowed now.
 */
extern uint32_t ssdpard_scheduler_ranges(const SsdpardScheduler *scheduler);
extern uint32_t
			ssdpard_scheduler_outstanding(const SsdpardScheduler *scheduler);
extern uint32_t ssdpard_scheduler_depth(const SsdpardScheduler *scheduler);

#endif							/* SSDPARD_SCHEDULER_H */
