/*
 * ssdsim_process.h
 *		What a server process does, as its device sees it: steps of reading
 *		pages, computing on each, and writing synchronously.
 *
 *	begin ─▶ read ─▶ (wait for the page) ─▶ compute ─▶ read ...
 *					after the last page of a step: write ─▶ write ...
 *					after the last write: the next step
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
	int			processes;		/* that do it side by side */
	uint64_t	steps;			/* of each */
	uint64_t	table;			/* blocks of its table */
	uint32_t	reads;			/* pages of a step */
	uint32_t	in_buffers;		/* of a thousand pages: nothing to read */
	bool		sequential;		/* else any page of the table */
	bool		known_ahead;	/* a session can announce what it will read */
	int64_t		compute;		/* ns a page */
	uint32_t	writes;			/* of a step, one after another */
	uint64_t	write_bytes;
	bool		elsewhere;		/* no process of the server: the device's
								 * flushes tell of it, after each write */
} SsdsimWork;

typedef struct SsdsimProcess
{
	const SsdsimWork *work;
	SsdsimMachine *machine;
	SsdsimSsdpard *daemon;		/* NULL: nobody reads ahead but the kernel */
	SsdpardClient *client;		/* NULL: it announces nothing */
	const uint64_t *allowed;	/* bytes outstanding, as protection.h has it;
								 * NULL: any number */
	uint32_t	depth;			/* of a page list: of the device's profile, */
	uint32_t	lead;			/* and pages ahead; 0: page_list.c's */
	uint64_t	first;			/* block of its table, */
	uint64_t	log;			/* where it writes, on the same device */
	uint64_t	random;
	bool		again;			/* begins anew when it has ended */
	bool		ended;
	bool		stopped;		/* does nothing any more */
	int64_t		end;
	SsdsimHistogram *waits;		/* for each page, from wanting it to having
								 * it; NULL: not noted */
	int64_t		wanted;			/* when the page was */

	uint64_t	page;			/* number of the next, of all */
	uint64_t	pages;			/* of one run */
	uint32_t	written;		/* of this step */
	int64_t		writing;		/* since when */
	uint64_t	asked;			/* pages of the list announced */
	SsdparWindow window;		/* a scan's */
	uint64_t	ahead;			/* the kernel's window: first block, */
	uint64_t	ahead_end;		/* and end; equal: none */
	SsdsimCall	there;			/* the page waited for */
	SsdsimCall	computed;
	SsdsimCall	stored;
} SsdsimProcess;

/* Let it begin, once it is described down to "again". */
extern void ssdsim_process_begin(SsdsimProcess *process);

/* Its session with the daemon ends, once all processes are stopped. */
extern void ssdsim_process_disconnect(SsdsimProcess *process);

#endif							/* SSDSIM_PROCESS_H */
