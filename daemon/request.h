/*
 * request.h
 *		Types of the scheduler's requests and results.
 *
 *	client			a session of the daemon, which makes requests
 *	range			what a client requests: up to 1 MB of one file
 *	device request	the part of a range that one read fetches
 *	outstanding		given to the device and not completed yet
 *	depth			how many device requests may be outstanding
 */
#ifndef SSDPARD_REQUEST_H
#define SSDPARD_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SsdpardClient SsdpardClient;
typedef struct SsdpardRange SsdpardRange;

typedef enum SsdpardClass
{
	SSDPARD_RANDOM,				/* small, needed soon by a query */
	SSDPARD_SEQUENTIAL,			/* large, ahead of a scan */
	SSDPARD_CLASSES				/* their number */
} SsdpardClass;

typedef struct SsdpardRules
{
	uint32_t	max_ranges;		/* in all queues; set at creation */
	uint32_t	max_request_bytes;	/* per device request; set at creation */
	uint32_t	depth;			/* of every device; 0: from its profile */
	uint64_t	random_deadline;	/* us that a range should wait at most */
	uint64_t	sequential_deadline;
} SsdpardRules;

/* A range as described by a client. */
typedef struct SsdpardRangeSpec
{
	int			device;			/* from ssdpard_scheduler_device */
	SsdpardClass class;
	uint32_t	stream;			/* ranges that the client may cancel together */
	void	   *file;			/* the caller's; opaque */
	uint64_t	offset;
	uint32_t	length;
} SsdpardRangeSpec;

typedef struct SsdpardDeviceRequest
{
	SsdpardRange *range;		/* the range it is a part of */
	void	   *file;
	uint64_t	offset;
	uint32_t	length;
} SsdpardDeviceRequest;

/* Result of a device request. */
typedef enum SsdpardResult
{
	SSDPARD_RESULT_READ,		/* read from the device */
	SSDPARD_RESULT_CACHED,		/* it was in the page cache already */
	SSDPARD_RESULT_STALE,		/* there is nothing to read anymore */
	SSDPARD_RESULT_FAILED,
	SSDPARD_RESULTS				/* their number */
} SsdpardResult;

/* Result of a range: each range has exactly one (common/protocol.h). */
typedef enum SsdpardOutcome
{
	SSDPARD_SERVED,
	SSDPARD_CACHED,
	SSDPARD_STALE,
	SSDPARD_DROPPED,
	SSDPARD_OUTCOMES			/* their number */
} SsdpardOutcome;

/*
 * Called once for each range that ssdpard_scheduler_add accepted, with the
 * client's OWNER and the range's FILE.  It must not call the scheduler,
 * because the queues are being walked.
 */
typedef void (*SsdpardFinished) (void *owner, void *file,
								 SsdpardOutcome outcome);

/* Returns how long, in us, this process has waited for a CPU so far. */
typedef uint64_t (*SsdpardCpuWait) (void);

#endif							/* SSDPARD_REQUEST_H */
