/*
 * ssdsim_zones.h
 *		Zones of a device's addresses that seem to collect garbage (paper 002,
 *		section III.E).
 *
 * A request that took abnormally long blocks its zone and triggers three reads
 * there.  If these are slow as well, the zone stays blocked, and is tried
 * again after a second.
 */
#ifndef SSDSIM_ZONES_H
#define SSDSIM_ZONES_H

#include "ssdsim_request.h"

#define SSDSIM_ZONES 64
#define SSDSIM_PROBES 3			/* section III.E */

/* Relative to the usual time of the same kind of request. */
typedef struct SsdsimZoneRule
{
	double		suspicious;		/* its zone may be collecting */
	double		slow;			/* a probe that confirms it */
	int64_t		retry;			/* ns until a blocked zone is probed again */
} SsdsimZoneRule;

typedef struct SsdsimZone
{
	bool		blocked;
	int			to_probe;		/* reads to be made */
	int			probing;		/* made, not answered yet */
	int			slow;			/* of the answered ones */
	int64_t		retry;			/* when to try again; 0: being tried */
	SsdsimRequest probes[SSDSIM_PROBES];
} SsdsimZone;

typedef struct SsdsimZones
{
	SsdsimZoneRule rule;
	SsdsimZone	zones[SSDSIM_ZONES];
	uint64_t	length;			/* bytes of each */
	uint64_t	probe_bytes;
	uint64_t	random;
	double		typical[2];		/* moving average of the times of reads and
								 * writes, ns */
	uint64_t	blocks;			/* how often a zone was found to collect */
	uint64_t	alarms;			/* how often one was suspected */
	int			to_probe;		/* zones with reads to be made */
} SsdsimZones;

/* RULE may be NULL if zones are never queried. */
extern void ssdsim_zones_init(SsdsimZones *zones, const SsdsimZoneRule *rule,
							  uint64_t capacity);

/* Are requests for this address to be held back? */
extern bool ssdsim_zones_blocked(const SsdsimZones *zones, uint64_t address);

/* A read by the scheduler itself that is due now, or NULL. */
extern SsdsimRequest *ssdsim_zones_probe(SsdsimZones *zones, int64_t now);

/* A request, of the host or of the scheduler itself, was answered. */
extern void ssdsim_zones_learn(SsdsimZones *zones,
							   const SsdsimRequest *request, int64_t now);

/* When the next zone is to be tried again, later than NOW. */
extern int64_t ssdsim_zones_wake(const SsdsimZones *zones, int64_t now);

#endif							/* SSDSIM_ZONES_H */
