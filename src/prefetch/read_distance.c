/*
 * read_distance.c
 *		How many pages to be ahead of a reader of scattered pages.
 *
 * The rule is told in the header.  Before decay and nearness were asked for,
 * four interruptions in 10,822 cached pages made it announce 6,000 to 10,800
 * of those, each a system call that did nothing (docs/internals/star-scan.md).
 */
#include "prefetch/read_distance.h"

#include <assert.h>
#include <string.h>

/* Pages in shared buffers in a row after which nothing is announced. */
#define HIT_PAGES 256

/* Decay doubles up to this. */
#define MAX_DECAY 65536

/* Two waits that are no more pages apart are not by chance. */
#define NEAR_PAGES 16

static uint32_t
least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Reads without a wait that are enough to try half of the distance. */
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
 * A wait soon after halving tells that the distance had been of use.  It grows
 * at most once while half of it goes by: what was announced since it grew last
 * has not been reached before, and says nothing.
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

void
ssdpar_read_distance_skip(SsdparReadDistance *distance, uint32_t pages)
{
	distance->position += pages;
}
