/*
 * cause.c
 *		Why a tablespace should be calibrated again.
 *
 * The limits of drift, visits and time are those by which
 * ssdpar.device_summary gives its advice.
 */
#include "postgres.h"

#include "device/device_row.h"
#include "device/profile_drift.h"
#include "probe/probe.h"
#include "recalibrate/cause.h"

/* Reads may take between half and twice of what was predicted. */
#define MOST_DRIFT 2.0

/* A whole calibration has this scratch file and visits each point so often. */
#define WHOLE_FILE PROBE_MAX_FILE
#define WHOLE_VISITS 3

/*
 * Half of what it has for a point, seconds; a quick one has a seventh of a
 * second, and a fifth at most where it got as far as third visits.
 */
#define LEAST_SECONDS 0.25

static const char *const names[] = {
	[SSDPAR_CAUSE_DEVICE] = "another device",
	[SSDPAR_CAUSE_DRIFT] = "drift",
	[SSDPAR_CAUSE_QUICK] = "quick calibration",
};

static const char *const reasons[] = {
	[SSDPAR_CAUSE_DEVICE] = "it lies on another device than was measured",
	[SSDPAR_CAUSE_DRIFT] = "reads did not take what its profile says",
	[SSDPAR_CAUSE_QUICK] = "its profile was measured in a hurry",
};

/*
 * Asked anew, not as planning remembers it: a minute-old answer could have a
 * device calibrated that has just come back.
 */
static bool
identify(const SsdparStoredDevice *device, ProbeDevice *now)
{
	char		directory[MAXPGPATH];
	ProbeError	error;

	ssdpar_tablespace_directory(device->tablespace, directory,
								sizeof(directory));
	return ssdpar_probe_identify(directory, now, &error);
}

static bool
has_drifted(Oid tablespace)
{
	double		drift = ssdpar_drift_of(tablespace);

	return drift > 0.0 && (drift > MOST_DRIFT || drift < 1.0 / MOST_DRIFT);
}

static bool
is_read(const SsdparStoredPoint *point)
{
	return strcmp(point->operation, "read") == 0;
}

/*
 * Told by what is kept of every calibration and not by a mark, so an older or
 * an imported profile is judged by the same rule: there was little time for
 * each point, or, where even that was too little for a slow device, half of the
 * points or more were visited less often than in a whole one.  Of reads, as
 * writes may be an earlier one's (measured_profile.c).
 *
 * A whole one that was short of time is not repeated: the next would be, too.
 * One that was short of room besides shows by its streams.
 */
static bool
is_quick(const SsdparStored *stored, const SsdparStoredDevice *device)
{
	int			points = 0;
	int			hurried = 0;

	if (device->scratch_bytes >= WHOLE_FILE)
		return false;
	for (int i = 0; i < stored->npoints; i++)
	{
		const SsdparStoredPoint *point = &stored->points[i];

		if (point->tablespace != device->tablespace || !is_read(point))
			continue;
		if (strcmp(point->pattern, SSDPAR_STREAMS) == 0)
			return false;
		points++;
		hurried += point->passes < WHOLE_VISITS;
	}
	return points > 0 && (hurried * 2 >= points ||
						  device->seconds < LEAST_SECONDS * points);
}

SsdparCause
ssdpar_cause_of(const SsdparStored *stored, const SsdparStoredDevice *device)
{
	ProbeDevice now;

	if (strcmp(device->identity, SSDPAR_ANY_DEVICE) == 0 ||
		!identify(device, &now))
		return SSDPAR_CAUSE_NONE;
	if (!ssdpar_probe_is_device(&now, device->identity))
		return SSDPAR_CAUSE_DEVICE;
	if (has_drifted(device->tablespace))
		return SSDPAR_CAUSE_DRIFT;
	return is_quick(stored, device) ? SSDPAR_CAUSE_QUICK : SSDPAR_CAUSE_NONE;
}

const char *
ssdpar_cause_name(SsdparCause cause)
{
	return names[cause];
}

const char *
ssdpar_cause_reason(SsdparCause cause)
{
	return reasons[cause];
}
