/*
 * page_cache.c
 *		What the page cache holds of a file, and asking the kernel for more.
 *
 * cachestat (Linux 6.5) counts pages without touching them: about a
 * microsecond for 64 of them.  mincore is not used: it needs a mapping, and
 * answers "all there" to a process that may not write the file (since Linux
 * 5.2, against spying on others' reads).
 */
#include "page_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Newer than Debian 12's headers; the number is the same on all machines. */
#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif

/* What the kernel reads ahead at a time, unless told otherwise. */
#define DEFAULT_READ_AHEAD (128 * 1024)

/* As in <linux/mman.h> since 6.5. */
typedef struct CacheRange
{
	uint64_t	offset;
	uint64_t	length;
} CacheRange;

typedef struct CacheStatus
{
	uint64_t	cached;
	uint64_t	dirty;
	uint64_t	writeback;
	uint64_t	evicted;
	uint64_t	recently_evicted;
} CacheStatus;

/*
 * Are all pages cached, as far as cachestat knows?  False with *KNOWN false
 * if the kernel has none.
 */
static bool
ask_cachestat(int fd, uint64_t offset, uint64_t length, bool *known)
{
	static bool missing = false;
	uint64_t	page = (uint64_t) sysconf(_SC_PAGESIZE);
	CacheRange	range = {offset, length};
	CacheStatus status;

	*known = !missing &&
		syscall(__NR_cachestat, fd, &range, &status, 0) == 0;
	if (*known)
		return status.cached >=
			(offset + length - 1) / page - offset / page + 1;
	if (!missing)
		missing = errno == ENOSYS;
	return false;
}

bool
ssdpard_page_cache_has(int fd, uint64_t offset, uint32_t length)
{
	uint64_t	page = (uint64_t) sysconf(_SC_PAGESIZE);
	uint64_t	end = offset + length;
	char		byte;
	struct iovec vector = {&byte, 1};
	bool		known;
	bool		cached = ask_cachestat(fd, offset, length, &known);

	if (known)
		return cached;

	/*
	 * One byte of every page, as long as none has to be waited for.  The
	 * first page that is missing ends it; newer kernels start to read that
	 * one, which is about to be read in any case.
	 */
	while (offset < end)
	{
		if (preadv2(fd, &vector, 1, (off_t) offset, RWF_NOWAIT) != 1)
			return false;
		offset = (offset / page + 1) * page;
	}
	return true;
}

/*
 * The kernel takes no more at a time than the larger of the device's
 * read-ahead and its largest request (force_page_cache_readahead).  What it
 * took is in the page cache from then on, though not read yet; the rest is
 * asked for in lengths that every kernel's defaults allow.
 */
void
ssdpard_page_cache_ask(int fd, uint64_t offset, uint32_t length)
{
	uint64_t	end = offset + length;
	bool		known;

	if (posix_fadvise(fd, (off_t) offset, length, POSIX_FADV_WILLNEED) != 0 ||
		ask_cachestat(fd, offset, length, &known))
		return;
	for (uint64_t at = offset; at < end; at += DEFAULT_READ_AHEAD)
	{
		uint64_t	rest = end - at;

		if (rest > DEFAULT_READ_AHEAD)
			rest = DEFAULT_READ_AHEAD;
		(void) posix_fadvise(fd, (off_t) at, (off_t) rest,
							 POSIX_FADV_WILLNEED);
	}
}
