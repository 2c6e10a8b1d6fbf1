/*
 * window.c
 *		Which blocks to announce next, ahead of a sequential scan.
 *
 * The distance is as far as the scan has advanced already, but at least about
 * a megabyte and at most the window.  So it doubles as the scan proceeds, and
 * a scan that LIMIT ends early has wasted little.  The end of the announced
 * part moves in steps, so that one message contains several reads.
 *
 * In a parallel scan the server hands out chunks of blocks, each to one
 * process, in the order of the scan.  All processes look ahead of the hand-out
 * position, so they share the end of the announced part: one 64-bit word in
 * shared memory.  The process that advances it by compare-and-swap has to
 * announce the difference.  Without shared memory, or if chunks are nearly as
 * large as the window (tables of tens of gigabytes), each chunk is treated
 * like a separate scan.
 */
#include "prefetch/window.h"

#include <assert.h>

/* Chunks of at least this fraction of the window (1 / n) are large. */
#define LARGE_CHUNK 4

static uint64_t
smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void
ssdpar_window_init(SsdparWindow *window, const SsdparWindowSizes *sizes,
				   uint32_t nblocks, uint32_t start)
{
	assert(nblocks > 0 && start < nblocks && sizes->io > 0);
	*window = (SsdparWindow) {
							  .sizes = *sizes,
							  .nblocks = nblocks,
							  .start = start,
							  .limit = nblocks,
		};
}

static uint64_t
offset_of(const SsdparWindow *window, uint32_t block)
{
	uint64_t	n = window->nblocks;

	return (n + block - window->start) % n;
}

static uint32_t
block_at(const SsdparWindow *window, uint64_t offset)
{
	uint64_t	n = window->nblocks;

	return (uint32_t) ((window->start + offset) % n);
}

/* Where the announced part should end when the scan has reached offset. */
static uint64_t
frontier_at(const SsdparWindow *window, uint64_t offset)
{
	const SsdparWindowSizes *sizes = &window->sizes;
	uint64_t	ahead = smaller(sizes->window,
								sizes->first + (offset - window->base));
	uint64_t	step = smaller(larger(sizes->io, sizes->first),
							   larger(sizes->window / 4, 1));
	uint64_t	end = offset + ahead;

	/* Include the rest of the table in the last step. */
	if (end >= window->limit)
		return window->limit;
	return end - end % step;
}

uint64_t
ssdpar_window_unused(const SsdparWindow *window)
{
	/* It is unknown what others have read after the scan has ended. */
	if (window->frontier <= window->next || window->shared)
		return window->wasted;
	return window->wasted + window->frontier - window->next;
}

/* Begins with a small window at this offset. */
static void
start_at(SsdparWindow *window, uint64_t offset, uint64_t limit)
{
	window->wasted = ssdpar_window_unused(window);
	window->base = offset;
	window->next = offset + 1;
	window->frontier = window->next;
	window->limit = limit;
	window->resume_at = 0;
}

static SsdparWindowStep
announce_up_to(SsdparWindow *window, uint64_t target, SsdparSpan *span)
{
	window->frontier = larger(window->frontier, window->next);
	if (target <= window->frontier)
		return SSDPAR_WINDOW_WAIT;
	span->from = window->frontier;
	span->to = target;
	window->frontier = target;
	return SSDPAR_WINDOW_ANNOUNCE;
}

SsdparWindowStep
ssdpar_window_advance(SsdparWindow *window, uint32_t block, SsdparSpan *span)
{
	uint64_t	offset = offset_of(window, block);
	uint64_t	target;

	if (window->next == 0)
	{
		/*
		 * A query that needs only the rows of the first few blocks gets no
		 * more, whether it begins here or returns to here.
		 */
		start_at(window, offset, window->nblocks);
		return SSDPAR_WINDOW_WAIT;
	}
	if (offset + 1 < window->next)
	{
		start_at(window, offset, window->nblocks);
		return SSDPAR_WINDOW_RESTART;
	}
	window->next = offset + 1;
	if (offset < window->resume_at ||
		offset - window->base < window->sizes.grace)
		return SSDPAR_WINDOW_WAIT;
	target = frontier_at(window, offset);
	if (window->resume_at > 0)
	{
		/* Announce a small part, but at the usual distance. */
		window->resume_at = 0;
		window->base = 0;
		target = frontier_at(window, offset);
		window->frontier = larger(window->frontier,
								  target - window->sizes.first);
	}
	return announce_up_to(window, target, span);
}

