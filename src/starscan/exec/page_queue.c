/*
 * page_queue.c
 *		Which pages of a bitmap a process reads next, and which of them it has
 *		asked for.
 */
#include "postgres.h"

#include "starscan/exec/page_queue.h"

/* Pages claimed at once in a parallel scan: at most 512 kB of neighbours. */
#define CLAIM_PAGES 64

/* Pages that one request may have, by the size of a request (page_list.h). */
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

/* The next page number of this process; false after the last one. */
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

/* Is the page at this position the neighbour of the one before it? */
static bool
is_neighbour(const SsdparPageQueue *queue, uint64 position)
{
	return position > 0 &&
		queue->blocks[ssdpar_page_queue_number(queue, position)] ==
		queue->blocks[ssdpar_page_queue_number(queue, position - 1)] + 1;
}

/*
 * Claim pages up to the distance, one at least.  Towards the end of a parallel
 * scan fewer: what others could read while this process is busy must not pile
 * up here.
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

/* The first page that nobody has asked for, or read. */
static inline uint64
first_unasked(const SsdparPageQueue *queue)
{
	return Max(Max(queue->announced, queue->consumed), queue->given);
}

/* Tell the list of all that is queued. */
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
