/*
 * ssb_random.c
 *		A keyed permutation of any length that needs no array.
 *
 * A Feistel network permutes the next power of four; values outside 0 .. n - 1
 * are permuted again until they are inside ("cycle walking", Black and
 * Rogaway, 2002).  The domain is less than 4n, so this takes fewer than four
 * rounds on average.
 */
#include "ssb_random.h"

#include <assert.h>

#define FEISTEL_ROUNDS 6

/* The fewest bits of half a block such that two halves can count to n. */
static uint32_t
half_bits(uint32_t n)
{
	uint32_t	bits = 1;

	while ((UINT64_C(1) << (2 * bits)) < n)
		bits++;
	return bits;
}

static uint32_t
permute_block(uint64_t key, uint32_t bits, uint32_t x)
{
	uint32_t	mask = (UINT32_C(1) << bits) - 1;
	uint32_t	left = x >> bits;
	uint32_t	right = x & mask;

	for (uint32_t round = 0; round < FEISTEL_ROUNDS; round++)
	{
		uint64_t	word = ((uint64_t) round << 32) | right;
		uint32_t	next = left ^ ((uint32_t) ssb_subkey(key, word) & mask);

		left = right;
		right = next;
	}
	return (left << bits) | right;
}

uint32_t
ssb_permute(uint64_t key, uint32_t n, uint32_t i)
{
	uint32_t	bits;

	assert(i < n);
	bits = half_bits(n);
	do
		i = permute_block(key, bits, i);
	while (i >= n);
	return i;
}
