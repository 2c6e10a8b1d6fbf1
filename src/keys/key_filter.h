/*
 * key_filter.h
 *		Integer keys as a Bloom filter that can be sent to another server.
 *
 * The filter rejects only keys that were not added.  Its bytes are the same on
 * all machines and include the version of the method.
 */
#ifndef SSDPAR_KEY_FILTER_H
#define SSDPAR_KEY_FILTER_H

#include "c.h"

#include "keys/key_set.h"

/* Maximum size; as text, a filter takes twice as much space in a query.  */
#define SSDPAR_KEY_FILTER_MAX_BYTES (16 * 1024 * 1024)

/*
 * Bits for each key, if there is room for them; one in a hundred other keys
 * passes.
 */
#define SSDPAR_KEY_FILTER_BITS 10
#define SSDPAR_KEY_FILTER_PASSES 0.012

/* Answer of a filter about a key.  */
typedef enum SsdparKeyFilterAnswer
{
	SSDPAR_KEY_NOT_IN,
	SSDPAR_KEY_MAY_BE_IN,
	SSDPAR_KEY_UNKNOWN_VERSION, /* the key may be in */
	SSDPAR_KEY_NO_FILTER,		/* not a filter */
} SsdparKeyFilterAnswer;

/*
 * Returns the size of a filter for this many keys; 0 if it would pass too many
 * others.
 */
extern Size ssdpar_key_filter_size(uint64 nkeys, Size most);

/* Builds a filter of keys in size bytes at memory.  */
extern void ssdpar_key_filter_build(const int64 *keys, uint64 nkeys,
									char *memory, Size size);

/*
 * The same for a set that is a Bloom filter, whose keys cannot be listed.
 */
extern Size ssdpar_key_filter_size_of_set(const SsdparKeySet *set, Size most);
extern void ssdpar_key_filter_of_set(const SsdparKeySet *set, char *memory,
									 Size size);

extern SsdparKeyFilterAnswer ssdpar_key_filter_ask(const char *filter,
												   Size size, int64 key);

#endif							/* SSDPAR_KEY_FILTER_H */
