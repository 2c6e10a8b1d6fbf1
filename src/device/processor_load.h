/*
 * processor_load.h
 *		Who computes: the processes of all sessions' running queries.
 */
#ifndef SSDPAR_PROCESSOR_LOAD_H
#define SSDPAR_PROCESSOR_LOAD_H

#include "utils/palloc.h"

/* Other sessions at work, and how many processes they have together. */
typedef struct SsdparProcessorLoad
{
	double		sessions;
	double		processes;
} SsdparProcessorLoad;

/*
 * A query of this session runs in that many processes, until the query's
 * memory context goes away, however the query ends.
 */
extern void ssdpar_processor_load_announce(int processes, MemoryContext query);

/*
 * Those at work at this moment, without this session; all 0 if not known.  A
 * session that waits for its client or for a lock is not at work.
 */
extern SsdparProcessorLoad ssdpar_processor_load_others(void);

/* For the hooks of the same names. */
extern void ssdpar_processor_load_request_shmem(void);
extern void ssdpar_processor_load_attach_shmem(void);

#endif							/* SSDPAR_PROCESSOR_LOAD_H */
