/*
 * inside.h
 *		What a device shows of its inside: chunk size, interleaving degree and
 *		mapping policy (paper 000, sections 5.1 to 5.4).
 *
 * A domain is flash that shares a resource, such as a channel.  A chunk is
 * what lies in one domain without a break, the interleaving degree is the
 * number of domains.  Two reads at once take longer where both need the same
 * domain: that is all that is looked for, and a device where it makes no
 * difference shows no pattern.
 *
 * Pure: the device is behind an interface, so that a simulated one can be
 * probed as well as a file.
 */
#ifndef SSDPAR_PROBE_INSIDE_H
#define SSDPAR_PROBE_INSIDE_H

#include "probe.h"

/* What is told apart: a smaller chunk is not recognised. */
#define PROBE_INSIDE_UNIT PROBE_MIN_SIZE

/* The largest request, as the paper writes; and requests issued at once. */
#define PROBE_INSIDE_LARGEST (256 * 1024)
#define PROBE_INSIDE_BATCH 2

typedef struct ProbeInsideRequest
{
	ProbeOperation operation;
	uint32_t	size;			/* bytes, at most PROBE_INSIDE_LARGEST */
	uint64_t	offset;
} ProbeInsideRequest;

/*
 * What is probed: BYTES that may be overwritten.  Either function gives false
 * to end it all; the reason is the implementation's to keep.
 */
typedef struct ProbeInsideDevice
{
	uint64_t	bytes;			/* at least PROBE_MIN_FILE */
	uint32_t	alignment;		/* of requests, at most PROBE_INSIDE_UNIT */

	/* Issue COUNT requests at once; ns until the last one was complete. */
	bool		(*issue) (void *arg, const ProbeInsideRequest *requests,
						  int count, double *time);

	/* Wait until what was written is in the flash. */
	bool		(*settle) (void *arg);

	/* What is being done, and which share of it is done; may be NULL. */
	void		(*progress) (void *arg, const char *stage, double share);
	void	   *arg;
} ProbeInsideDevice;

typedef enum ProbeInsideVerdict
{
	PROBE_INSIDE_NONE,			/* no pattern shows */
	PROBE_INSIDE_UNCLEAR,		/* one shows, and it cannot be said which */
	PROBE_INSIDE_PATTERN,
} ProbeInsideVerdict;

typedef enum ProbeMapping
{
	PROBE_MAPPING_UNKNOWN,
	PROBE_MAPPING_STATIC,		/* by address */
	PROBE_MAPPING_ORDER,		/* by the order of writes */
} ProbeMapping;

typedef struct ProbeInside
{
	ProbeInsideVerdict verdict;

	/* 0 unless there is a pattern */
	uint32_t	chunk_bytes;
	int			degree;
	int			subdomains;		/* of each domain; 0: none show */
	double		confidence;		/* share of new pairs that it told right */
	ProbeMapping mapping;
	double		mapping_confidence; /* the same, after overwriting */

	/* pairs of reads, ns: in two domains, in one, and how they vary */
	double		apart;
	double		together;
	double		noise;

	/* what it took */
	uint64_t	window;			/* bytes within which pairs were compared */
	uint64_t	pairs;
	uint64_t	bytes_read;
	uint64_t	bytes_written;
} ProbeInside;

/*
 * Probe DEVICE in about SECONDS of its time.  False if the device ended it or
 * memory ran out, and nothing is known then.
 */
extern bool ssdpar_probe_inside(const ProbeInsideDevice *device,
								double seconds, uint64_t seed,
								ProbeInside *result);

#endif							/* SSDPAR_PROBE_INSIDE_H */
