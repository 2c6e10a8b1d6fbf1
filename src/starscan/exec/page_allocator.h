/*
 * page_allocator.h
 *		Divides the pages of a bitmap among the processes of a parallel scan.
 */
#ifndef SSDPAR_PAGE_ALLOCATOR_H
#define SSDPAR_PAGE_ALLOCATOR_H

#include "port/atomics.h"

/*
 * Placed in shared memory.  Invariant: next only grows, except for a reset,
 * and each page number below it has been claimed by exactly one process, which
 * reads it.
 */
typedef struct SsdparPageAllocator
{
	pg_atomic_uint64 next;		/* page number not yet claimed */
	int			nprocesses;		/* leader and planned workers */
} SsdparPageAllocator;

static inline void
ssdpar_page_allocator_init(SsdparPageAllocator *allocator, int nprocesses)
{
	pg_atomic_init_u64(&allocator->next, 0);
	allocator->nprocesses = nprocesses;
}

/*
 * Claims up to max of the bitmap's npages pages.  Returns their number, 0 at
 * the end, and sets *first to the first page number.  The ranges become
 * shorter toward the end so that all processes finish together.  Two processes
 * may compute count from the same state, but the atomic addition gives them
 * different pages.
 */
static inline uint32
ssdpar_page_allocator_claim(SsdparPageAllocator *allocator, uint32 npages,
							uint32 max, uint32 *first)
{
	uint64		next = pg_atomic_read_u64(&allocator->next);
	uint32		count;

	if (next >= npages)
		return 0;
	count = (npages - next) / (4 * allocator->nprocesses);
	count = Max(Min(count, max), 1);
	next = pg_atomic_fetch_add_u64(&allocator->next, count);
	if (next >= npages)
		return 0;
	*first = next;
	return Min(count, npages - next);
}

#endif							/* SSDPAR_PAGE_ALLOCATOR_H */
