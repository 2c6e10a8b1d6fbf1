/*
 * key_set.h
 *		A set of 64-bit key codes, built once and then tested for each row.
 *
 * It is small and contains no pointers, so it can be placed in shared memory.
 * Depending on the number of codes, their density and the allowed memory, it
 * is a bit map over their range, a hash table, or a Bloom filter, which can
 * have false positives.
 */
#ifndef SSDPAR_KEY_SET_H
#define SSDPAR_KEY_SET_H

#include "c.h"

/*
 * Collects codes, including duplicates, within max_bytes (half for the codes,
 * half for a Bloom filter), in the current memory context.  If the distinct
 * codes do not fit, they become a Bloom filter, so adding never fails.
 */
typedef struct SsdparKeyBuilder SsdparKeyBuilder;

extern SsdparKeyBuilder *ssdpar_key_builder(Size max_bytes);
extern void ssdpar_key_builder_add(SsdparKeyBuilder *builder, uint64 code);

/*
 * Returns the distinct codes, ascending as signed 64-bit integers, and their
 * number; NULL if they were too many to keep.  They are valid until the
 * builder is freed.  No codes can be added after this.
 */
extern const int64 *ssdpar_key_builder_sorted(SsdparKeyBuilder *builder,
											  uint64 *ncodes);

/*
 * All fields except kind and count are private to ssdpar_key_set_has and
 * key_set.c.
 */
typedef enum SsdparKeySetKind
{
	SSDPAR_KEYS_NONE,			/* no set: no keys, or no memory */
	SSDPAR_KEYS_BIT_MAP,
	SSDPAR_KEYS_HASH,
	SSDPAR_KEYS_BLOOM,
} SsdparKeySetKind;

typedef struct SsdparKeySet
{
	SsdparKeySetKind kind;
	uint32		size;			/* hash: slots; Bloom filter: groups of
								 * SSDPAR_BLOOM_WORDS; bit map: unused */
	uint64		count;			/* distinct; for a Bloom filter, those added */
	uint64		least;			/* bit map: its first code */
	uint64		range;			/* bit map: its last code - least */
	bool		has_empty;		/* hash: is SSDPAR_EMPTY_SLOT a member?  */
	uint64		words[FLEXIBLE_ARRAY_MEMBER];
} SsdparKeySet;

/*
 * Marks a free slot of a hash table; as a code it is represented by has_empty.
 */
#define SSDPAR_EMPTY_SLOT 0

/* A code sets one bit in each word of one group, all in one cache line.  */
#define SSDPAR_BLOOM_WORDS 8

/*
 * More codes than fit into a processor's cache.  Testing such a set waits for
 * memory, as probing the hash table of a join does.
 */
#define SSDPAR_MANY_CODES 65536

/* Would a set of this many codes stay exact within max_bytes?  */
extern bool ssdpar_key_builder_holds(Size max_bytes, double codes);

/* Returns the size of the set; builds it in that many bytes of memory.  */
extern Size ssdpar_key_set_size(SsdparKeyBuilder *builder);
extern SsdparKeySet *ssdpar_key_set_build(SsdparKeyBuilder *builder,
										  void *memory);
extern void ssdpar_key_builder_free(SsdparKeyBuilder *builder);

/* For EXPLAIN: "bit map", "hash", "Bloom filter" or "none".  */
extern const char *ssdpar_key_set_kind_name(SsdparKeySetKind kind);

/* Distributes a code over 64 bits (the finalizer of MurmurHash3).  */
static inline uint64
ssdpar_key_mix(uint64 code)
{
	code ^= code >> 33;
	code *= UINT64CONST(0xff51afd7ed558ccd);
	code ^= code >> 33;
	code *= UINT64CONST(0xc4ceb9fe1a85ec53);
	return code ^ (code >> 33);
}

/*
 * Returns a mixed code's first slot in a table: its upper half, scaled to
 * slots.
 */
static inline uint32
ssdpar_key_slot(uint64 mixed, uint32 slots)
{
	return ((mixed >> 32) * slots) >> 32;
}

static inline bool
ssdpar_key_hash_has(const SsdparKeySet *set, uint64 code)
{
	uint32		slot;

	if (code == SSDPAR_EMPTY_SLOT)
		return set->has_empty;
	slot = ssdpar_key_slot(ssdpar_key_mix(code), set->size);
	while (set->words[slot] != code)
	{
		if (set->words[slot] == SSDPAR_EMPTY_SLOT)
			return false;
		if (++slot == set->size)
			slot = 0;
	}
	return true;
}

/*
 * Returns a mixed code's bit in word i.  The code's upper half has selected
 * the group.  Multiples of the lower half by odd numbers without a pattern are
 * nearly independent of that and of each other.
 */
static inline uint64
ssdpar_key_bloom_bit(uint64 mixed, int i)
{
	static const uint32 factors[SSDPAR_BLOOM_WORDS] = {
		0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f,
		0x165667b1, 0xd3a2646d, 0xfd7046c5, 0xb55a4f09,
	};

	return UINT64CONST(1) << (((uint32) mixed * factors[i]) >> 26);
}

static inline bool
ssdpar_key_bloom_has(const SsdparKeySet *set, uint64 code)
{
	uint64		mixed = ssdpar_key_mix(code);
	const uint64 *group = set->words +
		(Size) ssdpar_key_slot(mixed, set->size) * SSDPAR_BLOOM_WORDS;

	for (int i = 0; i < SSDPAR_BLOOM_WORDS; i++)
	{
		if ((group[i] & ssdpar_key_bloom_bit(mixed, i)) == 0)
			return false;
	}
	return true;
}

/*
 * Dense keys are the usual case.  One unsigned subtraction checks both ends of
 * the range.  There is no branch that depends on the code, because whether a
 * key is in the set can be unpredictable.
 */
static inline bool
ssdpar_key_bit_map_has(const SsdparKeySet *set, uint64 code)
{
	uint64		offset = code - set->least;
	bool		within = offset <= set->range;
	uint64		place = within ? offset : 0;

	return within & (set->words[place / 64] >> (place % 64) & 1);
}

/* May code be in the set?  There are no false negatives.  */
static inline bool
ssdpar_key_set_has(const SsdparKeySet *set, uint64 code)
{
	if (likely(set->kind == SSDPAR_KEYS_BIT_MAP))
		return ssdpar_key_bit_map_has(set, code);
	if (set->kind == SSDPAR_KEYS_HASH)
		return ssdpar_key_hash_has(set, code);
	return ssdpar_key_bloom_has(set, code);
}

#endif							/* SSDPAR_KEY_SET_H */
