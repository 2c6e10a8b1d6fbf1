/*
 * latency.h
 *		Detects garbage collection from the latencies of a device's reads.
 *		Pure arithmetic without a clock.
 */
#ifndef SSDPARD_LATENCY_H
#define SSDPARD_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

#define SSDPARD_WINDOW 128		/* reads judged together */
#define SSDPARD_RECENT 512		/* reads that the status describes */

/*
 * A window of reads of one class on one device.  Other reads have different
 * latencies by nature.
 *
 * Invariant: count < SSDPARD_WINDOW between calls.
 */
typedef struct SsdpardWindow
{
	uint32_t	samples[SSDPARD_WINDOW];	/* us */
	int			count;
	uint32_t	median;			/* running median of all calm windows; 0: none
								 * yet */
	int			slow;			/* most recent windows in succession without a
								 * fast read */
} SsdpardWindow;

typedef enum SsdpardVerdict
{
	SSDPARD_NO_VERDICT,			/* the window is not full yet */
	SSDPARD_CALM,
	SSDPARD_COLLECTING,			/* the device seems to be collecting garbage */
} SsdpardVerdict;

extern SsdpardVerdict ssdpard_window_add(SsdpardWindow *window, uint32_t us);

/* The last reads of all kinds.  Zeroed memory is an empty struct. */
typedef struct SsdpardRecent
{
	uint32_t	samples[SSDPARD_RECENT];
	uint64_t	count;			/* since start */
} SsdpardRecent;

extern void ssdpard_recent_add(SsdpardRecent *recent, uint32_t us);

/* The quantile SHARE (0 to 1) in us, or 0 if there was no read. */
extern uint32_t ssdpard_recent_quantile(const SsdpardRecent *recent,
										double share);

#endif							/* SSDPARD_LATENCY_H */
