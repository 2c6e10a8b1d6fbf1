/*
 * ring.c
 *		Rings of shared buffers for a fact's pages, so that they do not evict
 *		pages that other queries use.
 *
 * A small ring also stays in the CPU caches.
 *
 * The scans of all partitions in a process use the same ring, because a new
 * ring would begin with buffers that the process has not touched yet, and each
 * of them costs page faults.  Buffers that another scan has pinned are skipped.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/compat.h"
#include "starscan/exec/ring.h"

struct SsdparRing
{
	MemoryContext context;
	BufferAccessStrategy sequence;	/* NULL until needed */
	BufferAccessStrategy bitmap;	/* NULL until needed */
	int			depth;			/* that bitmap has room for */
};

SsdparRing *
ssdpar_ring_create(void)
{
	SsdparRing *ring = palloc0_object(SsdparRing);

	ring->context = CurrentMemoryContext;
	return ring;
}

BufferAccessStrategy
ssdpar_ring_for_sequence(SsdparRing *ring)
{
	MemoryContext before = MemoryContextSwitchTo(ring->context);

	if (ring->sequence == NULL)
		ring->sequence = GetAccessStrategy(BAS_BULKREAD);
	MemoryContextSwitchTo(before);
	return ring->sequence;
}

/* A read stream needs room for all of its outstanding requests.  */
static BufferAccessStrategy
create_for_bitmap(int depth)
{
#ifdef SSDPAR_HAS_READ_STREAM
	return GetAccessStrategyWithSize(BAS_BULKREAD, (depth + 1) *
									 io_combine_limit * (BLCKSZ / 1024));
#else
	return GetAccessStrategy(BAS_BULKREAD);
#endif
}

/*
 * Another device may need a larger ring.  The old one is not freed, because
 * some scan may still use it.
 */
BufferAccessStrategy
ssdpar_ring_for_bitmap(SsdparRing *ring, int depth)
{
	MemoryContext before = MemoryContextSwitchTo(ring->context);

	if (ring->bitmap == NULL || ring->depth < depth)
	{
		ring->bitmap = create_for_bitmap(depth);
		ring->depth = depth;
	}
	MemoryContextSwitchTo(before);
	return ring->bitmap;
}
