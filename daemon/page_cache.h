/*
 * page_cache.h
 *		Finds out what the page cache has of a file, and asks the kernel to
 *		read more.
 */
#ifndef SSDPARD_PAGE_CACHE_H
#define SSDPARD_PAGE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Are all pages of this part of the file in the page cache?  LENGTH > 0. */
extern bool ssdpard_page_cache_has(int fd, uint64_t offset, uint32_t length);

/*
 * Makes the kernel read this part of the file into the page cache, without
 * waiting for the device.
 */
extern void ssdpard_page_cache_ask(int fd, uint64_t offset, uint32_t length);

#endif							/* SSDPARD_PAGE_CACHE_H */
