/*
 * inside.h
 *		The internal structure of a device: chunk size, interleaving degree
 *		and mapping policy (paper 000, sections 5.1 to 5.4).
 *
 * A domain is flash that shares a resource, such as a channel.  A chunk is a
 * contiguous range in one domain; the interleaving degree is the number of
 * domains.  Two concurrent reads take longer if both need the same domain.
 * Only that is examined, and a device without this difference shows no
 * pattern.
 *
 * No I/O is done here: the device is behind an interface, so that a simulated
 * one can be probed as well as a file.
 */
#ifndef SSDPAR_PROBE_INSIDE_H
#define SSDPAR_PROBE_INSIDE_H

#include "probe.h"

/* Resolution: a smaller chunk is not recognized. */
#define PROBE_INSIDE_UNIT PROBE_MIN_SIZE

/*
 * The largest request, as in the paper, and the number of concurrent requests.
 */
#define PROBE_INSIDE_LARGEST (256 * 1024)
#define PROBE_INSIDE_BATCH 2

typedef struct ProbeInsideRequest
{
	ProbeOperation operation;
	uint32_t	size;			/* bytes, at most PROBE_INSIDE_LARGEST */
	uint64_t	offset;
} ProbeInsideRequest;

/*
 * The device to be probed: BYTES that may be overwritten.  Either function
 * returns false to stop; the implementation keeps the reason.
 */
typedef struct ProbeInsideDevice
{
	uint64_t	bytes;			/* at least PROBE_MIN_FILE */
	uint32_t	alignment;		/* of requests, at most PROBE_INSIDE_UNIT */

	/*
	 * Issues COUNT requests at once; sets the ns until the last one was
	 * complete.
	 */
	bool		(*issue) (void *arg, const ProbeInsideRequest *requests,
						  int count, double *time);

	/* Waits until written data is in the flash. */
	bool		(*settle) (void *arg);

	/* Reports the current activity and the completed fraction; may be NULL. */
	void		(*progress) (void *arg, const char *stage, double share);
	void	   *arg;
} ProbeInsideDevice;

typedef enum ProbeInsideVerdict
{
	PROBE_INSIDE_NONE,			/* no visible pattern */
	PROBE_INSIDE_UNCLEAR,		/* a pattern is visible, but not identified */
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

	/* 0 without a pattern */
	uint32_t	chunk_bytes;
	int			degree;
	int			subdomains;		/* per domain; 0: none visible */
	double		confidence;		/* fraction of new pairs predicted correctly */
	ProbeMapping mapping;
	double		mapping_confidence; /* the same, after overwriting */

	/*
	 * times of pairs of reads, ns: in two domains, in one, and their
	 * deviation
	 */
	double		apart;
	double		together;
	double		noise;

	/* effort */
	uint64_t	window;			/* bytes within which pairs were compared */
	uint64_t	pairs;
	uint64_t	bytes_read;
	uint64_t	bytes_written;
} ProbeInside;

/*
 * Probes DEVICE in about SECONDS of its time.  Returns false, without any
 * result, if the device stopped it or memory ran out.
 */
extern bool ssdpar_probe_inside(const ProbeInsideDevice *device,
								double seconds, uint64_t seed,
								ProbeInside *result);

#endif							/* SSDPAR_PROBE_INSIDE_H */
