/*
 * page_queue.c
 *		Decides which pages of a bitmap a process reads next, and which of
 *		them it requests in advance.
 */
#include "postgres.h"

#include "starscan/exec/page_queue.h"

/* Pages claimed at once in a parallel scan, at most 512 kB if adjacent.  */
#define CLAIM_PAGES 64

/* Maximum number of pages in one request; see page_list.h.  */
#define PAGES_PER_REQUEST 32

void
ssdpar_page_queue_init(SsdparPageQueue *queue, const SsdparTidPages *pages,
					   SsdparPageAllocator *allocator,
					   SsdparReadCounters *counters, int depth)
{
	queue->blocks = ssdpar_tid_pages_blocks(pages);
	queue->npages = ssdpar_tid_pages_count(pages);
	queue->allocator = allocator;
	queue->counters = counters;
	queue->depth = depth;
	if (allocator == NULL)
		queue->claimed_end = queue->npages;
	ssdpar_read_distance_init(&queue->distance, 0);
}

void
ssdpar_page_queue_announce_by(SsdparPageQueue *queue, SsdparPageList *list)
{
	queue->list = list;
	ssdpar_read_distance_init(&queue->distance,
							  Min(queue->depth * PAGES_PER_REQUEST,
								  SSDPAR_QUEUE_PAGES - 1));
}

/*
 * Claims the next page number of this process; returns false after the last
 * one.
 */
static bool
claim_page(SsdparPageQueue *queue, uint32 *number)
{
	if (queue->claimed == queue->claimed_end)
	{
		uint32		count = 0;

		if (queue->allocator != NULL)
			count = ssdpar_page_allocator_claim(queue->allocator, queue->npages,
												CLAIM_PAGES, &queue->claimed);
		if (count == 0)
			return false;
		queue->claimed_end = queue->claimed + count;
	}
	*number = queue->claimed++;
	return true;
}

bool
ssdpar_page_queue_add(SsdparPageQueue *queue)
{
	uint32		number;

	if (!claim_page(queue, &number))
		return false;
	queue->numbers[queue->queued++ % SSDPAR_QUEUE_PAGES] = number;
	return true;
}

/* Is the page at this position adjacent to the one before it?  */
static bool
is_neighbour(const SsdparPageQueue *queue, uint64 position)
{
	return position > 0 &&
		queue->blocks[ssdpar_page_queue_number(queue, position)] ==
		queue->blocks[ssdpar_page_queue_number(queue, position - 1)] + 1;
}

/*
 * Claims pages up to the distance, at least one.  Near the end of a parallel
 * scan the distance is reduced, because queued pages cannot be read by other
 * processes while this one is busy.
 */
static void
queue_pages(SsdparPageQueue *queue)
{
	uint32		distance = queue->distance.distance;
	uint64		until;

	if (queue->allocator != NULL && queue->queued > 0)
	{
		uint32		left = queue->npages -
			ssdpar_page_queue_number(queue, queue->queued - 1);
		uint32		fair = left / (2 * queue->allocator->nprocesses);

		distance = Min(distance, Max(fair, (uint32) queue->depth));
	}
	until = queue->consumed + Max(distance, 1);
	while (queue->queued < until && ssdpar_page_queue_add(queue))
		continue;
	Assert(queue->queued < queue->consumed + SSDPAR_QUEUE_PAGES);
}

/*
 * Returns the position of the first page that has been neither requested nor
 * read.
 */
static inline uint64
first_unasked(const SsdparPageQueue *queue)
{
	return Max(Max(queue->announced, queue->consumed), queue->given);
}

/* Adds all queued pages to the list.  */
static void
announce(SsdparPageQueue *queue)
{
	BlockNumber blocks[CLAIM_PAGES];
	int			n = 0;

	queue->announced = first_unasked(queue);
	queue->counters->asked += queue->queued - queue->announced;
	for (; queue->announced < queue->queued; queue->announced++)
	{
		uint32		number = ssdpar_page_queue_number(queue, queue->announced);

		if (is_neighbour(queue, queue->announced))
			queue->counters->merged++;
		else
			queue->requests++;
		blocks[n++] = queue->blocks[number];
		if (n == CLAIM_PAGES)
		{
			ssdpar_page_list_add(queue->list, blocks, n);
			n = 0;
		}
	}
	if (n > 0)
		ssdpar_page_list_add(queue->list, blocks, n);
}

void
ssdpar_page_queue_fill(SsdparPageQueue *queue)
{
	if (queue->queued - queue->consumed > queue->distance.distance / 2)
		return;
	queue_pages(queue);
	if (queue->distance.distance > 0)
		announce(queue);
}

void
ssdpar_page_queue_consumed(SsdparPageQueue *queue, bool was_announced,
						   bool hit, bool waited)
{
	SsdparReadCounters *counters = queue->counters;

	if (was_announced && !is_neighbour(queue, queue->consumed) &&
		queue->requests_done < queue->requests)
		queue->requests_done++;
	queue->consumed++;
	if (was_announced)
	{
		uint64		requests = queue->requests - queue->requests_done;

		ssdpar_page_list_advance(queue->list, ++queue->passed);
		requests = Min(requests,
					   ssdpar_page_list_open_requests(queue->list));
		counters->depth_sum += requests;
		counters->depth_n++;
		counters->depth_max = Max(counters->depth_max, requests);
	}
	counters->waits += waited;
	ssdpar_read_distance_note(&queue->distance, hit, waited);
}
