/*
 * ssdsim_array.h
 *		One device, or several of a kind as a RAID-0: chunks of the array
 *		alternate between the devices (paper 000, section 8).
 */
#ifndef SSDSIM_ARRAY_H
#define SSDSIM_ARRAY_H

#include "ssdsim_device.h"

typedef struct SsdsimArray SsdsimArray;

/* Like ssdsim_device_new(); the description has the number of devices. */
extern SsdsimArray *ssdsim_array_new(const SsdsimSpec *spec,
									 const SsdsimPolicy *policy,
									 uint64_t seed, SsdsimDone done,
									 void *argument);
extern void ssdsim_array_free(SsdsimArray *array);

/* Like ssdsim_device_foresee(), with the argument of DONE. */
extern void ssdsim_array_foresee(SsdsimArray *array, SsdsimDone foreseen);

/*
 * Writes every page once, in order, taking no time; does nothing with a disk.
 */
extern void ssdsim_array_fill(SsdsimArray *array);

/* Writes the pages of the first BYTES, in order, taking no time. */
extern void ssdsim_array_fill_until(SsdsimArray *array, uint64_t bytes);

/* Overwrites random pages, TIMES as many as the array has, taking no time. */
extern void ssdsim_array_age(SsdsimArray *array, double times);

extern void ssdsim_array_submit(SsdsimArray *array, SsdsimRequest *request,
								int64_t now);
extern int64_t ssdsim_array_next(const SsdsimArray *array);
extern void ssdsim_array_step(SsdsimArray *array);

/* Does the die of an address collect now?  Only for a single device. */
extern bool ssdsim_array_collects(const SsdsimArray *array,
								  uint64_t address);

/* Sums over the devices. */
extern void ssdsim_array_count(const SsdsimArray *array,
							   SsdsimCounts *counts);

#endif							/* SSDSIM_ARRAY_H */
