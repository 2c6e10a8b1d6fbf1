/*
 * ssdsim_ssdpard.h
 *		The prefetch daemon on virtual time: its own scheduler code
 *		(daemon/scheduler.h) with the simulated device.
 *
 * It omits the parts of the daemon that do not affect the order of requests:
 * sockets, descriptors, the ring.
 */
#ifndef SSDSIM_SSDPARD_H
#define SSDSIM_SSDPARD_H

#include "daemon/scheduler.h"

#include "ssdsim_machine.h"

/*
 * Device requests that are held back while the die that they need collects
 * garbage: the best that a daemon could do if it knew each die.
 */
typedef struct SsdsimHeldList
{
	int64_t		longest;		/* longest time for holding one, ns; 0: none */
	struct SsdsimHeld *first;
	uint32_t	count;
	uint64_t	times;			/* how often one was held */
	bool		looking;		/* an alarm is set */
	SsdsimCall	look;
} SsdsimHeldList;

typedef struct SsdsimSsdpard
{
	SsdsimMachine *machine;
	SsdpardScheduler *scheduler;
	int			devices[SSDSIM_MACHINE_DEVICES];	/* the scheduler's
													 * numbers, by ours */
	struct SsdsimDaemonRead *unused;
	uint64_t	outcomes[SSDPARD_OUTCOMES]; /* of ranges */
	uint32_t	deepest;		/* most outstanding reads */
	uint32_t	depth;			/* per device */
	SsdsimHeldList held;		/* back, until their die has collected */
} SsdsimSsdpard;

/* The defaults of ssdpard.conf. */
extern const SsdpardRules ssdsim_ssdpard_usual;

/* DEPTH is each device's saturation depth, as in its profile. */
extern void ssdsim_ssdpard_init(SsdsimSsdpard *daemon,
								SsdsimMachine *machine,
								const SsdpardRules *rules, uint32_t depth);

/*
 * Lets the machine work until nothing is outstanding; no client may be left.
 */
extern void ssdsim_ssdpard_free(SsdsimSsdpard *daemon);

/* A session, and its end, which drops everything that it had queued. */
extern SsdpardClient *ssdsim_ssdpard_connect(SsdsimSsdpard *daemon);
extern void ssdsim_ssdpard_disconnect(SsdsimSsdpard *daemon,
									  SsdpardClient *client);

/* Requests COUNT blocks of a device. */
extern void ssdsim_ssdpard_ask(SsdsimSsdpard *daemon, SsdpardClient *client,
							   SsdpardClass class, uint64_t block,
							   uint64_t count);

#endif							/* SSDSIM_SSDPARD_H */
