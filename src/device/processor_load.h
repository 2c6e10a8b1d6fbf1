/*
 * processor_load.h
 *		Counts the processes of all sessions' running queries.
 */
#ifndef SSDPAR_PROCESSOR_LOAD_H
#define SSDPAR_PROCESSOR_LOAD_H

#include "utils/palloc.h"

/* Number of other active sessions, and the sum of their processes. */
typedef struct SsdparProcessorLoad
{
	double		sessions;
	double		processes;
} SsdparProcessorLoad;

/*
 * Announces that a query of this session runs in this number of processes,
 * until the query's memory context is deleted, even by an error.
 */
extern void ssdpar_processor_load_announce(int processes, MemoryContext query);

/*
 * Sessions active at this moment, except for this one; all 0 if unknown.  A
 * session that waits for its client or for a lock is not active.
 */
extern SsdparProcessorLoad ssdpar_processor_load_others(void);

/* To be called by the hooks of the same names. */
extern void ssdpar_processor_load_request_shmem(void);
extern void ssdpar_processor_load_attach_shmem(void);

#endif							/* SSDPAR_PROCESSOR_LOAD_H */
