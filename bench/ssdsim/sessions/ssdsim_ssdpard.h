/*
 * ssdsim_ssdpard.h
 *		The prefetch daemon on virtual time: its own scheduler, the very code
 *		(daemon/scheduler.h), before the simulated device.
 *
 * What it leaves out of the daemon is what has no part in who goes first:
 * sockets, descriptors, the ring.
 */
#ifndef SSDSIM_SSDPARD_H
#define SSDSIM_SSDPARD_H

#include "daemon/scheduler.h"

#include "ssdsim_machine.h"

/*
 * Device requests that are not given to a device while the die that they need
 * collects garbage: what a daemon could do at best that knew of each die.
 */
typedef struct SsdsimHeldList
{
	int64_t		longest;		/* that one is held, ns; 0: none is */
	struct SsdsimHeld *first;
	uint32_t	count;
	uint64_t	times;			/* how often one was */
	bool		looking;		/* an alarm is set */
	SsdsimCall	look;
} SsdsimHeldList;

typedef struct SsdsimSsdpard
{
	SsdsimMachine *machine;
	SsdpardScheduler *scheduler;
	int			devices[SSDSIM_MACHINE_DEVICES];	/* the scheduler's, by
													 * ours */
	struct SsdsimDaemonRead *unused;
	uint64_t	outcomes[SSDPARD_OUTCOMES]; /* of ranges */
	uint32_t	deepest;		/* most reads outstanding */
	uint32_t	depth;			/* of each device */
	SsdsimHeldList held;		/* back, for their die to end collecting */
} SsdsimSsdpard;

/* What ssdpard.conf says when it says nothing. */
extern const SsdpardRules ssdsim_ssdpard_usual;

/* DEPTH is each device's saturation depth, as its profile would have it. */
extern void ssdsim_ssdpard_init(SsdsimSsdpard *daemon,
								SsdsimMachine *machine,
								const SsdpardRules *rules, uint32_t depth);

/* Lets the machine work until nothing is outstanding; no client is left. */
extern void ssdsim_ssdpard_free(SsdsimSsdpard *daemon);

/* A session, and its end, with all that it had queued. */
extern SsdpardClient *ssdsim_ssdpard_connect(SsdsimSsdpard *daemon);
extern void ssdsim_ssdpard_disconnect(SsdsimSsdpard *daemon,
									  SsdpardClient *client);

/* Have COUNT blocks of a device read. */
extern void ssdsim_ssdpard_ask(SsdsimSsdpard *daemon, SsdpardClient *client,
							   SsdpardClass class, uint64_t block,
							   uint64_t count);

#endif							/* SSDSIM_SSDPARD_H */
