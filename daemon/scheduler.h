/*
 * scheduler.h
 *		Which request of which session goes to the device next.
 *
 * Pure logic: no ring, no socket, no clock (times are handed in, in
 * microseconds of any clock that does not go back).  docs/daemon.md tells the
 * rules in prose, test/unit/test_scheduler_*.c holds them.
 *
 * Words: a client is what asks (one session of the daemon), a range is what
 * it asks for, a piece is the part of a range that one read fetches.
 */
#ifndef SSDPARD_SCHEDULER_H
#define SSDPARD_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SsdpardScheduler SsdpardScheduler;
typedef struct SsdpardClient SsdpardClient;
typedef struct SsdpardRange SsdpardRange;

/* Devices that have a queue of their own; further ones share the last. */
#define SSDPARD_MAX_DEVICES 16

/* Depth of a device that nobody has a profile of. */
#define SSDPARD_DEFAULT_DEPTH 32

typedef enum SsdpardClass
{
	SSDPARD_RANDOM,				/* small reads that somebody needs soon */
	SSDPARD_SEQUENTIAL,			/* large reads ahead of a scan */
	SSDPARD_CLASSES				/* their number */
} SsdpardClass;

typedef struct SsdpardRules
{
	uint32_t max_ranges;		/* in all queues; fixed at creation */
	uint32_t piece_bytes;		/* the longest read; fixed at creation */
	uint32_t depth;				/* of every device; 0: as its profile says */
	uint64_t random_deadline;	/* us a range should not wait longer */
	uint64_t sequential_deadline;
} SsdpardRules;

typedef struct SsdpardRequest
{
	int device;					/* from ssdpard_scheduler_device */
	SsdpardClass class;
	uint32_t stream;
	void *file;					/* the caller's; never looked into */
	uint64_t offset;
	uint32_t length;
} SsdpardRequest;

typedef struct SsdpardPiece
{
	SsdpardRange *range;
	void *file;
	uint64_t offset;
	uint32_t length;
} SsdpardPiece;

/* What became of a piece. */
typedef enum SsdpardResult
{
	SSDPARD_WAS_READ,			/* by the device */
	SSDPARD_WAS_CACHED,
	SSDPARD_WAS_STALE,
	SSDPARD_HAS_FAILED,
} SsdpardResult;

/* What became of a range: one of these for each, exactly once. */
typedef enum SsdpardOutcome
{
	SSDPARD_SERVED,
	SSDPARD_CACHED,
	SSDPARD_STALE,
	SSDPARD_DROPPED,
} SsdpardOutcome;

/*
 * Called once for each range that ssdpard_scheduler_add took.  It must not
 * call the scheduler.
 */
typedef void (*SsdpardFinished) (void *owner, void *file,
								 SsdpardOutcome outcome);

/* NULL if there is no memory for max_ranges. */
extern SsdpardScheduler *ssdpard_scheduler_create(const SsdpardRules *rules,
												  SsdpardFinished finished);
/*
 * Where the scheduler learns how long, in us, this process has waited for a
 * CPU so far.  Without it no latency is put down to that.
 */
typedef uint64_t (*SsdpardCpuWait) (void);
extern void ssdpard_scheduler_set_waits(SsdpardScheduler *scheduler,
										SsdpardCpuWait cpu_wait);
/* No piece may be in flight and no client left. */
extern void ssdpard_scheduler_free(SsdpardScheduler *scheduler);
/* Takes over depth and deadlines. */
extern void ssdpard_scheduler_set_rules(SsdpardScheduler *scheduler,
										const SsdpardRules *rules);

/*
 * A client with at most DEPTH pieces in flight on one device, 0: no limit of
 * its own.  OWNER is handed to SsdpardFinished.  NULL if there is no memory.
 */
extern SsdpardClient *ssdpard_scheduler_add_client(SsdpardScheduler *scheduler,
												   uint32_t depth,
												   void *owner);
/* Drops what the client has queued; pieces in flight stay. */
extern void ssdpard_scheduler_drop_client(SsdpardScheduler *scheduler,
										  SsdpardClient *client);
/* Ranges queued or in flight. */
extern uint32_t ssdpard_client_ranges(const SsdpardClient *client);
/* Only when ssdpard_client_ranges is 0. */
extern void ssdpard_scheduler_free_client(SsdpardScheduler *scheduler,
										  SsdpardClient *client);

/* The queue of the device with this number (st_dev), made when missing. */
extern int ssdpard_scheduler_device(SsdpardScheduler *scheduler,
									uint64_t number);
extern int ssdpard_scheduler_devices(const SsdpardScheduler *scheduler);
/* Saturation depth by its profile, the latest word counts. */
extern void ssdpard_scheduler_set_profile(SsdpardScheduler *scheduler,
										  int device, uint32_t depth);

/* False if there is no room: the caller counts the range as dropped. */
extern bool ssdpard_scheduler_add(SsdpardScheduler *scheduler,
								  SsdpardClient *client,
								  const SsdpardRequest *request,
								  uint64_t now);
/* Drops what the client has queued for this stream. */
extern void ssdpard_scheduler_cancel(SsdpardScheduler *scheduler,
									 SsdpardClient *client, uint32_t stream);

/*
 * The piece to read next on this device; false if there is none or the device
 * is as busy as it may be.  Each piece is given back by
 * ssdpard_scheduler_done, with the LATENCY of the read in us.
 */
extern bool ssdpard_scheduler_next(SsdpardScheduler *scheduler, int device,
								   uint64_t now, SsdpardPiece *piece);
extern void ssdpard_scheduler_done(SsdpardScheduler *scheduler,
								   const SsdpardPiece *piece,
								   SsdpardResult result, uint32_t latency);

/* The owner of the client whose piece it is. */
extern void *ssdpard_piece_owner(const SsdpardPiece *piece);

/* Ranges queued or in flight, pieces in flight, depth allowed now: in sum. */
extern uint32_t ssdpard_scheduler_ranges(const SsdpardScheduler *scheduler);
extern uint32_t ssdpard_scheduler_in_flight(const SsdpardScheduler *scheduler);
extern uint32_t ssdpard_scheduler_depth(const SsdpardScheduler *scheduler);

#endif							/* SSDPARD_SCHEDULER_H */
