/*
 * zones.c
 *		Which parts of a device seem to collect garbage.
 *
 * The usual time of a read is kept for the device and for each zone, which may
 * be slower by nature; slow is what takes many times both.  What is slow is
 * kept out of the usual.
 */
#include "zones.h"

#include <assert.h>

/* What is known against one read more, in the running means. */
#define WEIGHT 64

/*
 * Where so many zones are slow the device is, or the daemon itself, which
 * looked late: there is nothing better to read meanwhile.
 */
#define MOST_CLOSED_SHARE 2

/*
 * Times in succession that a zone was found slow, until that is its usual (a
 * volume that lies on several devices, one of them changed).
 */
#define CHANGED 16

int
ssdpard_zone_of(const SsdpardZoneRules *rules, uint64_t address)
{
	if (rules->count == 0 || address == SSDPARD_NOWHERE)
		return SSDPARD_NO_ZONE;
	return (int) (address / rules->bytes % rules->count);
}

static void
check_zone(const SsdpardZone *zone)
{
	assert(zone->to_probe + zone->probing + zone->answered ==
		   (zone->state == SSDPARD_ZONE_PROBED ? SSDPARD_PROBES : 0));
	assert(zone->slow <= zone->answered);
}

static void
set_state(SsdpardZones *zones, SsdpardZone *zone, SsdpardZoneState state)
{
	zones->closed -= zone->state != SSDPARD_ZONE_OPEN;
	zones->closed += state != SSDPARD_ZONE_OPEN;
	zone->state = state;
	zone->to_probe = state == SSDPARD_ZONE_PROBED ? SSDPARD_PROBES : 0;
	zone->probing = zone->answered = zone->slow = 0;
	check_zone(zone);
}

SsdpardZoneAnswer
ssdpard_zones_ask(SsdpardZones *zones, int number, uint64_t now)
{
	SsdpardZone *zone = &zones->zones[number];

	if (zone->state == SSDPARD_ZONE_OPEN)
		return SSDPARD_ZONE_GIVE;
	if (zone->state == SSDPARD_ZONE_BLOCKED && zone->retry <= now)
		set_state(zones, zone, SSDPARD_ZONE_PROBED);
	if (zone->to_probe == 0)
		return SSDPARD_ZONE_HOLD;
	zone->to_probe--;
	zone->probing++;
	check_zone(zone);
	return SSDPARD_ZONE_GIVE_AS_PROBE;
}

static void
follow(uint64_t *usual, uint32_t latency)
{
	*usual = *usual == 0 ? (uint64_t) latency * WEIGHT :
		*usual - *usual / WEIGHT + latency;
}

/* Against the larger of both, so that a zone may be slower by nature. */
static bool
is_slow(const SsdpardZones *zones, const SsdpardZoneRules *rules,
		const SsdpardZone *zone, uint32_t latency)
{
	uint64_t	usual = zone->usual > zones->usual ? zone->usual
		: zones->usual;

	return zones->reads >= WEIGHT &&
		(uint64_t) latency * WEIGHT > usual * rules->slow;
}

/* All probes are answered: it collects if most were slow. */
static void
conclude(SsdpardZones *zones, const SsdpardZoneRules *rules,
		 SsdpardZone *zone, uint32_t latency, uint64_t now)
{
	bool		blocked = 2 * zone->slow > SSDPARD_PROBES;

	if (blocked && ++zone->blocked == CHANGED)
	{
		zone->usual = (uint64_t) latency * WEIGHT;
		blocked = false;
	}
	if (!blocked)
		zone->blocked = 0;
	zone->retry = now + rules->retry;
	set_state(zones, zone, blocked ? SSDPARD_ZONE_BLOCKED :
			  SSDPARD_ZONE_OPEN);
}

void
ssdpard_zones_learn(SsdpardZones *zones, const SsdpardZoneRules *rules,
					int number, uint32_t latency, bool probe, uint64_t now)
{
	SsdpardZone *zone = &zones->zones[number];
	bool		slow = is_slow(zones, rules, zone, latency);

	if (!slow)
	{
		follow(&zones->usual, latency);
		follow(&zone->usual, latency);
		zones->reads += zones->reads < WEIGHT;
	}
	if (probe)
	{
		assert(zone->probing > 0);
		zone->probing--;
		zone->answered++;
		zone->slow += slow;
		check_zone(zone);
		if (zone->answered == SSDPARD_PROBES)
			conclude(zones, rules, zone, latency, now);
	}
	else if (slow && zone->state == SSDPARD_ZONE_OPEN &&
			 zones->closed < rules->count / MOST_CLOSED_SHARE)
		set_state(zones, zone, SSDPARD_ZONE_PROBED);
}

void
ssdpard_zones_forgo(SsdpardZones *zones, int number)
{
	SsdpardZone *zone = &zones->zones[number];

	assert(zone->probing > 0);
	zone->probing--;
	zone->to_probe++;
	check_zone(zone);
}
