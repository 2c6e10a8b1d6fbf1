/*
 * latency.c
 *		Detects garbage collection from the latencies of a device's reads.
 *
 * While a flash device collects garbage, most reads take as long as always,
 * but a few wait for an erase (milliseconds) and take many times longer.  So
 * the criterion is not the latency but the distance of its tail from the
 * median that reads of this kind have had so far.  scheduler_policy.c decides
 * how to react.
 */
#include "latency.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Queueing at a bounded depth does not reach ten times the median, and below
 * five milliseconds nothing is gained by holding back requests.
 */
#define TAIL_FACTOR 10
#define TAIL_FLOOR_US 5000

/* One slow read in a window may be an accident, two are a tail. */
#define TAIL_RANK (SSDPARD_WINDOW - 2)

/*
 * Number of successive windows in which nearly all reads are slow after which
 * the device is considered to have changed (a volume moved to disks, a cloud
 * provider's limit), so that the present latencies are its usual ones.
 * Garbage collection that occupies the whole device ends sooner, or is
 * permanent.
 */
#define CHANGED_WINDOWS 16

static int
compare(const void *left, const void *right)
{
	uint32_t	a = *(const uint32_t *) left;
	uint32_t	b = *(const uint32_t *) right;

	return (a > b) - (a < b);
}

/* Judges a full window; sorts it. */
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

	/*
	 * moves by an eighth, so that the median does not follow the garbage
	 * collection
	 */
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
