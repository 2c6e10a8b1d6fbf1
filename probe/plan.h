/*
 * plan.h
 *		What a sweep measures, and in which order.  Accesses no file and no
 *		device.
 */
#ifndef SSDPAR_PROBE_PLAN_H
#define SSDPAR_PROBE_PLAN_H

#include "probe.h"

/* 8 to 256 kB, depth 1 to 64, reads, streams, 3 passes, 45 seconds, 1 GB. */
extern void ssdpar_probe_default_options(ProbeOptions *options);

/* Checks ranges, order, and that the file can contain the largest request. */
extern bool ssdpar_probe_check_options(const ProbeOptions *options,
									   ProbeError *error);

/* Checks that the sizes are multiples of the alignment of direct I/O. */
extern bool ssdpar_probe_check_alignment(const ProbeOptions *options,
										 uint32_t alignment,
										 ProbeError *error);

/* Number of points that OPTIONS requests. */
extern int	ssdpar_probe_count_points(const ProbeOptions *options);

/*
 * Writes the points into POINTS (room for ssdpar_probe_count_points), results
 * zero: reads before writes, random before sequential, by size, by depth.
 */
extern void ssdpar_probe_list_points(const ProbeOptions *options,
									 ProbePoint *points);

/* The same for several concurrent sequential reads, by their number. */
extern int	ssdpar_probe_count_streams(const ProbeOptions *options);
extern void ssdpar_probe_list_streams(const ProbeOptions *options,
									  ProbePoint *points);

/*
 * The order in which one pass visits FIRST .. FIRST + COUNT - 1: a shuffle,
 * different in every pass, so that a disturbance of the device or the machine
 * does not affect neighboring points in every pass.
 */
extern void ssdpar_probe_shuffle(int *order, int first, int count,
								 uint64_t seed);

/* splitmix64: the engine's random numbers. */
extern uint64_t ssdpar_probe_random(uint64_t *state);

extern const char *ssdpar_probe_operation_name(ProbeOperation operation);
extern const char *ssdpar_probe_pattern_name(ProbePattern pattern);

#endif							/* SSDPAR_PROBE_PLAN_H */
