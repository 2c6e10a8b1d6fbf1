/*
 * ssdsim_process.h
 *		The activity of a server process, as its device sees it: steps of
 *		reading pages, computing on each, and writing synchronously.
 *
 *	begin ─▶ read ─▶ (wait for the page) ─▶ compute ─▶ read ...
 *	after the last page of a step: write ─▶ write ...
 *	after the last write: the next step
 */
#ifndef SSDSIM_PROCESS_H
#define SSDSIM_PROCESS_H

#include "bench/ssdsim/ssdsim_histogram.h"
#include "prefetch/window.h"

#include "ssdsim_ssdpard.h"

typedef struct SsdsimWork
{
	const char *name;
	const char *about;
	int			processes;		/* concurrent ones */
	uint64_t	steps;			/* per process */
	uint64_t	table;			/* blocks of its table */
	uint32_t	reads;			/* pages per step */
	uint32_t	in_buffers;		/* per thousand pages: no read needed */
	bool		sequential;		/* else random pages of the table */
	bool		known_ahead;	/* can a session announce its reads? */
	int64_t		compute;		/* ns per page */
	uint32_t	writes;			/* per step, one after another */
	uint64_t	write_bytes;
	bool		elsewhere;		/* not a process of the server: only the
								 * device's flushes reveal it, after each
								 * write */
} SsdsimWork;

typedef struct SsdsimProcess
{
	const SsdsimWork *work;
	SsdsimMachine *machine;
	SsdsimSsdpard *daemon;		/* NULL: only the kernel reads ahead */
	SsdpardClient *client;		/* NULL: it announces nothing */
	const uint64_t *allowed;	/* bytes outstanding, as in protection.h;
								 * NULL: any number */
	uint32_t	depth;			/* of a page list: from the device's profile, */
	uint32_t	lead;			/* and pages ahead; 0: page_list.c's */
	uint64_t	first;			/* first block of its table, */
	uint64_t	log;			/* address for writing, on the same device */
	uint64_t	random;
	bool		again;			/* restarts when it has ended */
	bool		ended;
	bool		stopped;		/* does nothing any more */
	int64_t		end;
	SsdsimHistogram *waits;		/* for each page, from needing to having it;
								 * NULL: not recorded */
	int64_t		wanted;			/* when the page was needed */

	uint64_t	page;			/* number of the next one, of all */
	uint64_t	pages;			/* per run */
	uint32_t	written;		/* in this step */
	int64_t		writing;		/* start time */
	uint64_t	asked;			/* announced pages of the list */
	SsdparWindow window;		/* a scan's */
	uint64_t	ahead;			/* the kernel's window: first block, */
	uint64_t	ahead_end;		/* and end; equal: none */
	SsdsimCall	there;			/* for the page it waits for */
	SsdsimCall	computed;
	SsdsimCall	stored;
} SsdsimProcess;

/* Starts it, once its description is complete down to "again". */
extern void ssdsim_process_begin(SsdsimProcess *process);

/* Ends its session with the daemon, once all processes are stopped. */
extern void ssdsim_process_disconnect(SsdsimProcess *process);

#endif							/* SSDSIM_PROCESS_H */
