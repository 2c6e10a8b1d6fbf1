/*
 * ssdsim_pairs.h
 *		Figure 12 on virtual time: readers and writers alone and concurrently,
 *		with the daemon reading ahead for the readers.
 */
#ifndef SSDSIM_PAIRS_H
#define SSDSIM_PAIRS_H

#include "bench/ssdsim/ssdsim_spec.h"

#include "ssdsim_process.h"

/* A time is worse if it exceeds the recorded one by this share. */
#define SSDSIM_WORSE 0.05

/* Required space: all tables and logs, and the profile's reads. */
#define SSDSIM_PAIR_SPACE (UINT64_C(2) << 30)

typedef struct SsdsimPair
{
	const SsdsimWork *target;
	const SsdsimWork *beside;	/* NULL: alone */
	const SsdpardRules *rules;	/* of the daemon; NULL: there is none */
	uint32_t	depth;			/* the device's saturation depth */
	bool		protects;		/* protects writers: readers yield, so that a
								 * write */
	double		may_lose;		/* waits at most this long behind them, ms */
} SsdsimPair;

typedef struct SsdsimPairResult
{
	int64_t		time;			/* ns, from the target's start to its end */
	uint64_t	bytes_read;		/* by the device, from the very start */
	uint32_t	deepest;		/* most outstanding requests of the daemon */
} SsdsimPairResult;

/* The workloads, QS, QR, PB and PM; NULL past the last, or if unknown. */
extern const SsdsimWork *ssdsim_work_at(int i);
extern const SsdsimWork *ssdsim_work_find(const char *name);

/* A description from FOLDER; false with a message, also if it is too small. */
extern bool ssdsim_pair_device(const char *name, const char *folder,
							   SsdsimSpec *spec, SsdsimError *error);

/* The co-runner starts first, and repeats until the target ends. */
extern SsdsimPairResult ssdsim_pair_run(const SsdsimSpec *spec,
										const SsdsimPair *pair);

/*
 * The smallest depth with 90 % of the most random reads of 8 kB per second, as
 * in the device's profile.
 */
extern uint32_t ssdsim_saturation_depth(const SsdsimSpec *spec);

#endif							/* SSDSIM_PAIRS_H */
