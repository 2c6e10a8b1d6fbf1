/*
 * ssdsim_host.h
 *		The scheduler of the host's block layer, above the device: holds
 *		requests back and chooses the next one.
 *
 * It knows addresses and sizes, and how long the device took, but not where
 * data is in the flash.
 */
#ifndef SSDSIM_HOST_H
#define SSDSIM_HOST_H

#include "ssdsim_ordered.h"
#include "ssdsim_request.h"
#include "ssdsim_zones.h"

/* ns; of Linux's deadline scheduler and of paper 002, section III.D. */
#define SSDSIM_READ_DEADLINE INT64_C(500000000)
#define SSDSIM_WRITE_DEADLINE INT64_C(5000000000)

/* In order of arrival, and in the policy's order. */
typedef struct SsdsimHostQueue
{
	SsdsimRequest *oldest;
	SsdsimRequest *newest;
	SsdsimOrdered ordered;
} SsdsimHostQueue;

typedef struct SsdsimHost SsdsimHost;

typedef struct SsdsimHostPolicy
{
	const char *name;
	const char *about;

	/* The next queued request, or NULL if none may be sent now. */
	SsdsimRequest *(*choose) (SsdsimHost *host, int64_t now);
	/* Its sort key for each kind; NULL: only arrival. */
	uint64_t	(*key) (const SsdsimHost *host, const SsdsimRequest *request);
	const SsdsimZoneRule *zones;	/* that collect garbage get nothing; NULL:
									 * they are not detected */
} SsdsimHostPolicy;

/* Writes and trims are the same kind here. */
enum
{
	SSDSIM_HOST_READS,
	SSDSIM_HOST_WRITES,
};

struct SsdsimHost
{
	const SsdsimHostPolicy *policy;
	int64_t		depth;			/* requests given to the device */
	int64_t		given;
	uint64_t	capacity;		/* of the device */
	SsdsimHostQueue queues[2];
	SsdsimZones zones;

	/* the policies' state */
	int			direction;		/* of the batch, which */
	int			batch;			/* has had this many */
	uint64_t	position;		/* where the last request ended */
	int			starved;		/* batches of reads while writes waited */
	int			region;			/* the last one in turn */
};

extern void ssdsim_host_init(SsdsimHost *host,
							 const SsdsimHostPolicy *policy, int64_t depth,
							 uint64_t capacity);

extern void ssdsim_host_add(SsdsimHost *host, SsdsimRequest *request);

/* The request to send to the device now, or NULL; some are probes. */
extern SsdsimRequest *ssdsim_host_next(SsdsimHost *host, int64_t now);

/* The device has answered. */
extern void ssdsim_host_done(SsdsimHost *host, SsdsimRequest *request,
							 int64_t now);

/*
 * When to call ssdsim_host_next() again even if nothing happens before: later
 * than NOW, or SSDSIM_NEVER.
 */
extern int64_t ssdsim_host_wake(const SsdsimHost *host, int64_t now);

#endif							/* SSDSIM_HOST_H */
