/*
 * window.h
 *		Which blocks to announce next, ahead of a sequential scan.
 *
 * No server header is included, so that unit tests can use it alone.
 * scan_window.c decides who announces them, and how.
 *
 * All arithmetic uses offsets: the number of blocks that the scan reads before
 * a block.  So only the conversion from offsets to blocks deals with the
 * wraparound of synchronized scans.
 */
#ifndef SSDPAR_WINDOW_H
#define SSDPAR_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* All sizes are in blocks. */
typedef struct SsdparWindowSizes
{
	uint32_t	window;			/* maximum distance */
	uint32_t	first;			/* initial distance */
	uint32_t	io;				/* size of one read */
	uint32_t	segment;		/* blocks in one file */
	uint32_t	grace;			/* announce nothing before this offset */
} SsdparWindowSizes;

/*
 * Invariant, once anything has been announced: frontier <= limit <= nblocks.
 * Blocks at offsets below frontier are not announced again unless the scan
 * starts over.
 */
typedef struct SsdparWindow
{
	SsdparWindowSizes sizes;
	uint32_t	nblocks;		/* of the table */
	uint32_t	start;			/* block at which the scan starts */
	uint64_t	base;			/* offset from which the window grows */
	uint64_t	next;			/* offset after the block read last */
	uint64_t	frontier;		/* offset of the first block not announced */
	uint64_t	limit;			/* offset before which to stop */
	uint64_t	resume_at;		/* announce nothing before this offset */
	uint64_t	chunk_end;		/* parallel scans: end of this process's chunk
								 * of blocks */
	bool		shared;			/* processes share the announced part */
	uint64_t	wasted;			/* announced before a restart and never read */
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
	SSDPAR_WINDOW_RESTART,		/* the scan started over: cancel what is
								 * announced; there is no span */
} SsdparWindowStep;

/* A scan of nblocks blocks (at least one) that starts at block start. */
extern void ssdpar_window_init(SsdparWindow *window,
							   const SsdparWindowSizes *sizes,
							   uint32_t nblocks, uint32_t start);

/* A scan by one process has reached this block. */
extern SsdparWindowStep ssdpar_window_advance(SsdparWindow *window,
											  uint32_t block, SsdparSpan *span);

/*
 * A process of a parallel scan has reached this block, in the chunk of blocks
 * that was handed to it, which ends before offset chunk_end.  Each chunk is
 * treated separately.
 */
extern SsdparWindowStep ssdpar_window_advance_chunk(SsdparWindow *window,
													uint32_t block,
													uint64_t chunk_end,
													SsdparSpan *span);

/* Are chunks of that size small enough for the next function? */
extern bool ssdpar_window_can_share(const SsdparWindow *window,
									uint32_t chunk_size);

/*
 * The same if the processes share the word *common, in which tag identifies
 * the scan; handed_out blocks have been handed out to all of them.  Words may
 * be shared with other scans too; then some blocks are announced twice.
 */
extern SsdparWindowStep ssdpar_window_advance_shared(SsdparWindow *window,
													 uint64_t handed_out,
													 uint64_t *common,
													 uint32_t tag,
													 SsdparSpan *span);

/*
 * Is the span so far ahead of the scan that the kernel's own read-ahead does
 * not reach it?  Only then does finding it cached mean that the table is
 * cached.
 */
extern bool ssdpar_window_is_far(const SsdparWindow *window,
								 const SsdparSpan *span);

/*
 * The announced blocks turned out to be in memory already.  So this span is
 * not announced, nor anything for one window; then a small part is tried.
 */
extern void ssdpar_window_back_off(SsdparWindow *window,
								   const SsdparSpan *span);

/* The scan ends: at this block, or (UINT32_MAX) after its last one. */
extern void ssdpar_window_end(SsdparWindow *window, uint32_t block);

/*
 * Number of announced blocks that the scan has not reached.  Scans with a
 * shared frontier are not counted.
 */
extern uint64_t ssdpar_window_unused(const SsdparWindow *window);

/*
 * Removes the next read from the front of span: count blocks starting with
 * block, in one file, at most one io in size and ending at a multiple of it.
 * Returns false if the span is empty.
 */
extern bool ssdpar_window_next_read(const SsdparWindow *window,
									SsdparSpan *span, uint32_t *block,
									uint32_t *count);

#endif							/* SSDPAR_WINDOW_H */
