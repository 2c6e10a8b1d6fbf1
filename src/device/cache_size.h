/*
 * cache_size.h
 *		How large the processor's caches are, and what goes past them.
 */
#ifndef SSDPAR_CACHE_SIZE_H
#define SSDPAR_CACHE_SIZE_H

#include <stddef.h>

/* What an area past the caches has, in bytes: powers of two. */
#define SSDPAR_AREA_LEAST ((size_t) 64 << 20)
#define SSDPAR_AREA_MOST ((size_t) 512 << 20)

/*
 * Bytes of the largest cache of the first processor, as the kernel tells under
 * ROOT, which is "" but for tests; 0 if it does not.
 */
extern size_t ssdpar_largest_cache(const char *root);

/*
 * The smallest area that is four times as large as a cache of that size, but
 * no more than MEMORY bytes: within the bounds above.
 */
extern size_t ssdpar_area_past_cache(size_t cache, size_t memory);

#endif							/* SSDPAR_CACHE_SIZE_H */
