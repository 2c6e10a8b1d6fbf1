/*
 * inside_file.h
 *		Probes the internal structure of a directory's device with a scratch
 *		file.
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
 * OPTIONS gives the size of the file and the approximate time; CALLBACKS may
 * be NULL.  Returns false with ERROR set on failure.  Nothing is left behind
 * in either case.
 */
extern bool ssdpar_probe_inside_file(const char *directory,
									 const ProbeOptions *options,
									 const ProbeCallbacks *callbacks,
									 ProbeInsideResult *result,
									 ProbeError *error);

#endif							/* SSDPAR_PROBE_INSIDE_FILE_H */
