/*
 * pagecache.c
 *		Is it in the page cache already?  If not, ask for it.
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
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Newer than Debian 12's headers; the number is the same on all machines. */
#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif

/* What the kernel reads ahead in any case, unless told otherwise. */
#define SURE_BYTES (128 * 1024)

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

/* Pages of the range that are in the page cache; false if nobody can tell. */
static bool
count_cached(int fd, uint64_t offset, uint64_t length, uint64_t *pages)
{
	static bool missing = false;
	CacheRange range = {offset, length};
	CacheStatus status;

	if (missing)
		return false;
	if (syscall(__NR_cachestat, fd, &range, &status, 0) != 0)
	{
		missing = errno == ENOSYS;
		return false;
	}
	*pages = status.cached;
	return true;
}

bool
ssdpard_is_cached(int fd, uint64_t offset, uint32_t length)
{
	uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);
	uint64_t end = offset + length;
	uint64_t cached;

	if (count_cached(fd, offset, length, &cached))
		return cached >= (end - 1) / page - offset / page + 1;
	return touch_pages(fd, offset, end, page);
}

/*
 * The kernel takes no more at a time than the larger of the device's
 * read-ahead and its largest request.  What it took is in the page cache from
 * then on, though not read yet; the rest is asked for in pieces that every
 * kernel's defaults allow.
 */
void
ssdpard_ask_ahead(int fd, uint64_t offset, uint32_t length)
{
	uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);
	uint64_t end = offset + length;
	uint64_t cached;

	if (posix_fadvise(fd, (off_t) offset, length, POSIX_FADV_WILLNEED) != 0 ||
		(count_cached(fd, offset, length, &cached) &&
		 cached >= (end - 1) / page - offset / page + 1))
		return;
	for (uint64_t at = offset; at < end; at += SURE_BYTES)
		(void) posix_fadvise(fd, (off_t) at,
							 (off_t) (end - at < SURE_BYTES ? end - at
									  : SURE_BYTES), POSIX_FADV_WILLNEED);
}
