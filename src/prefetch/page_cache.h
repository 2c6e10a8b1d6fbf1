/*
 * page_cache.h
 *		Finds out which pages of an open file the OS page cache has.
 */
#ifndef SSDPAR_PAGE_CACHE_H
#define SSDPAR_PAGE_CACHE_H

/*
 * Maximum number of bytes per call: a chunk (prefetch/chunks.h) of the largest
 * pages that a server can be built with.
 */
#define SSDPAR_CACHE_LOOK_BYTES (1024 * 1024)

/*
 * Number of bytes of a range, at most SSDPAR_CACHE_LOOK_BYTES, that are in the
 * page cache or being read.  Never waits and never starts a read; 0 if
 * unknown.
 */
extern double ssdpar_page_cache_bytes(int fd, uint64 offset, uint64 length);

/*
 * Has the requested byte been read?  Also true if that is unknown.  May read
 * the byte if it was not requested.
 */
extern bool ssdpar_page_cache_has(int fd, uint64 offset);

#endif							/* SSDPAR_PAGE_CACHE_H */
