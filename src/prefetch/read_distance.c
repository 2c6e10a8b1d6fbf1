/*
 * read_distance.c
 *		How many pages to read ahead of a reader of scattered pages.
 *
 * The header explains the rule.  Decay and nearness are needed because a few
 * interruptions while reading cached pages would otherwise cause thousands of
 * useless announcements, each of them a system call
 * (docs/internals/star-scan.md).
 */
#include "prefetch/read_distance.h"

#include <assert.h>
#include <string.h>

/* Successive pages in shared buffers after which nothing is announced. */
#define HIT_PAGES 256

/* Decay is doubled up to this limit. */
#define MAX_DECAY 65536

/* Two waits at most this many pages apart are not a coincidence. */
#define NEAR_PAGES 16

static uint32_t
least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Number of reads without a wait after which half of the distance is tried. */
static uint32_t
needed_calm(const SsdparReadDistance *distance)
{
	uint32_t	twice = 2 * distance->distance;

	return distance->decay > twice ? distance->decay : twice;
}

void
ssdpar_read_distance_init(SsdparReadDistance *distance, uint32_t max)
{
	memset(distance, 0, sizeof(SsdparReadDistance));
	distance->max = max;
	distance->decay = SSDPAR_FIRST_DECAY;
}

/*
 * A wait soon after halving shows that the distance was useful.  It grows at
 * most once per half of it, because pages announced since it last grew have
 * not been reached yet, so their effect is unknown.
 */
static void
note_wait(SsdparReadDistance *distance)
{
	bool		near = distance->position - distance->waited_at <= NEAR_PAGES;
	uint32_t	grown = 2 * distance->distance;

	distance->waited_at = distance->position;
	if (distance->halved_at > 0 && distance->calm < needed_calm(distance))
		distance->decay = least(distance->decay * 2, MAX_DECAY);
	distance->halved_at = 0;
	distance->calm = 0;
	if ((!near && distance->distance == 0) ||
		distance->position - distance->grown_at < distance->distance / 2)
		return;
	if (grown < SSDPAR_FIRST_DISTANCE)
		grown = SSDPAR_FIRST_DISTANCE;
	distance->distance = least(grown, distance->max);
	if (distance->max > 0)
		distance->grown_at = distance->position;
}

void
ssdpar_read_distance_note(SsdparReadDistance *distance, bool hit, bool waited)
{
	distance->hits = hit ? distance->hits + 1 : 0;
	distance->position++;
	if (waited)
		note_wait(distance);
	else if (distance->hits >= HIT_PAGES)
		distance->distance = 0;
	else if (distance->distance > 0 &&
			 ++distance->calm >= needed_calm(distance))
	{
		distance->distance = distance->distance > SSDPAR_FIRST_DISTANCE ?
			distance->distance / 2 : 0;
		distance->halved_at = distance->position;
		distance->calm = 0;
	}
	assert(distance->distance <= distance->max);
	assert(distance->grown_at <= distance->position &&
		   distance->waited_at <= distance->position);
}
