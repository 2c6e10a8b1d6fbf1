/*
 * json.h
 *		Converts a sweep to the JSON document that
 *		docs/reference/device-profile.md describes.
 */
#ifndef SSDPAR_PROBE_JSON_H
#define SSDPAR_PROBE_JSON_H

#include <time.h>

#include "inside_file.h"

/*
 * Returns a document to free(), or NULL if memory ran out.  The caller passes
 * the time, so that the engine needs no clock except the monotonic one.
 */
extern char *ssdpar_probe_json(const ProbeOptions *options,
							   const ProbeResult *result, time_t measured_at);

/* The same for a device's internal structure. */
extern char *ssdpar_probe_inside_json(const ProbeInsideResult *result,
									  time_t measured_at);

#endif							/* SSDPAR_PROBE_JSON_H */
