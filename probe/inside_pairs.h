/*
 * inside_pairs.h
 *		Timing of pairs of reads, and writing, on a probed device.
 */
#ifndef SSDPAR_PROBE_INSIDE_PAIRS_H
#define SSDPAR_PROBE_INSIDE_PAIRS_H

#include "inside.h"

/* With more visits a median does not improve. */
#define PROBE_MOST_VISITS 45

/* A device being probed.  The sums include all requests to it. */
typedef struct ProbeProbing
{
	const ProbeInsideDevice *device;
	uint64_t	random;
	double		spent;			/* ns, in requests */
	uint64_t	pairs;
	uint64_t	bytes_read;
	uint64_t	bytes_written;
} ProbeProbing;

/* Two reads to be issued concurrently; offsets are in bytes. */
typedef struct ProbePair
{
	uint64_t	first;
	uint64_t	second;
	int			kind;			/* the caller's */
	double		time;			/* ns, the median of its visits */
} ProbePair;

/*
 * Times COUNT pairs of reads of SIZE bytes, VISITS times each; STAGE is for
 * the progress callback.
 */
extern bool ssdpar_probe_time_pairs(ProbeProbing *probing, ProbePair *pairs,
									int count, uint32_t size, int visits,
									const char *stage);

/* Writes BYTES at OFFSET, one request after the other. */
extern bool ssdpar_probe_overwrite(ProbeProbing *probing, uint64_t offset,
								   uint64_t bytes);

/* Random number from 0 to LIMIT - 1. */
extern int	ssdpar_probe_below(ProbeProbing *probing, int limit);

/* Reports the current activity and the completed fraction. */
extern void ssdpar_probe_say(const ProbeProbing *probing, const char *stage,
							 double share);

#endif							/* SSDPAR_PROBE_INSIDE_PAIRS_H */
