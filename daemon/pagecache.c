/*
 * pagecache.c
 *		Is it in the page cache already?
 *
 * cachestat (Linux 6.5) counts pages without touching them: about a
 * microsecond for 64 of them.  mincore is not used: it needs a mapping, and
 * says "all there" to whoever may not write the file.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "files.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Newer than Debian 12's headers; the number is the same on all machines. */
#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif

typedef struct CacheRange
{
	uint64_t offset;
	uint64_t length;
} CacheRange;

typedef struct CacheStatus
{
	uint64_t cached;
	uint64_t dirty;
	uint64_t writeback;
	uint64_t evicted;
	uint64_t recently_evicted;
} CacheStatus;

/*
 * Without cachestat: one byte of every page, which must not be waited for.
 * The first page that is missing ends it; newer kernels start to read that
 * one, which is about to be read in any case.
 */
static bool
touch_pages(int fd, uint64_t offset, uint64_t end, uint64_t page)
{
	char byte;
	struct iovec vector = {&byte, 1};

	while (offset < end)
	{
		if (preadv2(fd, &vector, 1, (off_t) offset, RWF_NOWAIT) != 1)
			return false;
		offset = (offset / page + 1) * page;
	}
	return true;
}

bool
ssdpard_is_cached(int fd, uint64_t offset, uint32_t length)
{
	static bool missing = false;
	uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);
	uint64_t end = offset + length;
	CacheRange range = {offset, length};
	CacheStatus status;

	if (!missing && syscall(__NR_cachestat, fd, &range, &status, 0) == 0)
		return status.cached >= (end - 1) / page - offset / page + 1;
	missing = missing || errno == ENOSYS;
	return touch_pages(fd, offset, end, page);
}
