/*
 * key_set.c
 *		Collects key codes and builds the set that rows are tested with.
 *
 * The builder is a hash table that doubles, so duplicates need no memory.
 * When it reaches its limit, it is replaced by a Bloom filter.  key_code.h
 * defines the codes.
 */
#include "postgres.h"

#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "keys/key_set.h"
#include "keys/long_loop.h"

#define FIRST_SLOTS 1024

/* ssdpar_key_slot() counts slots in 32 bits; these are 16 GB. */
#define MAX_SLOTS (UINT64CONST(1) << 31)

/*
 * A bit map of this size is preferred even if a hash table would be smaller,
 * because it fits in the first-level CPU cache and is tested by a shift.
 */
#define SMALL_BIT_MAP (32 * 1024)

/* Minimum size of a Bloom filter, regardless of the allowed memory.  */
#define MIN_BLOOM_GROUPS 64

/*
 * The builder accepts codes until they are sorted or measured for a set.
 * After that it is frozen, and codes begins with the distinct codes.
 * Invariants while not frozen: count <= 3/4 of room, and free slots contain
 * SSDPAR_EMPTY_SLOT.  If bloom is set, codes is NULL.
 */
struct SsdparKeyBuilder
{
	MemoryContext context;
	Size		max_bytes;
	uint64	   *codes;
	uint64		room;			/* in codes; a power of two */
	uint64		count;			/* without has_empty */
	bool		has_empty;		/* SSDPAR_EMPTY_SLOT was added */
	bool		frozen;
	SsdparKeySet *bloom;
};

#define ST_SORT sort_codes
#define ST_ELEMENT_TYPE int64
#define ST_COMPARE(a, b) (*(a) < *(b) ? -1 : *(a) > *(b))
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DEFINE
#include "lib/sort_template.h"

