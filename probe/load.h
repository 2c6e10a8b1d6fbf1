/*
 * load.h
 *		Keeps a number of requests outstanding and measures them.
 */
#ifndef SSDPAR_PROBE_LOAD_H
#define SSDPAR_PROBE_LOAD_H

#include "probe.h"
#include "ring.h"
#include "statistics.h"

/*
 * One run of the engine, shared by its steps.  Times are monotonic ns.
 *
 * Invariant: a slot has at most one request outstanding; submitted[slot] is
 * when it was queued.
 */
typedef struct ProbeRun
{
	ProbeRing	ring;
	const char *directory;
	uint64_t	file_size;
	uint64_t	room;			/* bytes left free for others */
	const ProbeCallbacks *callbacks;	/* may be NULL */
	uint64_t	start;
	uint64_t	next_poll;
	uint64_t	next_progress;
	uint64_t	deadline;		/* later than this is PROBE_TOO_SLOW */
	uint64_t	random_state;
	uint64_t	submitted[PROBE_MAX_DEPTH]; /* by slot */
	ProbeHistogram histogram;
	ProbeError *error;
} ProbeRun;

/* What one visit of a point gave. */
typedef struct ProbeSample
{
	double		iops;
	double		latency_p50;	/* microseconds */
	double		latency_p99;
} ProbeSample;

/* Size of the requests that write the scratch file. */
#define PROBE_FILL_SIZE (256 * 1024)
#define PROBE_FILL_DEPTH 16

extern uint64_t ssdpar_probe_now(void);

/* Whether the caller wants more, and is told how far it is. */
extern bool ssdpar_probe_may_go_on(ProbeRun *run, uint64_t now,
								   const char *stage, double share);

/* Whether a request of SIZE bytes did what it was to do. */
extern bool ssdpar_probe_check_completion(ProbeRun *run, ProbeOperation kind,
										  uint32_t size, int result);

/* Whether there is time left, while DOING that. */
extern bool ssdpar_probe_check_deadline(ProbeRun *run, uint64_t now,
										const char *doing);

/* Incompressible data for the next write of SLOT. */
extern void ssdpar_probe_fill_buffer(ProbeRun *run, int slot, uint32_t size);

/* What was written is on the device. */
extern bool ssdpar_probe_flush(ProbeRun *run);

/* Fills the scratch file with incompressible data and flushes it. */
extern bool ssdpar_probe_fill(ProbeRun *run);

/*
 * Measures POINT for about DURATION ns, longer if that is too short for a
 * sample.  SHARE, of the run, goes to the progress callback.
 */
extern bool ssdpar_probe_measure(ProbeRun *run, const ProbePoint *point,
								 uint64_t duration, double share,
								 ProbeSample *sample);

#endif							/* SSDPAR_PROBE_LOAD_H */
