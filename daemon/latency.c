/*
 * latency.c
 *		What the latencies of a device's reads say.
 *
 * A flash device that collects garbage answers most reads as always and a few
 * of them many times later, when they wait for an erase (milliseconds).  So
 * what counts is not the latency but how far its tail is from the median that
 * the same kind of reads had until now.  scheduler_policy.c decides what to do
 * about it.
 */
#include "latency.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Ten times the median is beyond what queueing at a bounded depth does; below
 * five milliseconds there is nothing to gain by holding requests back.
 */
#define TAIL_FACTOR 10
#define TAIL_FLOOR_US 5000

/* One slow read in a window is an accident, two are a tail. */
#define TAIL_RANK (SSDPARD_WINDOW - 2)

/*
 * Windows in succession in which nearly all reads are slow, so that there is
 * no tail: then it is another device than it was (a volume moved to disks, a
 * limit of the cloud's), and what it does now is the usual.  Collecting that
 * keeps all of a device busy ends before, or is all that there is to see.
 */
#define CHANGED_WINDOWS 16

static int
compare(const void *left, const void *right)
{
	uint32_t	a = *(const uint32_t *) left;
	uint32_t	b = *(const uint32_t *) right;

	return (a > b) - (a < b);
}

/* Of a full window; sorts it. */
static SsdpardVerdict
judge(SsdpardWindow *window)
{
	uint32_t	median;
	uint32_t	tail;

	qsort(window->samples, SSDPARD_WINDOW, sizeof(uint32_t), compare);
	median = window->samples[SSDPARD_WINDOW / 2];
	tail = window->samples[TAIL_RANK];

	/* 0 means that there is no median yet */
	if (window->median == 0)
		window->median = median > 0 ? median : 1;
	if (tail > TAIL_FLOOR_US &&
		tail / TAIL_FACTOR > window->median)
	{
		window->slow = tail / TAIL_FACTOR > median ? 0 : window->slow + 1;
		if (window->slow < CHANGED_WINDOWS)
			return SSDPARD_COLLECTING;
		window->median = median;
	}
	window->slow = 0;

	/* an eighth of the way; the median itself must not follow the garbage */
	window->median = (uint32_t) (((uint64_t) window->median * 7 + median) / 8);
	if (window->median == 0)
		window->median = 1;
	return SSDPARD_CALM;
}

SsdpardVerdict
ssdpard_window_add(SsdpardWindow *window, uint32_t us)
{
	assert(window->count < SSDPARD_WINDOW);
	window->samples[window->count++] = us;
	if (window->count < SSDPARD_WINDOW)
		return SSDPARD_NO_VERDICT;
	window->count = 0;
	return judge(window);
}

void
ssdpard_recent_add(SsdpardRecent *recent, uint32_t us)
{
	recent->samples[recent->count++ % SSDPARD_RECENT] = us;
}

uint32_t
ssdpard_recent_quantile(const SsdpardRecent *recent, double share)
{
	uint32_t	sorted[SSDPARD_RECENT];
	size_t		count = recent->count < SSDPARD_RECENT ? (size_t) recent->count
		: SSDPARD_RECENT;

	if (count == 0)
		return 0;
	memcpy(sorted, recent->samples, count * sizeof(uint32_t));
	qsort(sorted, count, sizeof(uint32_t), compare);
	return sorted[(size_t) (share * (double) (count - 1) + 0.5)];
}
