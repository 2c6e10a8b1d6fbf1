/*
 * inside_file.h
 *		Probes the inside of the device under a directory, by a scratch file.
 */
#ifndef SSDPAR_PROBE_INSIDE_FILE_H
#define SSDPAR_PROBE_INSIDE_FILE_H

#include "inside.h"

typedef struct ProbeInsideResult
{
	ProbeDevice device;
	ProbeInside inside;
	uint64_t	file_size;
	double		seconds;		/* the whole run */
} ProbeInsideResult;

/*
 * OPTIONS say how large the file is and how long it may take, about; CALLBACKS
 * may be NULL.  False with ERROR set, and nothing is left behind either way.
 */
extern bool ssdpar_probe_inside_file(const char *directory,
									 const ProbeOptions *options,
									 const ProbeCallbacks *callbacks,
									 ProbeInsideResult *result,
									 ProbeError *error);

#endif							/* SSDPAR_PROBE_INSIDE_FILE_H */
