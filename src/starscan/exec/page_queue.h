/*
 * page_queue.h
 *		Decides which pages of a bitmap a process reads next, and which of
 *		them it requests in advance.
 *
 * Page numbers count the pages of the bitmap in block order.  A process claims
 * ranges of them, from the allocator of a parallel scan or all at once, queues
 * them, and announces them to a page list.  read_distance.c determines how far
 * ahead.  In addition, the list limits the number of requests to the depth,
 * because one request may have many pages.
 *
 * This file reads no pages; its callers take them from the front of the queue.
 */
#ifndef SSDPAR_PAGE_QUEUE_H
#define SSDPAR_PAGE_QUEUE_H

#include "prefetch/page_list.h"
#include "prefetch/read_distance.h"
#include "starscan/exec/counters.h"
#include "starscan/exec/page_allocator.h"
#include "tids/tid_pages.h"

/* Maximum number of queued pages; must be a power of two.  */
#define SSDPAR_QUEUE_PAGES 4096

/*
 * Positions count the pages that this process has claimed.
 *
 * Invariant: consumed <= queued < consumed + SSDPAR_QUEUE_PAGES, announced <=
 * queued, and with a stream consumed <= given <= queued.  announced lags
 * behind consumed while nothing is announced, and catches up when that begins;
 * with a stream, it moves to the first page that the stream has not been
 * given.  The page before the one at consumed is still in the queue, so that
 * the two can be compared for adjacency.
 */
typedef struct SsdparPageQueue
{
	const BlockNumber *blocks;
	uint32		npages;
	SsdparPageAllocator *allocator;
	SsdparReadCounters *counters;
	uint32		claimed;		/* first claimed page number not queued */
	uint32		claimed_end;	/* one past the last */

	uint64		queued;
	uint64		announced;
	uint64		consumed;
	uint64		given;			/* to a stream; without one 0 */
	uint64		passed;			/* number of consumed pages that were
								 * announced */
	uint64		requests;		/* announced runs of adjacent pages ... */
	uint64		requests_done;	/* ... of which these have been reached */
	int			depth;
	SsdparReadDistance distance;
	SsdparPageList *list;		/* NULL: nothing is announced */
	uint32		numbers[SSDPAR_QUEUE_PAGES];
} SsdparPageQueue;

/*
 * Initializes a zeroed queue.  allocator divides the pages among processes; if
 * it is NULL, this process reads them all.  depth is the number of requests to
 * keep ahead.
 */
extern void ssdpar_page_queue_init(SsdparPageQueue *queue,
								   const SsdparTidPages *pages,
								   SsdparPageAllocator *allocator,
								   SsdparReadCounters *counters, int depth);

/* Announces pages to this list.  If this is not called, none are announced.  */
extern void ssdpar_page_queue_announce_by(SsdparPageQueue *queue,
										  SsdparPageList *list);

/*
 * Queues one more page regardless of the distance; returns false after the
 * last one.
 */
extern bool ssdpar_page_queue_add(SsdparPageQueue *queue);

/* Queues and announces pages once half of the distance has been read.  */
extern void ssdpar_page_queue_fill(SsdparPageQueue *queue);

/*
 * Notes that the page at the front has been read.  hit means that it was in
 * shared buffers; waited, that the read waited; was_announced, that the list
 * announced it before.
 */
extern void ssdpar_page_queue_consumed(SsdparPageQueue *queue,
									   bool was_announced, bool hit,
									   bool waited);

/*
 * Returns the page number at the position of a queued page or of the last
 * consumed page.
 */
static inline uint32
ssdpar_page_queue_number(const SsdparPageQueue *queue, uint64 position)
{
	return queue->numbers[position % SSDPAR_QUEUE_PAGES];
}

#endif							/* SSDPAR_PAGE_QUEUE_H */