/* Allocates free slots; these contain SSDPAR_EMPTY_SLOT, which is zero.  */
static uint64 *
allocate_slots(SsdparKeyBuilder *builder, uint64 nslots)
{
	return MemoryContextAllocExtended(builder->context,
									  nslots * sizeof(uint64),
									  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

SsdparKeyBuilder *
ssdpar_key_builder(Size max_bytes)
{
	SsdparKeyBuilder *builder = palloc0_object(SsdparKeyBuilder);

	builder->context = CurrentMemoryContext;
	builder->max_bytes = max_bytes;
	builder->room = FIRST_SLOTS;
	builder->codes = allocate_slots(builder, builder->room);
	return builder;
}

/*
 * Returns true if code was not yet in the slots.  At least one slot must be
 * free, or the search would not end.
 */
static inline bool
insert_code(uint64 *slots, uint32 nslots, uint64 code)
{
	uint32		slot = ssdpar_key_slot(ssdpar_key_mix(code), nslots);

	while (slots[slot] != SSDPAR_EMPTY_SLOT)
	{
		if (slots[slot] == code)
			return false;
		if (++slot == nslots)
			slot = 0;
	}
	slots[slot] = code;
	return true;
}

static Size
bloom_size(uint32 ngroups)
{
	return offsetof(SsdparKeySet, words) +
		(Size) ngroups * SSDPAR_BLOOM_WORDS * sizeof(uint64);
}

static void
bloom_add(SsdparKeySet *bloom, uint64 code)
{
	uint64		mixed = ssdpar_key_mix(code);
	uint64	   *group = bloom->words +
		(Size) ssdpar_key_slot(mixed, bloom->size) * SSDPAR_BLOOM_WORDS;

	for (int i = 0; i < SSDPAR_BLOOM_WORDS; i++)
		group[i] |= ssdpar_key_bloom_bit(mixed, i);
	bloom->count++;
}

/*
 * Replaces the table by a Bloom filter.  After that codes can be added and
 * tested, but not listed.  The filter uses the half of max_bytes that the
 * table may not use, because both exist for a moment.
 */
static void
become_bloom(SsdparKeyBuilder *builder)
{
	uint64		ngroups = builder->max_bytes / 2 /
		(SSDPAR_BLOOM_WORDS * sizeof(uint64));
	SsdparKeySet *bloom;

	ngroups = Min(Max(ngroups, MIN_BLOOM_GROUPS), MAX_SLOTS);
	bloom = MemoryContextAllocExtended(builder->context, bloom_size(ngroups),
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	bloom->kind = SSDPAR_KEYS_BLOOM;
	bloom->size = ngroups;
	if (builder->has_empty)
		bloom_add(bloom, SSDPAR_EMPTY_SLOT);
	for (uint64 i = 0; i < builder->room; i++)
	{
		ssdpar_heed_interrupts(i);
		if (builder->codes[i] != SSDPAR_EMPTY_SLOT)
			bloom_add(bloom, builder->codes[i]);
	}
	pfree(builder->codes);
	builder->codes = NULL;
	builder->bloom = bloom;
}

/* Doubles the slots if half of the allowed memory is sufficient.  */
static bool
grow(SsdparKeyBuilder *builder)
{
	uint64		room = builder->room * 2;
	uint64	   *old = builder->codes;

	if (room > MAX_SLOTS || room * sizeof(uint64) > builder->max_bytes / 2)
		return false;
	builder->codes = allocate_slots(builder, room);
	for (uint64 i = 0; i < builder->room; i++)
	{
		ssdpar_heed_interrupts(i);
		if (old[i] != SSDPAR_EMPTY_SLOT)
			insert_code(builder->codes, room, old[i]);
	}
	pfree(old);
	builder->room = room;
	return true;
}

/* As grow() and ssdpar_key_builder_add() decide. */
bool
ssdpar_key_builder_holds(Size max_bytes, double codes)
{
	uint64		most = Max(max_bytes / 2 / sizeof(uint64), FIRST_SLOTS);
	uint64		room = pg_prevpower2_64(Min(most, MAX_SLOTS));

	return codes < room / 4 * 3;
}

void
ssdpar_key_builder_add(SsdparKeyBuilder *builder, uint64 code)
{
	Assert(!builder->frozen);
	if (builder->bloom == NULL && code == SSDPAR_EMPTY_SLOT)
	{
		builder->has_empty = true;
		return;
	}
	if (builder->bloom == NULL)
	{
		if (!insert_code(builder->codes, builder->room, code))
			return;
		if (++builder->count < builder->room / 4 * 3 || grow(builder))
			return;
		become_bloom(builder);
	}
	else
		bloom_add(builder->bloom, code);
}

/* Moves the codes to the front of the array.  */
static void
compact(SsdparKeyBuilder *builder)
{
	uint64		kept = 0;

	for (uint64 i = 0; i < builder->room; i++)
	{
		ssdpar_heed_interrupts(i);
		if (builder->codes[i] != SSDPAR_EMPTY_SLOT)
			builder->codes[kept++] = builder->codes[i];
	}
	Assert(kept == builder->count);
	if (builder->has_empty)
		builder->codes[kept++] = SSDPAR_EMPTY_SLOT;
	builder->count = kept;
}

/*
 * Sorts distinct codes by setting a bit for each and reading the bits in
 * order.
 */
static void
sort_by_bits(int64 *codes, uint64 count, int64 least, uint64 range)
{
	uint64		nwords = range / 64 + 1;
	uint64	   *words = palloc_extended(nwords * sizeof(uint64),
										MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	uint64		n = 0;

	for (uint64 i = 0; i < count; i++)
	{
		uint64		offset = (uint64) codes[i] - (uint64) least;

		ssdpar_heed_interrupts(i);
		words[offset / 64] |= UINT64CONST(1) << (offset % 64);
	}
	for (uint64 w = 0; w < nwords; w++)
	{
		ssdpar_heed_interrupts(w);
		for (uint64 bits = words[w]; bits != 0; bits &= bits - 1)
			codes[n++] = (int64) ((uint64) least + w * 64 +
								  pg_rightmost_one_pos64(bits));
	}
	Assert(n == count);
	pfree(words);
}

/*
 * Freezes the builder and sorts the codes.  A dimension's keys are usually
 * dense, so that sorting by bits is faster than by comparisons; the bits take
 * at most as much memory as the codes.
 */
static void
freeze(SsdparKeyBuilder *builder)
{
	int64	   *codes = (int64 *) builder->codes;
	int64		least;
	int64		greatest;
	uint64		range;

	if (builder->frozen || builder->bloom != NULL)
		return;
	builder->frozen = true;
	compact(builder);
	if (builder->count == 0)
		return;
	least = codes[0];
	greatest = codes[0];
	for (uint64 i = 1; i < builder->count; i++)
	{
		least = Min(least, codes[i]);
		greatest = Max(greatest, codes[i]);
	}
	range = (uint64) greatest - (uint64) least; /* unsigned: no overflow */
	if (range / 8 <= builder->count * sizeof(uint64))
		sort_by_bits(codes, builder->count, least, range);
	else
		sort_codes(codes, builder->count);
}

const int64 *
ssdpar_key_builder_sorted(SsdparKeyBuilder *builder, uint64 *ncodes)
{
	freeze(builder);
	*ncodes = builder->count;
	return (const int64 *) builder->codes;
}

/*
 * Returns the number of hash slots for count codes.  About five eighths of
 * them are used, so that most searches end at the first slot.  There are
 * always free slots, because a search for a missing code ends at one.
 */
static uint64
hash_slots(uint64 count)
{
	return count + count / 8 * 5 + 8;
}

/*
 * Chooses the kind of the set and fills in its head, but not words.  A bit map
 * is exact and tested by one read, so it is chosen unless it is larger than
 * the hash table.  codes are sorted, so their range follows from both ends; it
 * is unsigned, so that it does not overflow.
 */
static void
choose_kind(SsdparKeyBuilder *builder, SsdparKeySet *head, Size *size)
{
	const int64 *codes = (const int64 *) builder->codes;
	uint64		count = builder->count;
	Size		hash_bytes = hash_slots(count) * sizeof(uint64);

	memset(head, 0, offsetof(SsdparKeySet, words));
	head->count = count;
	if (count > 0)
	{
		head->least = codes[0];
		head->range = (uint64) codes[count - 1] - (uint64) codes[0];
	}
	if (head->range / 8 < Max(hash_bytes, SMALL_BIT_MAP))
	{
		head->kind = SSDPAR_KEYS_BIT_MAP;
		*size = (head->range / 64 + 1) * sizeof(uint64);
	}
	else
	{
		head->kind = SSDPAR_KEYS_HASH;
		head->size = hash_slots(count);
		*size = hash_bytes;
	}
	*size += offsetof(SsdparKeySet, words);
}

Size
ssdpar_key_set_size(SsdparKeyBuilder *builder)
{
	SsdparKeySet head;
	Size		size;

	if (builder->bloom != NULL)
		return bloom_size(builder->bloom->size);
	freeze(builder);
	choose_kind(builder, &head, &size);
	return size;
}

SsdparKeySet *
ssdpar_key_set_build(SsdparKeyBuilder *builder, void *memory)
{
	SsdparKeySet *set = memory;
	Size		size;

	if (builder->bloom != NULL)
		return memcpy(memory, builder->bloom, ssdpar_key_set_size(builder));
	freeze(builder);
	choose_kind(builder, set, &size);
	memset(set->words, 0, size - offsetof(SsdparKeySet, words));
	for (uint64 i = 0; i < set->count; i++)
	{
		uint64		code = builder->codes[i];
		uint64		offset = code - set->least;

		ssdpar_heed_interrupts(i);
		if (set->kind == SSDPAR_KEYS_BIT_MAP)
			set->words[offset / 64] |= UINT64CONST(1) << (offset % 64);
		else if (code == SSDPAR_EMPTY_SLOT)
			set->has_empty = true;
		else
			insert_code(set->words, set->size, code);
	}
	return set;
}

void
ssdpar_key_builder_free(SsdparKeyBuilder *builder)
{
	if (builder->codes != NULL)
		pfree(builder->codes);
	if (builder->bloom != NULL)
		pfree(builder->bloom);
	pfree(builder);
}

const char *
ssdpar_key_set_kind_name(SsdparKeySetKind kind)
{
	switch (kind)
	{
		case SSDPAR_KEYS_NONE:
			break;
		case SSDPAR_KEYS_BIT_MAP:
			return "bit map";
		case SSDPAR_KEYS_HASH:
			return "hash";
		case SSDPAR_KEYS_BLOOM:
			return "Bloom filter";
	}
	return "none";
}
