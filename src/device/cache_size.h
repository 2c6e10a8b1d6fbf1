/*
 * cache_size.h
 *		Determines the size of the processor's caches, and of areas that exceed
 *		it.
 */
#ifndef SSDPAR_CACHE_SIZE_H
#define SSDPAR_CACHE_SIZE_H

#include <stddef.h>

/* Bounds of an area that exceeds the caches, in bytes: powers of two. */
#define SSDPAR_AREA_LEAST ((size_t) 64 << 20)
#define SSDPAR_AREA_MOST ((size_t) 512 << 20)

/*
 * Size of the largest cache of the first processor, read below ROOT, which is
 * "" except in tests.  0 if unknown.
 */
extern size_t ssdpar_largest_cache(const char *root);

/*
 * The smallest area that is four times as large as the cache, within the
 * bounds above and at most MEMORY bytes.
 */
extern size_t ssdpar_area_past_cache(size_t cache, size_t memory);

#endif							/* SSDPAR_CACHE_SIZE_H */
