/*
 * page_cache.c
 *		Finds out which pages of an open file the OS page cache has.
 */
#include "postgres.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "prefetch/page_cache.h"

/* Linux 6.5; the number is the same on every architecture except alpha. */
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

/* The kernel's structs, not in the headers of Debian 12. */
struct cache_range
{
	uint64		offset;
	uint64		length;
};

struct cache_counts
{
	uint64		cached;			/* pages */
	uint64		dirty;
	uint64		writeback;
	uint64		evicted;
	uint64		recently_evicted;
};

static bool no_cachestat = false;

/*
 * Uses mincore(), for kernels before 6.5 and for containers whose seccomp
 * filter does not know cachestat(): three calls instead of one.
 */
static double
mapped_bytes(int fd, uint64 offset, uint64 length)
{
	unsigned char present[SSDPAR_CACHE_LOOK_BYTES / 4096];
	long		page = sysconf(_SC_PAGESIZE);
	size_t		npages = (length + page - 1) / page;
	void	   *map;
	int			found = 0;

	if (page < 4096 || offset % page != 0)
		return 0.0;
	map = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, offset);
	if (map == MAP_FAILED)
		return 0.0;
	if (mincore(map, length, present) == 0)
		for (size_t i = 0; i < npages; i++)
			found += present[i] & 1;
	munmap(map, length);
	return (double) found * page;
}

double
ssdpar_page_cache_bytes(int fd, uint64 offset, uint64 length)
{
	struct cache_range range = {offset, length};
	struct cache_counts counts;

	Assert(length <= SSDPAR_CACHE_LOOK_BYTES);
	if (no_cachestat)
		return mapped_bytes(fd, offset, length);
	if (syscall(SYS_cachestat, fd, &range, &counts, 0) == 0)
		return (double) counts.cached * sysconf(_SC_PAGESIZE);
	no_cachestat = true;
	return mapped_bytes(fd, offset, length);
}

/*
 * cachestat() already counts a page that is being read, whereas a read that
 * would have to wait for it returns EAGAIN.
 */
bool
ssdpar_page_cache_has(int fd, uint64 offset)
{
#ifdef RWF_NOWAIT
	char		byte;
	struct iovec into = {&byte, 1};

	return preadv2(fd, &into, 1, offset, RWF_NOWAIT) >= 0 || errno != EAGAIN;
#else
	return true;
#endif
}
