/*
 * measured_profile.h
 *		What the measuring engine found, as a profile that can be kept.
 */
#ifndef SSDPAR_MEASURED_PROFILE_H
#define SSDPAR_MEASURED_PROFILE_H

#include "device/stored_profile.h"
#include "probe/probe.h"

typedef struct SsdparMeasured
{
	ProbeDevice found;
	SsdparStoredDevice device;	/* without the machine's CPU times */
	int			npoints;
	SsdparStoredPoint *points;
} SsdparMeasured;

/* Into the current memory context. */
extern void ssdpar_measured_take(Oid tablespace, const ProbeResult *result,
								 SsdparMeasured *measured);

/*
 * Takes the place of the tablespace's profile when the transaction commits.  If
 * that is of the same device, what was not measured now stays.
 */
extern void ssdpar_measured_store(SsdparMeasured *measured);

#endif							/* SSDPAR_MEASURED_PROFILE_H */
