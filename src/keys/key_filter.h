/*
 * key_filter.h
 *		Integer keys as a Bloom filter that another server can be asked by.
 *
 * It says no only of keys that were not added.  The bytes are the same on all
 * machines, and say by which version of the method they were made.
 */
#ifndef SSDPAR_KEY_FILTER_H
#define SSDPAR_KEY_FILTER_H

#include "c.h"

#include "keys/key_set.h"

/* None is larger: twice as much, as text, goes along with a query. */
#define SSDPAR_KEY_FILTER_MAX_BYTES (16 * 1024 * 1024)

/* Of each key, where there is room for them: one in a hundred passes. */
#define SSDPAR_KEY_FILTER_BITS 10
#define SSDPAR_KEY_FILTER_PASSES 0.012

/* What a filter says of a key. */
typedef enum SsdparKeyFilterAnswer
{
	SSDPAR_KEY_NOT_IN,
	SSDPAR_KEY_MAY_BE_IN,
	SSDPAR_KEY_UNKNOWN_VERSION, /* so it may be in */
	SSDPAR_KEY_NO_FILTER,		/* these bytes are something else */
} SsdparKeyFilterAnswer;

/* Bytes of a filter of so many keys; 0: it would pass too many others. */
extern Size ssdpar_key_filter_size(uint64 nkeys, Size most);

/* A filter of keys, in size bytes at memory. */
extern void ssdpar_key_filter_build(const int64 *keys, uint64 nkeys,
									char *memory, Size size);

/*
 * Of a set that is a Bloom filter itself, and so has no keys to be listed: the
 * bytes, 0 if it passes too many others, and the filter.
 */
extern Size ssdpar_key_filter_size_of_set(const SsdparKeySet *set, Size most);
extern void ssdpar_key_filter_of_set(const SsdparKeySet *set, char *memory,
									 Size size);

extern SsdparKeyFilterAnswer ssdpar_key_filter_ask(const char *filter,
												   Size size, int64 key);

#endif							/* SSDPAR_KEY_FILTER_H */