bool
ssdpar_window_is_far(const SsdparWindow *window, const SsdparSpan *span)
{
	return span->from >= window->next + window->sizes.window / 2;
}

SsdparWindowStep
ssdpar_window_advance_chunk(SsdparWindow *window, uint32_t block,
							uint64_t chunk_end, SsdparSpan *span)
{
	uint64_t	offset = offset_of(window, block);

	if (chunk_end != window->chunk_end)
	{
		window->chunk_end = chunk_end;
		start_at(window, offset, smaller(chunk_end, window->nblocks));
	}
	return ssdpar_window_advance(window, block, span);
}

bool
ssdpar_window_can_share(const SsdparWindow *window, uint32_t chunk_size)
{
	return chunk_size <= window->sizes.window / LARGE_CHUNK;
}

/* Advances the shared frontier to target; *from gets its previous value. */
static bool
move_frontier(const SsdparWindow *window, uint64_t *common, uint32_t tag,
			  uint64_t target, uint64_t *from)
{
	uint64_t	seen = __atomic_load_n(common, __ATOMIC_RELAXED);
	uint64_t	wanted = (uint64_t) tag << 32 | target;

	for (;;)
	{
		uint64_t	frontier = seen & UINT32_MAX;

		/*
		 * It belongs to another scan, or to this one before it started over;
		 * then it is further ahead than any process would have moved it.
		 */
		if (seen >> 32 != tag ||
			frontier > target + 2 * (uint64_t) window->sizes.window)
			*from = window->next;
		else if (frontier >= target)
			return false;
		else
			*from = frontier;
		if (__atomic_compare_exchange_n(common, &seen, wanted, false,
										__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return true;
	}
}

SsdparWindowStep
ssdpar_window_advance_shared(SsdparWindow *window, uint64_t handed_out,
							 uint64_t *common, uint32_t tag,
							 SsdparSpan *span)
{
	uint64_t	target;

	window->shared = true;
	window->base = 0;
	window->next = smaller(handed_out, window->nblocks);
	if (window->next < window->resume_at)
		return SSDPAR_WINDOW_WAIT;
	window->resume_at = 0;
	target = frontier_at(window, window->next);
	if (!move_frontier(window, common, tag, target, &span->from))
		return SSDPAR_WINDOW_WAIT;
	/* Blocks handed out since then are too late to announce. */
	span->from = larger(span->from, window->next);
	span->to = target;
	window->frontier = larger(target, window->frontier);
	return span->from < target ? SSDPAR_WINDOW_ANNOUNCE
		: SSDPAR_WINDOW_WAIT;
}

void
ssdpar_window_back_off(SsdparWindow *window, const SsdparSpan *span)
{
	window->frontier = span->from;
	window->resume_at = window->next + window->sizes.window;
}

void
ssdpar_window_end(SsdparWindow *window, uint32_t block)
{
	uint64_t	next = window->frontier;

	if (block < window->nblocks)
		next = offset_of(window, block) + 1;
	window->next = larger(window->next, next);
}

/* Number of blocks from block on that form one read. */
static uint32_t
read_length(const SsdparWindow *window, uint32_t block)
{
	uint32_t	io = window->sizes.io;
	uint32_t	in_segment = block % window->sizes.segment;
	uint32_t	segment_left = window->sizes.segment - in_segment;

	return (uint32_t) smaller(io - in_segment % io,
							  smaller(segment_left,
									  window->nblocks - block));
}

bool
ssdpar_window_next_read(const SsdparWindow *window, SsdparSpan *span,
						uint32_t *block, uint32_t *count)
{
	if (span->from >= span->to)
		return false;
	*block = block_at(window, span->from);
	*count = (uint32_t) smaller(read_length(window, *block),
								span->to - span->from);
	span->from += *count;
	return true;
}
