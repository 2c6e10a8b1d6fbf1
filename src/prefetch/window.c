/*
 * window.c
 *		Which blocks to announce next, ahead of a sequential scan.
 *
 * How far ahead: as far as the scan has come already, but at least a first
 * megabyte or so and at most the window.  So the distance doubles as the scan
 * goes on, and a scan that LIMIT ends early has wasted little.  The end of
 * what is announced moves in steps, so that one message carries several reads.
 *
 * Parallel scans need no shared state for that.  The server hands out chunks
 * of blocks, each to one process, in the order of the scan.  Where the
 * announced part ends is a function of how far the hand-out has come; whoever
 * is handed the blocks from a to b announces what this function gains between
 * a and b.  So everything is announced, by exactly one process.  Only where
 * chunks are nearly as large as the window (tables of tens of gigabytes) would
 * that run too far ahead: there each chunk is treated as a scan of its own.
 */
#include "prefetch/window.h"

#include <assert.h>

/* A chunk is large from this share of the window on. */
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
				   uint32_t nblocks, uint32_t start, bool backward)
{
	assert(nblocks > 0 && start < nblocks && sizes->io > 0);
	*window = (SsdparWindow) {
		.sizes = *sizes,
		.nblocks = nblocks,
		.start = start,
		.backward = backward,
		.limit = nblocks,
	};
}

static uint64_t
offset_of(const SsdparWindow *window, uint32_t block)
{
	uint64_t	n = window->nblocks;

	if (window->backward)
		return (n - 1 + window->start - block) % n;
	return (n + block - window->start) % n;
}

static uint32_t
block_at(const SsdparWindow *window, uint64_t offset)
{
	uint64_t	n = window->nblocks;

	if (window->backward)
		return (uint32_t) ((2 * n - 1 + window->start - offset) % n);
	return (uint32_t) ((window->start + offset) % n);
}

/* Where the announced part shall end when the scan has come to offset. */
static uint64_t
frontier_at(const SsdparWindow *window, uint64_t offset)
{
	const SsdparWindowSizes *sizes = &window->sizes;
	uint64_t	ahead = smaller(sizes->window,
								sizes->first + (offset - window->base));
	uint64_t	step = smaller(larger(sizes->io, sizes->first),
							   larger(sizes->window / 4, 1));
	uint64_t	end = offset + ahead;

	/* What is left at the end of the table is no step of its own. */
	if (end >= window->limit)
		return window->limit;
	return end - end % step;
}

uint64_t
ssdpar_window_unused(const SsdparWindow *window)
{
	/* Other processes have read what is announced up to the end. */
	if (window->frontier <= window->next ||
		(window->shared && window->frontier == window->limit))
		return window->wasted;
	return window->wasted + window->frontier - window->next;
}

/* Begin with a small window at this offset. */
static void
start_at(SsdparWindow *window, uint64_t offset, uint64_t limit)
{
	window->wasted = ssdpar_window_unused(window);
	window->base = offset;
	window->next = offset + 1;
	window->frontier = window->next;
	window->limit = limit;
	window->quiet_until = 0;
}

static SsdparFollowed
announce_up_to(SsdparWindow *window, uint64_t target, SsdparSpan *span)
{
	window->frontier = larger(window->frontier, window->next);
	if (target <= window->frontier)
		return SSDPAR_FOLLOW_NOTHING;
	span->from = window->frontier;
	span->to = target;
	window->frontier = target;
	return SSDPAR_FOLLOW_ANNOUNCE;
}

SsdparFollowed
ssdpar_window_follow(SsdparWindow *window, uint32_t block, SsdparSpan *span)
{
	uint64_t	offset = offset_of(window, block);
	uint64_t	target;

	if (window->next == 0)
	{
		/*
		 * A query that is content with the rows of one block gets no more.
		 */
		start_at(window, offset, window->nblocks);
		return SSDPAR_FOLLOW_NOTHING;
	}
	if (offset + 1 < window->next)
	{
		start_at(window, offset, window->nblocks);
		return SSDPAR_FOLLOW_RESTART;
	}
	window->next = offset + 1;
	if (offset < window->quiet_until)
		return SSDPAR_FOLLOW_NOTHING;
	target = frontier_at(window, offset);
	if (window->quiet_until > 0)
	{
		/* A small part, but as far ahead as always. */
		window->quiet_until = 0;
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

/* The share of what is announced that falls to whoever got this chunk. */
static SsdparFollowed
announce_share(SsdparWindow *window, uint64_t begin, uint64_t end,
			   SsdparSpan *span)
{
	window->shared = true;
	window->base = 0;
	window->limit = window->nblocks;
	span->from = frontier_at(window, begin);
	span->to = frontier_at(window, end);
	if (end <= window->quiet_until || span->to <= span->from)
		return SSDPAR_FOLLOW_NOTHING;
	window->frontier = span->to;
	return SSDPAR_FOLLOW_ANNOUNCE;
}

SsdparFollowed
ssdpar_window_follow_chunk(SsdparWindow *window, uint32_t block,
						   uint64_t chunk_end, uint32_t chunk_size,
						   SsdparSpan *span)
{
	uint64_t	end = smaller(chunk_end, window->nblocks);
	uint64_t	offset = offset_of(window, block);
	bool		new_chunk = chunk_end != window->chunk_end;

	window->chunk_end = chunk_end;
	if (chunk_size > window->sizes.window / LARGE_CHUNK)
	{
		if (new_chunk)
			start_at(window, offset, end);
		return ssdpar_window_follow(window, block, span);
	}
	window->next = larger(window->next, offset + 1);
	if (new_chunk && chunk_end < window->next)
		window->next = offset + 1;	/* the scan began anew */
	if (new_chunk)
		return announce_share(window, chunk_end - chunk_size, end, span);
	return SSDPAR_FOLLOW_NOTHING;
}

void
ssdpar_window_quiet(SsdparWindow *window, const SsdparSpan *span)
{
	window->frontier = span->from;
	window->quiet_until = window->next + window->sizes.window;
}

/* How many blocks from block on, counted in one direction, make one read. */
static uint32_t
read_length(const SsdparWindow *window, uint32_t block)
{
	uint32_t	io = window->sizes.io;
	uint32_t	in_segment = block % window->sizes.segment;
	uint32_t	segment_left = window->sizes.segment - in_segment;

	if (window->backward)
		return in_segment % io + 1;
	return (uint32_t) smaller(io - in_segment % io,
							  smaller(segment_left,
									  window->nblocks - block));
}

bool
ssdpar_window_next_read(const SsdparWindow *window, SsdparSpan *span,
						uint32_t *block, uint32_t *count)
{
	uint32_t	at;

	if (span->from >= span->to)
		return false;
	at = block_at(window, span->from);
	*count = (uint32_t) smaller(read_length(window, at),
								span->to - span->from);
	*block = window->backward ? at + 1 - *count : at;
	span->from += *count;
	return true;
}
