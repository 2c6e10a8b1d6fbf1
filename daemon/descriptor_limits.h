/*
 * descriptor_limits.h
 *		How many descriptors and sessions the system allows.
 */
#ifndef SSDPARD_DESCRIPTOR_LIMITS_H
#define SSDPARD_DESCRIPTOR_LIMITS_H

#include "options.h"

/*
 * Divides what RLIMIT_NOFILE allows, raised to its hard limit, between
 * sessions and files.  One warning if max_sessions does not fit.
 */
extern void ssdpard_divide_descriptors(const SsdpardOptions *options,
									   int *max_sessions, int *max_files);

#endif							/* SSDPARD_DESCRIPTOR_LIMITS_H */
