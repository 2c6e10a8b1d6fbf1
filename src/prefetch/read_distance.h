/*
 * read_distance.h
 *		How many pages to read ahead of a reader of scattered pages,
 *		depending on how long its reads take.  Pure arithmetic: no page, no
 *		clock, no server.
 *
 *		distance 0	nothing is announced: initially, and again after HIT_PAGES
 *					successive pages in shared buffers
 *		distance n	n pages are announced; a read that waits doubles it, once
 *					for each half of it that has been read; many successive
 *					reads without a wait ("decay" of them) halve it, down to 0
 *
 * Reads that do not wait may be fast because they were announced, or because
 * everything is in the page cache anyway.  Halving finds out: if a read waits
 * soon after, the announcements were useful, and the next attempt is made
 * after twice as many reads.  A read may seem to wait if the process was
 * merely interrupted, so except for the very first wait, two close to each
 * other are needed to leave 0.
 *
 * Therefore a query that ends after a few rows (LIMIT) has requested only a
 * few pages too many, a table in memory causes no request at all, and a cold
 * one is read at full depth after some tens of pages.
 *
 * The terms are those of the server's read streams (read_stream.c), which
 * double their distance when they have to read and decrease it page by page
 * when all is in shared buffers.  They cannot distinguish the page cache from
 * the device, whereas the waits can.
 */
#ifndef SSDPAR_READ_DISTANCE_H
#define SSDPAR_READ_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Positions count the pages read.  Invariants: distance <= max; grown_at,
 * waited_at and halved_at <= position; decay >= SSDPAR_FIRST_DECAY and never
 * decreases.  While the distance is 0, calm is not increased and nothing is
 * halved.
 */
typedef struct SsdparReadDistance
{
	uint32_t	distance;
	uint32_t	max;			/* 0: never announce anything */
	uint64_t	position;
	uint64_t	grown_at;		/* position when the distance last grew */
	uint64_t	waited_at;		/* ... when a read last waited */
	uint64_t	halved_at;		/* ... when it was halved, 0 after the test */
	uint32_t	decay;			/* reads without a wait until halving */
	uint32_t	calm;			/* reads since the last wait or halving */
	uint32_t	hits;			/* successive pages in shared buffers */
} SsdparReadDistance;

/*
 * A read that takes longer than this, in microseconds, has waited for the
 * device.  A copy from the page cache is much faster.
 */
#define SSDPAR_WAIT_US 30.0

#define SSDPAR_FIRST_DISTANCE 4
#define SSDPAR_FIRST_DECAY 256

extern void ssdpar_read_distance_init(SsdparReadDistance *distance,
									  uint32_t max);

/* One more page was read, from shared buffers (hit) or with a wait. */
extern void ssdpar_read_distance_note(SsdparReadDistance *distance, bool hit,
									  bool waited);

#endif							/* SSDPAR_READ_DISTANCE_H */
