/*
 * latency.h
 *		What the latencies of a device's reads say.  Pure arithmetic: no clock.
 */
#ifndef SSDPARD_LATENCY_H
#define SSDPARD_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

#define SSDPARD_WINDOW 128		/* reads that are judged together */
#define SSDPARD_RECENT 512		/* reads that the status speaks of */

/*
 * A window of one kind of reads (those of one class on one device: others
 * have other latencies by nature).
 *
 * Invariant: count < SSDPARD_WINDOW between calls.
 */
typedef struct SsdpardWindow
{
	uint32_t	samples[SSDPARD_WINDOW];	/* us */
	int			count;
	uint32_t	median;			/* running, of all calm windows; 0: none yet */
	int			slow;			/* windows just now without a fast read */
} SsdpardWindow;

typedef enum SsdpardVerdict
{
	SSDPARD_NO_VERDICT,			/* the window is not full yet */
	SSDPARD_CALM,
	SSDPARD_COLLECTING,			/* the device seems to collect garbage */
} SsdpardVerdict;

extern SsdpardVerdict ssdpard_window_add(SsdpardWindow *window, uint32_t us);

/* The last reads, whatever their kind; zeroed memory is an empty one. */
typedef struct SsdpardRecent
{
	uint32_t	samples[SSDPARD_RECENT];
	uint64_t	count;			/* of all times */
} SsdpardRecent;

extern void ssdpard_recent_add(SsdpardRecent *recent, uint32_t us);

/* Share 0 to 1; 0 us if there was no read. */
extern uint32_t ssdpard_recent_quantile(const SsdpardRecent *recent,
										double share);

#endif							/* SSDPARD_LATENCY_H */
