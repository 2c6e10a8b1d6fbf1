/*
 * page_queue.h
 *		Which pages of a bitmap a process reads next, and which of them it has
 *		asked for.
 *
 * Page numbers count the pages of the bitmap, in block order.  They are claimed
 * in ranges (by one process alone, or from the allocator that a parallel scan
 * shares), queued, and announced by a page list as far ahead as
 * read_distance.c's rule has it; the list itself limits the requests to the
 * depth, as one request may have many pages.
 *
 * Nothing here reads a page: who does takes them from the front.
 */
#ifndef SSDPAR_PAGE_QUEUE_H
#define SSDPAR_PAGE_QUEUE_H

#include "prefetch/page_list.h"
#include "prefetch/read_distance.h"
#include "starscan/exec/counters.h"
#include "starscan/exec/page_allocator.h"
#include "tids/tid_pages.h"

/* Pages queued at most; a power of two. */
#define SSDPAR_QUEUE_PAGES 4096

/*
 * Positions count the pages that this process claimed.  Invariant: consumed <=
 * queued < consumed + SSDPAR_QUEUE_PAGES, and announced <= queued; announced
 * lags behind consumed while nothing is announced, and is moved up when that
 * begins: with a stream, to the first page that it was not given, consumed <=
 * given <= queued.  The page before the one at consumed is still in the queue,
 * for a look whether the two are neighbours.
 */
typedef struct SsdparPageQueue
{
	const BlockNumber *blocks;
	uint32		npages;
	SsdparPageAllocator *allocator;
	SsdparReadCounters *counters;
	uint32		claimed;		/* first page number claimed, not queued */
	uint32		claimed_end;	/* the one after the last */

	uint64		queued;
	uint64		announced;
	uint64		consumed;
	uint64		given;			/* to a stream; without one 0 */
	uint64		passed;			/* consumed, of those announced */
	uint64		requests;		/* runs of neighbours announced ... */
	uint64		requests_done;	/* ... and come past */
	int			depth;
	SsdparReadDistance distance;
	SsdparPageList *list;		/* NULL: nothing is announced */
	uint32		numbers[SSDPAR_QUEUE_PAGES];
} SsdparPageQueue;

/*
 * For memory that is zero.  allocator divides the pages among processes; NULL:
 * this one reads them all.  depth: requests to keep ahead.
 */
extern void ssdpar_page_queue_init(SsdparPageQueue *queue,
								   const SsdparTidPages *pages,
								   SsdparPageAllocator *allocator,
								   SsdparReadCounters *counters, int depth);

/* Announce pages by this list; never called: announce none. */
extern void ssdpar_page_queue_announce_by(SsdparPageQueue *queue,
										  SsdparPageList *list);

/* Queue one more page, whatever the distance; false after the last one. */
extern bool ssdpar_page_queue_add(SsdparPageQueue *queue);

/* Queue and announce pages, once half of the distance has been read. */
extern void ssdpar_page_queue_fill(SsdparPageQueue *queue);

/*
 * The page at the front has been read: found in shared buffers (hit), or else
 * waited for.  was_announced: by the list, before it was read.
 */
extern void ssdpar_page_queue_consumed(SsdparPageQueue *queue,
									   bool was_announced, bool hit,
									   bool waited);

/* The page number at a position, of those queued or the last one consumed. */
static inline uint32
ssdpar_page_queue_number(const SsdparPageQueue *queue, uint64 position)
{
	return queue->numbers[position % SSDPAR_QUEUE_PAGES];
}

#endif							/* SSDPAR_PAGE_QUEUE_H */
