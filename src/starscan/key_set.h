/*
 * key_set.h
 *		A set of 64-bit key codes: built once, then asked for every row.
 *
 * Small and flat, so that it can lie in shared memory: no pointers inside.
 * Depending on how many codes there are, how densely they lie and how much
 * memory it may take it is a bit map over their range, a hash table, or a
 * Bloom filter, which may say yes to a code that was never added.
 */
#ifndef SSDPAR_KEY_SET_H
#define SSDPAR_KEY_SET_H

#include "c.h"

/*
 * Collects codes, duplicates and all, within max_bytes; in the current memory
 * context.  When it is full, sorting out the duplicates or, at last, falling
 * back to a Bloom filter makes room: adding never fails.
 */
typedef struct SsdparKeyBuilder SsdparKeyBuilder;

extern SsdparKeyBuilder *ssdpar_key_builder(Size max_bytes);
extern void ssdpar_key_builder_add(SsdparKeyBuilder *builder, uint64 code);

/*
 * The distinct codes, ascending as signed 64-bit integers, and their number;
 * NULL if they were too many to keep.  Valid until the builder is freed.
 */
extern const int64 *ssdpar_key_builder_sorted(SsdparKeyBuilder *builder,
											  uint64 *ncodes);

typedef struct SsdparKeySet SsdparKeySet;

/* Bytes the set will take, and the set itself in so many bytes of memory. */
extern Size ssdpar_key_set_size(SsdparKeyBuilder *builder);
extern SsdparKeySet *ssdpar_key_set_build(SsdparKeyBuilder *builder,
										  void *memory);
extern void ssdpar_key_builder_free(SsdparKeyBuilder *builder);

/* May code be in the set?  No false negatives. */
extern bool ssdpar_key_set_has(const SsdparKeySet *set, uint64 code);

/* For EXPLAIN: distinct codes (of a Bloom filter, those added), and kind. */
extern uint64 ssdpar_key_set_count(const SsdparKeySet *set);
extern const char *ssdpar_key_set_kind(const SsdparKeySet *set);	/* "bit map",
																	 * "hash",
																	 * "Bloom filter" */

#endif							/* SSDPAR_KEY_SET_H */
