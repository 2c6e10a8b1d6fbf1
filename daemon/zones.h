/*
 * zones.h
 *		Which parts of a device seem to collect garbage.
 *
 * After Amphibian's dispatcher (Mao, Wu and Duan, 2018, section III.E): the
 * addresses of a device are divided into zones.  A read that takes many times
 * the usual makes its zone suspect; three reads, of those that are asked for
 * there anyway, tell whether it is slow.  If most of them are, nothing is given
 * to the zone until it is tried again.
 *
 * Pure logic: no queue, no clock (us of any clock that does not go back).
 * What a zone's requests do meanwhile, and for how long at most, is
 * scheduler_policy.c's.
 */
#ifndef SSDPARD_ZONES_H
#define SSDPARD_ZONES_H

#include <stdbool.h>
#include <stdint.h>

#define SSDPARD_MOST_ZONES 256
#define SSDPARD_PROBES 3

#define SSDPARD_NO_ZONE (-1)
#define SSDPARD_NOWHERE UINT64_MAX	/* the address of what lies nobody knows
									 * where */

typedef struct SsdpardZoneRules
{
	uint32_t	count;			/* of zones, SSDPARD_MOST_ZONES at most; 0:
								 * nothing is ever held back */
	uint64_t	bytes;			/* of a zone; what follows the last one is in
								 * the first again */
	uint32_t	slow;			/* times the usual that a read has to take */
	uint64_t	retry;			/* us until a blocked zone is tried again */
	uint64_t	longest;		/* us that a range may be held back */
	bool		spare_only;		/* held back only while there is something
								 * else to give */
} SsdpardZoneRules;

typedef enum SsdpardZoneState
{
	SSDPARD_ZONE_OPEN,
	SSDPARD_ZONE_PROBED,		/* suspect, or tried again */
	SSDPARD_ZONE_BLOCKED,
} SsdpardZoneState;

/*
 * Invariant: to_probe + probing + answered = SSDPARD_PROBES while it is
 * probed, and all are 0 otherwise; slow <= answered.
 */
typedef struct SsdpardZone
{
	SsdpardZoneState state;
	uint8_t		to_probe;		/* reads to be made for it yet */
	uint8_t		probing;		/* made, not answered */
	uint8_t		answered;
	uint8_t		slow;			/* of these */
	uint8_t		blocked;		/* times in succession */
	uint64_t	retry;			/* us, when blocked */
	uint64_t	usual;			/* us times the weight, running; 0: no read
								 * yet */
} SsdpardZone;

/* Invariant: closed counts the zones that are not open. */
typedef struct SsdpardZones
{
	SsdpardZone zones[SSDPARD_MOST_ZONES];
	uint64_t	usual;			/* as a zone's, of all of them */
	uint32_t	reads;			/* that it is from, as far as that matters */
	uint32_t	closed;
} SsdpardZones;

typedef enum SsdpardZoneAnswer
{
	SSDPARD_ZONE_GIVE,
	SSDPARD_ZONE_GIVE_AS_PROBE, /* counted: it is answered, or forgone */
	SSDPARD_ZONE_HOLD,
} SsdpardZoneAnswer;

/* The zone of an address; SSDPARD_NO_ZONE without zones or address. */
extern int	ssdpard_zone_of(const SsdpardZoneRules *rules, uint64_t address);

/* What is to become of a read of this zone. */
extern SsdpardZoneAnswer ssdpard_zones_ask(SsdpardZones *zones, int zone,
										   uint64_t now);

/* A read of this zone took LATENCY us, and was a probe or not. */
extern void ssdpard_zones_learn(SsdpardZones *zones,
								const SsdpardZoneRules *rules, int zone,
								uint32_t latency, bool probe, uint64_t now);

/* A probe that the device was not asked for, or did not answer. */
extern void ssdpard_zones_forgo(SsdpardZones *zones, int zone);

#endif							/* SSDPARD_ZONES_H */
