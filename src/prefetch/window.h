/*
 * window.h
 *		Which blocks to announce next, ahead of a sequential scan.
 *
 * Pure: no server header, so that unit tests hold it alone.  Who announces
 * them, and how, scan_window.c decides.
 *
 * All arithmetic is done in offsets: the number of blocks that the scan hands
 * out before a block.  So wrap-around of synchronised scans and scanning
 * backward exist only where offsets are turned into blocks.
 */
#ifndef SSDPAR_WINDOW_H
#define SSDPAR_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* Everything in blocks. */
typedef struct SsdparWindowSizes
{
	uint32_t	window;			/* how far ahead at most */
	uint32_t	first;			/* how far ahead at the beginning */
	uint32_t	io;				/* size of one read */
	uint32_t	segment;		/* blocks in one file */
	uint32_t	grace;			/* nothing before the scan has come so far */
} SsdparWindowSizes;

/*
 * Invariant, once anything has been announced: frontier <= limit <= nblocks.
 * Of the blocks at offsets below frontier none is announced again, unless the
 * scan begins anew.
 */
typedef struct SsdparWindow
{
	SsdparWindowSizes sizes;
	uint32_t	nblocks;		/* of the table */
	uint32_t	start;			/* block at which the scan starts */
	bool		backward;
	uint64_t	base;			/* offset from which the window grows */
	uint64_t	next;			/* offset after the block read last */
	uint64_t	frontier;		/* offset of the first block not announced */
	uint64_t	limit;			/* offset before which to stop */
	uint64_t	resume_at;		/* announce nothing before this offset */
	uint64_t	chunk_end;		/* parallel scans: end of this process's chunk
								 * of blocks */
	bool		shared;			/* processes share what is announced */
	uint64_t	wasted;			/* announced before a restart, never read */
} SsdparWindow;

/* Blocks from offset from up to, but not including, offset to. */
typedef struct SsdparSpan
{
	uint64_t	from;
	uint64_t	to;
} SsdparSpan;

typedef enum SsdparWindowStep
{
	SSDPAR_WINDOW_WAIT,			/* nothing to announce now */
	SSDPAR_WINDOW_ANNOUNCE,		/* announce the span */
	SSDPAR_WINDOW_RESTART,		/* the scan began anew: cancel what is
								 * announced; there is no span */
} SsdparWindowStep;

/*
 * A scan of nblocks blocks (at least one) that starts at block start; going
 * backward it starts one block before that, as the server's scans do.
 */
extern void ssdpar_window_init(SsdparWindow *window,
							   const SsdparWindowSizes *sizes,
							   uint32_t nblocks, uint32_t start,
							   bool backward);

/* A scan by one process has come to this block. */
extern SsdparWindowStep ssdpar_window_advance(SsdparWindow *window,
											  uint32_t block, SsdparSpan *span);

/*
 * A process of a parallel scan has come to this block, in the chunk of blocks
 * that it was handed, which ends before offset chunk_end.  Each chunk is
 * followed by itself.
 */
extern SsdparWindowStep ssdpar_window_advance_chunk(SsdparWindow *window,
													uint32_t block,
													uint64_t chunk_end,
													SsdparSpan *span);

/* Are chunks of that size small enough for the following? */
extern bool ssdpar_window_can_share(const SsdparWindow *window,
									uint32_t chunk_size);

/*
 * The same when the processes share the word *common, in which the scan is
 * known by tag; handed_out blocks have been handed out to all of them.  Words
 * may be shared with other scans too: then some is announced twice.
 */
extern SsdparWindowStep ssdpar_window_advance_shared(SsdparWindow *window,
													 uint64_t handed_out,
													 uint64_t *common,
													 uint32_t tag,
													 SsdparSpan *span);

/*
 * Is the span so far ahead of the scan that the kernel's own read-ahead does
 * not get there?  Only what is found cached there says that the table is.
 */
extern bool ssdpar_window_is_far(const SsdparWindow *window,
								 const SsdparSpan *span);

/*
 * What was announced turned out to be in memory already.  So the span to
 * announce now is not announced, nor anything for one window; then comes a try
 * with a small part.
 */
extern void ssdpar_window_back_off(SsdparWindow *window,
								   const SsdparSpan *span);

/*
 * The scan ends: at this block, or (UINT32_MAX) with the last one of all.
 */
extern void ssdpar_window_end(SsdparWindow *window, uint32_t block);

/*
 * Blocks announced that the scan has not come to.  Those of a scan that was
 * followed in common are not counted.
 */
extern uint64_t ssdpar_window_unused(const SsdparWindow *window);

/*
 * Takes the next read off the front of span: count blocks from block on, in
 * one file, at most one io in size and ending at a multiple of it.  False if
 * the span is empty.
 */
extern bool ssdpar_window_next_read(const SsdparWindow *window,
									SsdparSpan *span, uint32_t *block,
									uint32_t *count);

#endif							/* SSDPAR_WINDOW_H */
