/*
 * request.h
 *		What is asked of the scheduler, and what it answers.  Types alone.
 *
 *	client			who asks: one session of the daemon
 *	range			what it asks for: up to 1 MB of one file
 *	device request	the part of a range that one read fetches
 *	outstanding		given to the device and not yet answered
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
	SSDPARD_RANDOM,				/* small, and a query needs it soon */
	SSDPARD_SEQUENTIAL,			/* large, ahead of a scan */
	SSDPARD_CLASSES				/* their number */
} SsdpardClass;

typedef struct SsdpardRules
{
	uint32_t	max_ranges;		/* in all queues; fixed at creation */
	uint32_t	max_request_bytes;	/* of a device request; fixed at creation */
	uint32_t	depth;			/* of every device; 0: as its profile says */
	uint64_t	random_deadline;	/* us a range should not wait longer */
	uint64_t	sequential_deadline;
} SsdpardRules;

/* A range as a client describes it. */
typedef struct SsdpardRangeSpec
{
	int			device;			/* from ssdpard_scheduler_device */
	SsdpardClass class;
	uint32_t	stream;			/* what the client may cancel together */
	void	   *file;			/* the caller's; never looked into */
	uint64_t	offset;
	uint32_t	length;
} SsdpardRangeSpec;

typedef struct SsdpardDeviceRequest
{
	SsdpardRange *range;		/* that it is a part of */
	void	   *file;
	uint64_t	offset;
	uint32_t	length;
} SsdpardDeviceRequest;

/* What became of a device request. */
typedef enum SsdpardResult
{
	SSDPARD_RESULT_READ,		/* by the device */
	SSDPARD_RESULT_CACHED,		/* it was in the page cache already */
	SSDPARD_RESULT_STALE,		/* there is nothing to read any more */
	SSDPARD_RESULT_FAILED,
	SSDPARD_RESULTS				/* their number */
} SsdpardResult;

/* What became of a range: one of these, exactly once (common/protocol.h). */
typedef enum SsdpardOutcome
{
	SSDPARD_SERVED,
	SSDPARD_CACHED,
	SSDPARD_STALE,
	SSDPARD_DROPPED,
	SSDPARD_OUTCOMES			/* their number */
} SsdpardOutcome;

/*
 * Called once for each range that ssdpard_scheduler_add took, with the
 * client's OWNER and the range's FILE.  It must not call the scheduler back:
 * the queues are being walked.
 */
typedef void (*SsdpardFinished) (void *owner, void *file,
								 SsdpardOutcome outcome);

/* How long, in us, this process has waited for a CPU so far. */
typedef uint64_t (*SsdpardCpuWait) (void);

#endif							/* SSDPARD_REQUEST_H */
