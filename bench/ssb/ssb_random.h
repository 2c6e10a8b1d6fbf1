/*
 * ssb_random.h
 *		Random numbers that depend on where they are used, not on when.
 *
 * Every value of the benchmark's data is drawn as (seed, table, row, draw), so
 * any row can be generated alone and any division of the work into chunks
 * gives the same rows.  There is no state to advance or to share between
 * threads.  The mixing function is the finalizer of SplitMix64 (Steele, Lea
 * and Flood, "Fast splittable pseudorandom number generators", 2014).
 *
 * Not for secrets, and not the reference tool's stream: at the same scale the
 * distributions are the same, but single values are not.
 */
#ifndef SSB_RANDOM_H
#define SSB_RANDOM_H

#include <stdint.h>

#define SSB_GOLDEN UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t
ssb_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* A new independent key derived from another one: for a table, for a row. */
static inline uint64_t
ssb_subkey(uint64_t key, uint64_t which)
{
	return ssb_mix(ssb_mix(key + SSB_GOLDEN) ^ (which * SSB_GOLDEN));
}

/*
 * Draw number 'which' of a row: uniform in 0 .. below - 1.  Taking the high
 * half of a product deviates from uniform by less than below / 2^32, under 0.1
 * % for the longest dimension at scale 100.
 */
static inline uint32_t
ssb_draw(uint64_t key, uint32_t which, uint32_t below)
{
	uint64_t	bits = ssb_mix(key + SSB_GOLDEN * ((uint64_t) which + 1));

	return (uint32_t) (((bits >> 32) * below) >> 32);
}

/*
 * The image of i (0 <= i < n) in the permutation of 0 .. n - 1 that belongs to
 * the key.  n >= 1.
 */
extern uint32_t ssb_permute(uint64_t key, uint32_t n, uint32_t i);

#endif							/* SSB_RANDOM_H */
