/*
 * ssdsim_random.h
 *		Repeatable random numbers: splitmix64, whose state is one number.
 */
#ifndef SSDSIM_RANDOM_H
#define SSDSIM_RANDOM_H

#include <stdint.h>

static inline uint64_t
ssdsim_random(uint64_t *state)
{
	uint64_t	value = *state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
	return value ^ (value >> 31);
}

/* Uniform from 0 to LIMIT - 1; LIMIT is at least 1. */
static inline uint64_t
ssdsim_random_below(uint64_t *state, uint64_t limit)
{
	return (uint64_t) (((unsigned __int128) ssdsim_random(state) * limit) >>
					   64);
}

#endif							/* SSDSIM_RANDOM_H */
