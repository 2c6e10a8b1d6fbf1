/*
 * read_distance.h
 *		How many pages to be ahead of a reader of scattered pages, by what
 *		reading them is like.  Pure arithmetic: no page, no clock, no server.
 *
 *		distance 0	nothing is announced: so it begins, and so it is again
 *					after HIT_PAGES in shared buffers in a row
 *		distance n	as many pages; a read that waits doubles it, once for each
 *					time that half of it has gone by; many in a row that do not
 *					wait ("decay" of them) halve it, down to 0
 *
 * Reads that do not wait may be fast because of what was announced, or because
 * all is in the page cache anyway: halving finds out.  If a read soon waits
 * again it was the former, and the next try comes twice as late.  A read can
 * seem to wait when the process was only interrupted, so it takes two close
 * to each other to leave 0, but for the very first.
 *
 * So a query that ends after a few rows (LIMIT) has asked for a few pages too
 * many, a table in memory costs no request at all, and a cold one is read at
 * full depth after some tens of pages.
 *
 * The words are those of the server's read streams (read_stream.c), which
 * double their distance when they have to read and let it decay page by page
 * when all is in shared buffers; they cannot tell the page cache from the
 * device, which is what the waits are for.
 */
#ifndef SSDPAR_READ_DISTANCE_H
#define SSDPAR_READ_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Positions count the pages read.  Invariants: distance <= max; grown_at,
 * waited_at and halved_at <= position; decay >= SSDPAR_FIRST_DECAY, which only
 * grows; while the distance is 0 nothing is calm or can be halved.
 */
typedef struct SsdparReadDistance
{
	uint32_t	distance;
	uint32_t	max;			/* 0: never announce anything */
	uint64_t	position;
	uint64_t	grown_at;		/* position when the distance grew last */
	uint64_t	waited_at;		/* ... when a read waited last */
	uint64_t	halved_at;		/* ... when it was halved, 0 once tested */
	uint32_t	decay;			/* reads without a wait before halving */
	uint32_t	calm;			/* reads since a wait, or a halving */
	uint32_t	hits;			/* in shared buffers, in a row */
} SsdparReadDistance;

/*
 * A read that takes longer, in microseconds, has waited for the device (a copy
 * from the page cache takes 1 to 5).
 */
#define SSDPAR_WAIT_US 30.0

#define SSDPAR_FIRST_DISTANCE 4
#define SSDPAR_FIRST_DECAY 256

extern void ssdpar_read_distance_init(SsdparReadDistance *distance,
									  uint32_t max);

/* One more page was read: from shared buffers (hit), or else waited for. */
extern void ssdpar_read_distance_note(SsdparReadDistance *distance, bool hit,
									  bool waited);

/* About so many pages were read that nobody has looked at. */
extern void ssdpar_read_distance_skip(SsdparReadDistance *distance,
									  uint32_t pages);

#endif							/* SSDPAR_READ_DISTANCE_H */
