/*
 * inside_pairs.h
 *		Times of pairs of reads, and writes, of a device that is probed.
 */
#ifndef SSDPAR_PROBE_INSIDE_PAIRS_H
#define SSDPAR_PROBE_INSIDE_PAIRS_H

#include "inside.h"

/* A median of more visits says nothing that one of so many does not. */
#define PROBE_MOST_VISITS 45

/* One device being probed.  Sums are of all that was asked of it. */
typedef struct ProbeProbing
{
	const ProbeInsideDevice *device;
	uint64_t	random;
	double		spent;			/* ns, in requests */
	uint64_t	pairs;
	uint64_t	bytes_read;
	uint64_t	bytes_written;
} ProbeProbing;

/* Two reads to be issued at once; offsets are bytes. */
typedef struct ProbePair
{
	uint64_t	first;
	uint64_t	second;
	int			kind;			/* the caller's */
	double		time;			/* ns, the median of its visits */
} ProbePair;

/*
 * Time COUNT pairs of reads of SIZE bytes, VISITS times each; STAGE is for the
 * progress callback.
 */
extern bool ssdpar_probe_time_pairs(ProbeProbing *probing, ProbePair *pairs,
									int count, uint32_t size, int visits,
									const char *stage);

/* Write BYTES at OFFSET, one request after the other. */
extern bool ssdpar_probe_overwrite(ProbeProbing *probing, uint64_t offset,
								   uint64_t bytes);

/* From 0 to LIMIT less one. */
extern int	ssdpar_probe_below(ProbeProbing *probing, int limit);

/* Say what is being done, and its share. */
extern void ssdpar_probe_say(const ProbeProbing *probing, const char *stage,
							 double share);

#endif							/* SSDPAR_PROBE_INSIDE_PAIRS_H */
