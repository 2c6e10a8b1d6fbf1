/*
 * page_cache.h
 *		What the operating system's page cache has of an open file.
 */
#ifndef SSDPAR_PAGE_CACHE_H
#define SSDPAR_PAGE_CACHE_H

/*
 * Bytes that can be looked at together: a chunk (prefetch/chunks.h) of the
 * largest pages that a server may be built with.
 */
#define SSDPAR_CACHE_LOOK_BYTES (1024 * 1024)

/*
 * Bytes of a range, at most SSDPAR_CACHE_LOOK_BYTES, that are there or on their
 * way there.  Never waits, and has nothing read; 0 if it cannot be found out.
 */
extern double ssdpar_page_cache_bytes(int fd, uint64 offset, uint64 length);

/*
 * Has a byte come that was asked for?  True as well if that cannot be found
 * out.  One that has not been asked for may be read by this.
 */
extern bool ssdpar_page_cache_has(int fd, uint64 offset);

#endif							/* SSDPAR_PAGE_CACHE_H */
