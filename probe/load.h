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
	uint64_t	room;			/* bytes to leave free for others */
	const ProbeCallbacks *callbacks;	/* may be NULL */
	uint64_t	start;
	uint64_t	next_poll;
	uint64_t	next_progress;
	uint64_t	deadline;		/* exceeding it is PROBE_TOO_SLOW */
	uint64_t	random_state;
	uint64_t	submitted[PROBE_MAX_DEPTH]; /* by slot */
	ProbeHistogram histogram;
	ProbeError *error;
} ProbeRun;

/* Result of one visit of a point. */
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

/* Reports the progress; does the caller want to continue? */
extern bool ssdpar_probe_may_go_on(ProbeRun *run, uint64_t now,
								   const char *stage, double share);

/* Did a request of SIZE bytes succeed? */
extern bool ssdpar_probe_check_completion(ProbeRun *run, ProbeOperation kind,
										  uint32_t size, int result);

/* Is there time left?  DOING is for the message. */
extern bool ssdpar_probe_check_deadline(ProbeRun *run, uint64_t now,
										const char *doing);

/* Writes incompressible data to the buffer for the next write of SLOT. */
extern void ssdpar_probe_fill_buffer(ProbeRun *run, int slot, uint32_t size);

/* Makes sure that written data is on the device. */
extern bool ssdpar_probe_flush(ProbeRun *run);

/* Fills the scratch file with incompressible data and flushes it. */
extern bool ssdpar_probe_fill(ProbeRun *run);

/*
 * Measures POINT for about DURATION ns, or longer if that is too short for a
 * sample.  SHARE, of the run, is passed to the progress callback.
 */
extern bool ssdpar_probe_measure(ProbeRun *run, const ProbePoint *point,
								 uint64_t duration, double share,
								 ProbeSample *sample);

#endif							/* SSDPAR_PROBE_LOAD_H */
