/*
 * page_cache.c
 *		Finds out what the page cache has of a file, and asks the kernel to
 *		read more.
 *
 * cachestat (Linux 6.5) counts pages without touching them.  mincore is not
 * used, because it needs a mapping, and since Linux 5.2 it reports all pages
 * as present to a process that may not write the file (so that others' reads
 * cannot be observed).
 */
#include "page_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/*
 * Newer than Debian 12's headers; the number is the same on all architectures.
 */
#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif

/* The kernel's default read-ahead window. */
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
 * Are all pages cached according to cachestat?  Returns false and sets *KNOWN
 * to false if the kernel does not have it.
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
	 * Read one byte of every page as long as this does not wait.  Stop at the
	 * first missing page; newer kernels begin to read it, but it is about to
	 * be read in any case.
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
 * For each call, the kernel reads at most the larger of the device's
 * read-ahead and its largest request (force_page_cache_readahead).  The pages
 * it accepted are in the page cache from then on, even if not read yet.  The
 * rest is requested in pieces that the defaults of every kernel allow.
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
