/*
 * descriptor_limits.h
 *		Limits on descriptors and sessions.
 */
#ifndef SSDPARD_DESCRIPTOR_LIMITS_H
#define SSDPARD_DESCRIPTOR_LIMITS_H

#include "options.h"

/*
 * Raises RLIMIT_NOFILE to its hard limit and divides it between sessions and
 * files.  Logs one warning if max_sessions does not fit.
 */
extern void ssdpard_divide_descriptors(const SsdpardOptions *options,
									   int *max_sessions, int *max_files);

#endif							/* SSDPARD_DESCRIPTOR_LIMITS_H */
