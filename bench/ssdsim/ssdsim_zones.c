/*
 * ssdsim_zones.c
 *		Which zones are blocked.
 *
 * "Abnormally" is a factor of the policy, relative to the usual time of the
 * same kind of request.  Times are per page, because larger requests naturally
 * take longer, and start when the request is sent to the device.
 */
#include "ssdsim_zones.h"

#include <string.h>

#include "ssdsim_events.h"
#include "ssdsim_random.h"

#define WEIGHT 64				/* of the known value against one more answer */
#define PROBE_BYTES 4096

void
ssdsim_zones_init(SsdsimZones *zones, const SsdsimZoneRule *rule,
				  uint64_t capacity)
{
	memset(zones, 0, sizeof(*zones));
	if (rule != NULL)
		zones->rule = *rule;
	zones->length = capacity / SSDSIM_ZONES / PROBE_BYTES * PROBE_BYTES;
	/* a device that is too small for zones has a single one */
	zones->probe_bytes = capacity < PROBE_BYTES ? capacity : PROBE_BYTES;
}

static int
zone_of(const SsdsimZones *zones, uint64_t address)
{
	uint64_t	zone = zones->length == 0 ? 0 : address / zones->length;

	return zone < SSDSIM_ZONES ? (int) zone : SSDSIM_ZONES - 1;
}

bool
ssdsim_zones_blocked(const SsdsimZones *zones, uint64_t address)
{
	return zones->zones[zone_of(zones, address)].blocked;
}

static void
begin_probing(SsdsimZones *zones, SsdsimZone *zone)
{
	zone->blocked = true;
	zone->retry = 0;
	zone->slow = 0;
	zone->to_probe = SSDSIM_PROBES;
	zones->to_probe++;
}

/* A read at a random position of the zone. */
static SsdsimRequest *
make_probe(SsdsimZones *zones, int number)
{
	SsdsimZone *zone = &zones->zones[number];
	SsdsimRequest *probe = &zone->probes[--zone->to_probe];
	uint64_t	pages = zones->length / PROBE_BYTES;

	*probe = (SsdsimRequest)
	{
		.kind = SSDSIM_READ, .bytes = zones->probe_bytes, .probe = true,
			.address = (uint64_t) number * zones->length + PROBE_BYTES *
				ssdsim_random_below(&zones->random, pages > 0 ? pages : 1)
		};
	zone->probing++;
	if (zone->to_probe == 0)
		zones->to_probe--;
	return probe;
}

SsdsimRequest *
ssdsim_zones_probe(SsdsimZones *zones, int64_t now)
{
	if (zones->blocks > 0)
		for (int i = 0; i < SSDSIM_ZONES; i++)
		{
			SsdsimZone *zone = &zones->zones[i];

			if (zone->blocked && zone->retry > 0 && zone->retry <= now)
				begin_probing(zones, zone);
		}
	for (int i = 0; zones->to_probe > 0 && i < SSDSIM_ZONES; i++)
		if (zones->zones[i].to_probe > 0)
			return make_probe(zones, i);
	return NULL;
}

static void
learn_time(double *typical, double took)
{
	*typical = *typical == 0 ? took :
		*typical + (took - *typical) / WEIGHT;
}

/*
 * All probes of a zone are answered, the last one after this time: it collects
 * if most were slow.  Permanently slow times must become usual eventually,
 * because otherwise they would be probed forever.
 */
static void
conclude(SsdsimZones *zones, SsdsimZone *zone, double took, int64_t now)
{
	zone->blocked = 2 * zone->slow > SSDSIM_PROBES;
	if (zone->blocked)
	{
		learn_time(&zones->typical[0], took);
		zones->blocks++;
		zone->retry = now + zones->rule.retry;
	}
}

void
ssdsim_zones_learn(SsdsimZones *zones, const SsdsimRequest *request,
				   int64_t now)
{
	SsdsimZone *zone = &zones->zones[zone_of(zones, request->address)];
	double	   *typical = &zones->typical[request->kind != SSDSIM_READ];
	double		took = (double) (now - request->arrived) /
		(double) ((request->bytes + PROBE_BYTES - 1) / PROBE_BYTES);

	if (request->probe)
	{
		zone->probing--;
		zone->slow += took > zones->rule.slow * *typical;
		if (zone->probing == 0 && zone->to_probe == 0)
			conclude(zones, zone, took, now);
		return;
	}
	if (*typical > 0 && took > zones->rule.suspicious * *typical)
	{
		zones->alarms++;
		if (!zone->blocked)
			begin_probing(zones, zone);
		return;
	}
	learn_time(typical, took);
}

int64_t
ssdsim_zones_wake(const SsdsimZones *zones, int64_t now)
{
	int64_t		wake = SSDSIM_NEVER;

	for (int i = 0; i < SSDSIM_ZONES; i++)
	{
		const SsdsimZone *zone = &zones->zones[i];

		if (zone->blocked && zone->retry > now && zone->retry < wake)
			wake = zone->retry;
	}
	return wake;
}
