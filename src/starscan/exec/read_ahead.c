/*
 * read_ahead.c
 *		Returns the pages of a bitmap in block order, each requested in
 *		advance.
 *
 * The pages wait in a queue (page_queue.c), which announces them to a page
 * list.  They are read here or, if the server has read streams and the daemon
 * is not required, by a read stream (page_stream.c).
 *
 * This file knows nothing about rows.  If the query ends early, pages that
 * were announced but not used have cost the device a read, with no other
 * effect.
 */
#include "postgres.h"

#include "executor/instrument.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "base/settings.h"
#include "prefetch/read_timer.h"
#include "starscan/exec/page_queue.h"
#include "starscan/exec/page_stream.h"
#include "starscan/exec/read_ahead.h"
#include "starscan/star_plan.h"

struct SsdparReadAhead
{
	Relation	rel;
	BufferAccessStrategy ring;	/* NULL: all of shared buffers */
	bool		missed;			/* last page was not in shared buffers */
	SsdparPageQueue queue;
#ifdef SSDPAR_HAS_READ_STREAM
	SsdparPageStream *stream;	/* NULL: pages are read here */
#endif
};

/*
 * Reads a page and determines whether that waited.  The time is measured only
 * if the previous page was not in shared buffers, so a cached table never pays
 * for it.
 */
static Buffer
read_page(SsdparReadAhead *ahead, BlockNumber block, bool *waited)
{
	int64		before = ssdpar_pages_read();
	bool		timed = ahead->missed;
	instr_time	start;
	instr_time	duration;
	Buffer		buffer;

	if (timed)
		INSTR_TIME_SET_CURRENT(start);
	buffer = ReadBufferExtended(ahead->rel, MAIN_FORKNUM, block, RBM_NORMAL,
								ahead->ring);
	ahead->missed = ssdpar_pages_read() != before;
	*waited = false;
	if (timed && ahead->missed)
	{
		INSTR_TIME_SET_CURRENT(duration);
		INSTR_TIME_SUBTRACT(duration, start);
		*waited = INSTR_TIME_GET_MICROSEC(duration) > SSDPAR_WAIT_US;
	}
	ahead->queue.counters->pages++;
	ahead->queue.counters->reads += ahead->missed;
	return buffer;
}

static Buffer
next_from_queue(SsdparReadAhead *ahead, uint32 *number)
{
	SsdparPageQueue *queue = &ahead->queue;
	Buffer		buffer;
	bool		waited;

	ssdpar_page_queue_fill(queue);
	if (queue->consumed == queue->queued)
		return InvalidBuffer;
	*number = ssdpar_page_queue_number(queue, queue->consumed);
	buffer = read_page(ahead, queue->blocks[*number], &waited);
	ssdpar_page_queue_consumed(queue, queue->consumed < queue->announced,
							   !ahead->missed, waited);
	return buffer;
}

#ifdef SSDPAR_HAS_READ_STREAM

/* The settings off (no read-ahead) and daemon do not use a stream.  */
static bool
wants_stream(void)
{
	return ssdpar_enabled &&
		(ssdpar_prefetch == SSDPAR_PREFETCH_AUTO ||
		 ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL);
}

#endif							/* SSDPAR_HAS_READ_STREAM */

const char *
ssdpar_read_ahead_method(Relation rel)
{
#ifdef SSDPAR_HAS_READ_STREAM
	if (wants_stream())
		return "read stream";
#endif
	switch (ssdpar_page_method(rel))
	{
		case SSDPAR_PAGES_NONE:
			return "none";
		case SSDPAR_PAGES_LOCAL:
			return "server";
		case SSDPAR_PAGES_DAEMON:
			return "daemon";
	}
	return "none";				/* keep compiler quiet */
}

/* Returns the ring of all partitions, or a new one if the table is large.  */
static BufferAccessStrategy
ring_for(const SsdparReadAhead *ahead, SsdparRing *ring)
{
	if (RelationUsesLocalBuffers(ahead->rel))
		return NULL;
	if (ring == NULL && ssdpar_star_uses_ring(ahead->queue.npages))
		ring = ssdpar_ring_create();
	return ring == NULL ? NULL :
		ssdpar_ring_for_bitmap(ring, ahead->queue.depth);
}

SsdparReadAhead *
ssdpar_read_ahead_begin(Relation rel, const SsdparTidPages *pages,
						SsdparPageAllocator *allocator, SsdparRing *ring,
						SsdparReadCounters *counters)
{
	SsdparReadAhead *ahead = palloc0_object(SsdparReadAhead);
	SsdparPageQueue *queue = &ahead->queue;
	SsdparPageMethod method = ssdpar_page_method(rel);

	ahead->rel = rel;
	ssdpar_page_queue_init(queue, pages, allocator, counters,
						   ssdpar_page_depth(rel));
	ahead->ring = ring_for(ahead, ring);
	ahead->missed = true;		/* time the first read */
#ifdef SSDPAR_HAS_READ_STREAM
	if (wants_stream())
	{
		ahead->stream = ssdpar_page_stream_begin(queue, rel, ahead->ring);
		if (!ssdpar_asynchronous_io())
			return ahead;
	}
#endif
	if (method != SSDPAR_PAGES_NONE)
		ssdpar_page_queue_announce_by(queue,
									  ssdpar_page_list_open(rel, MAIN_FORKNUM,
															method,
															queue->depth));
	return ahead;
}

Buffer
ssdpar_read_ahead_next(SsdparReadAhead *ahead, uint32 *number)
{
#ifdef SSDPAR_HAS_READ_STREAM
	if (ahead->stream)
		return ssdpar_page_stream_next(ahead->stream, number);
#endif
	return next_from_queue(ahead, number);
}

void
ssdpar_read_ahead_end(SsdparReadAhead *ahead)
{
#ifdef SSDPAR_HAS_READ_STREAM
	if (ahead->stream)
		ssdpar_page_stream_end(ahead->stream);
#endif
	if (ahead->queue.list)
		ssdpar_page_list_close(ahead->queue.list);
}
